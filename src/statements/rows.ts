import { CELL_TEXT_MAX } from './limits.ts';

/**
 * One row of a table. Cells are at their logical column (a cell that spans three columns is
 * followed by two empty ones; hidden cells are left out), spaces collapsed and trimmed.
 */
export type Row = {
  /** Line of the file, row of the sheet, number of the record. */
  line: number;
  cells: string[];
  /** The first cell's title attribute: p4 statements keep the comment there. */
  title?: string | undefined;
};

export type RowSink = {
  row(row: Row): void;
  /** Text outside of tables, one call for each element. */
  text?(text: string): void;
  /** The separator of the following rows' cells, if a text file has one. */
  delimiter?(mark: string): void;
  /** Another sheet begins: tables do not continue from one to the next. */
  sheet?(): void;
};

/** Passes everything to several sinks. */
export const teeRows = (...sinks: readonly RowSink[]): RowSink => ({
  row: (row) => {
    for (const sink of sinks) sink.row(row);
  },
  text: (text) => {
    for (const sink of sinks) sink.text?.(text);
  },
  delimiter: (mark) => {
    for (const sink of sinks) sink.delimiter?.(mark);
  },
  sheet: () => {
    for (const sink of sinks) sink.sheet?.();
  },
});

export const cellAt = (row: Row, column: number | undefined): string =>
  (column === undefined ? undefined : row.cells[column]) ?? '';

export const rowText = (row: Row): string => row.cells.filter((cell) => cell !== '').join(' | ');

/** The beginning of a long text, without meaningless white space. */
export const collapse = (text: string): string => {
  const cut = text.length > CELL_TEXT_MAX ? text.slice(0, CELL_TEXT_MAX) : text;
  return /^[!-~]+$/.test(cut) ? cut : cut.replace(/[\s\u00a0]+/g, ' ').trim();
};
