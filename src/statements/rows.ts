/**
 * One row of a table. Cells stand at their logical column (a cell that spans three columns is followed
 * by two empty ones; hidden cells are left out), spaces collapsed and trimmed.
 */
export type Row = {
  /** Line of the html file, row of the sheet. */
  line: number;
  cells: string[];
  /** The first cell's title attribute: p4 statements keep the comment there. */
  title?: string | undefined;
};

export type RowSink = {
  row(row: Row): void;
  /** Text outside of tables, one call for each element. */
  text(text: string): void;
};

export const cellAt = (row: Row, column: number | undefined): string =>
  (column === undefined ? undefined : row.cells[column]) ?? '';

export const rowText = (row: Row): string => row.cells.filter((cell) => cell !== '').join(' | ');

export const collapse = (text: string): string =>
  /^[!-~]+$/.test(text) ? text : text.replace(/[\s\u00a0]+/g, ' ').trim();
