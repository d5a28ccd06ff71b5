import { LOOSE_ROWS_MAX } from '../limits.ts';
import { type NumberStyle, numberStyleOf } from '../numbers.ts';
import { cellAt, type Row, type RowSink } from '../rows.ts';
import { isReportTime } from '../times.ts';
import { shapeOf, type TableKind } from './table-shapes.ts';

export type ReportTable = {
  /** Known from its first row on. */
  kind: TableKind | undefined;
  /** Headings in order, and the logical column that each starts at. */
  headings: string[];
  columns: number[];
  line: number;
  rows: Row[];
};

/** A parsed report: its data tables, and the rows and texts outside of them. */
export type ReportTables = {
  tables: ReportTable[];
  loose: Row[];
  texts: string[];
  /** Rows of data tables that do not begin like a row of that table. */
  odd: Row[];
};

/** Orders have no results. */
const isOfOrders = ({ kind }: ReportTable): boolean =>
  kind === 'p5-orders' || kind === 'p4-working';

/** Of orders, only those of p5 that tell a stop or a target are of use. */
const isUseful = (table: ReportTable, row: Row): boolean =>
  !isOfOrders(table) ||
  (table.kind === 'p5-orders' &&
    LEVELS_AT.some((ordinal) => cellAt(row, table.columns[ordinal]) !== ''));

/** After time, order, symbol, type, volume and price. */
const LEVELS_AT = [6, 7];

/** Whether some table has rows, so that the file certainly is a terminal's report. */
export const hasRows = ({ tables }: ReportTables): boolean =>
  tables.some(
    (table) => table.kind !== 'p5-positions' && !isOfOrders(table) && table.rows.length > 0,
  );

/**
 * Whether rows of labels and values stand outside of the tables: the head of a report, its figures.
 */
export const hasLabels = ({ loose }: ReportTables): boolean =>
  loose.some(({ cells }) => cells.filter((cell) => /[:：]$/.test(cell)).length > 0);

/**
 * Parses the rows of a report. Reports come in many languages, so tables are recognised by the
 * number of their headings and the types of their first row's cells, never by words. The tables of
 * a workbook may be in one sheet or in several.
 */
export function createReportTables(): RowSink & { result(): ReportTables } {
  const result: ReportTables = { tables: [], loose: [], texts: [], odd: [] };
  let table: ReportTable | undefined;
  const loose = (row: Row) => {
    if (result.loose.length < LOOSE_ROWS_MAX) result.loose.push(row);
  };
  const open = (opened: ReportTable | undefined) => {
    table = opened;
    if (opened) result.tables.push(opened);
  };
  const outside = (row: Row) => {
    const filled = row.cells.filter((cell) => cell !== '');
    if (filled.length === 0) return;
    const labelled = filled.some((cell) => /[:：]$/.test(cell));
    if (table && cellAt(row, 0) === '') {
      // Within a table these are its sums and p4's comment lines, which may end in a colon, too.
      if (labelled && filled.length > 1) loose(row);
      return;
    }
    const opened = tableOf(row, filled);
    if (opened) open(opened);
    else if (labelled || filled.length === 1) {
      table = undefined;
      loose(row);
    } else if (table && result.odd.length < LOOSE_ROWS_MAX) result.odd.push(row);
    else loose(row);
  };
  return {
    row(row) {
      if (!table || !isDataRow(table, row)) {
        outside(row);
        return;
      }
      table.kind ??= shapeOf(cellsOf(table, row));
      if (isUseful(table, row)) table.rows.push(row);
    },
    text(text) {
      if (result.texts.length < LOOSE_ROWS_MAX) result.texts.push(text);
    },
    sheet() {
      table = undefined;
    },
    result: () => result,
  };
}

function isDataRow(table: ReportTable, row: Row): boolean {
  const [first, second] = [cellAt(row, 0), cellAt(row, table.columns[1])];
  if (table.kind === undefined) return beginsTable(table, row);
  if (table.kind.startsWith('p4')) return /^\d+$/.test(first) && isReportTime(cellAt(row, 1));
  if (isReportTime(first)) return true;
  const isListed = table.kind === 'p5-open' || table.kind === 'p5-trade' || isOfOrders(table);
  return isListed && first !== '' && (isReportTime(cellAt(row, 2)) || isSide(second));
}

/** After time, position, symbol and type, p5 writes a cell that browsers hide: the comment. */
const HIDDEN_AT = 4;

/** Whether a row begins a table; a spreadsheet shows the hidden cell, which shifts the rows. */
function beginsTable(table: ReportTable, row: Row): boolean {
  const shift = row.cells.findLastIndex((cell) => cell !== '') - (table.columns.at(-1) ?? 0);
  const columns = table.columns.map((column, at) => (at < HIDDEN_AT ? column : column + shift));
  if (shift > 0 && shapeOf(cellsOf({ ...table, columns }, row)) === 'p5-positions')
    table.columns = columns;
  return shapeOf(cellsOf(table, row)) !== undefined;
}

const isSide = (text: string): boolean => text === 'buy' || text === 'sell';

const cellsOf = ({ columns }: ReportTable, row: Row): string[] =>
  columns.map((column) => cellAt(row, column));

const HEADINGS_MIN = 9;

/** The most headings of a table of a terminal. */
const HEADINGS_MAX = 15;

function tableOf(row: Row, filled: string[]): ReportTable | undefined {
  if (filled.length < HEADINGS_MIN || filled.length > HEADINGS_MAX) return undefined;
  if (filled.some((cell) => /^[-+]?\d/.test(cell) || /[:：]$/.test(cell) || cell.length > 60))
    return undefined;
  const columns = row.cells.flatMap((cell, column) => (cell === '' ? [] : [column]));
  return { kind: undefined, headings: filled, columns, line: row.line, rows: [] };
}

/** The decimal mark of a table: that of the first column of numbers with a clear one. */
export function styleOfTable(table: ReportTable): NumberStyle {
  for (const column of table.columns.slice(4)) {
    const style = numberStyleOf(numbersOf(table.rows, column));
    if (style) return style;
  }
  return 'point';
}

/** The texts of a column, up to the first that is no number. */
function* numbersOf(rows: readonly Row[], column: number): Generator<string> {
  for (const row of rows) {
    const text = cellAt(row, column);
    if (/[^-+\d.,'’\s\u2212KM]/.test(text)) return;
    yield text;
  }
}
