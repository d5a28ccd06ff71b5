import { dealTypeOf } from '../deal-words.ts';
import { LOOSE_ROWS_MAX } from '../limits.ts';
import { type NumberStyle, numberStyleOf } from '../numbers.ts';
import { cellAt, type Row, type RowSink } from '../rows.ts';
import { isReportTime } from '../times.ts';

export type TableKind =
  | 'p4-closed'
  | 'p4-open'
  | 'p4-working'
  | 'p4-tester'
  | 'p5-positions'
  | 'p5-orders'
  | 'p5-deals'
  | 'p5-open'
  | 'p5-trade';

export type ReportTable = {
  kind: TableKind;
  /** Headings in order, and the logical column that each starts at. */
  headings: string[];
  columns: number[];
  line: number;
  rows: Row[];
};

/** A report taken apart: its data tables, and the rows and texts that stand outside of them. */
export type ReportTables = {
  tables: ReportTable[];
  loose: Row[];
  texts: string[];
  /** Rows of data tables that begin like no row of that table. */
  odd: Row[];
};

/** Tables whose rows are of no use: orders have no results. */
const isIgnored = ({ kind }: ReportTable): boolean => kind === 'p5-orders' || kind === 'p4-working';

/** Whether some table has rows, so that the file is a report of a terminal beyond doubt. */
export const hasRows = ({ tables }: ReportTables): boolean =>
  tables.some(({ kind, rows }) => kind !== 'p5-positions' && rows.length > 0);

/**
 * Takes the rows of a report apart. Reports come in many languages, so tables are told by the shape
 * of their headings (how many, and which two read the same) and of their first row, never by words.
 * The tables of a workbook may stand in one sheet or in several.
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
      // Within a table these are its sums and p4's comment lines, which may end in a colon too.
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
      if (table.rows.length === 0) {
        const kind = settle(table, row);
        if (!kind) {
          result.tables.splice(result.tables.indexOf(table), 1);
          table = undefined;
          return;
        }
        table.kind = kind;
      }
      if (!isIgnored(table)) table.rows.push(row);
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

const isSide = (text: string): boolean => text === 'buy' || text === 'sell';

function isDataRow(table: ReportTable, row: Row): boolean {
  const [first, second] = [cellAt(row, 0), cellAt(row, table.columns[1])];
  if (table.kind.startsWith('p4')) return /^\d+$/.test(first) && isReportTime(cellAt(row, 1));
  if (isReportTime(first)) return true;
  const isListed = table.kind === 'p5-open' || table.kind === 'p5-trade' || isIgnored(table);
  return isListed && first !== '' && (isReportTime(cellAt(row, 2)) || isSide(second));
}

/**
 * What the table is by its first row too; undefined for one that only has headings like a report's.
 */
function settle(table: ReportTable, row: Row): TableKind | undefined {
  const at = (ordinal: number) => cellAt(row, table.columns[ordinal]);
  if (table.kind === 'p5-deals') {
    // A closed position has its close time where a deal without a fee has its commission.
    if (isSide(at(3)) && isReportTime(at(8))) return 'p5-positions';
    return dealTypeOf(at(3)) ? 'p5-deals' : undefined;
  }
  if (table.kind === 'p5-positions') return isSide(at(3)) ? 'p5-positions' : undefined;
  if (table.kind === 'p5-open' && isReportTime(at(2))) return 'p5-trade';
  // Positions had no numbers of their own in 2011: time or symbol, then the side.
  if (table.kind === 'p5-orders' && (isSide(at(1)) || isSide(at(2)))) return 'p5-open';
  return table.kind;
}

const HEADINGS_MIN = 9;

function tableOf(row: Row, filled: string[]): ReportTable | undefined {
  if (filled.length < HEADINGS_MIN) return undefined;
  if (filled.some((cell) => /^[-+]?\d/.test(cell) || /[:：]$/.test(cell) || cell.length > 60))
    return undefined;
  const kind = kindOf(filled);
  if (!kind) return undefined;
  const columns = row.cells.flatMap((cell, column) => (cell === '' ? [] : [column]));
  return { kind, headings: filled, columns, line: row.line, rows: [] };
}

function kindOf(headings: string[]): TableKind | undefined {
  const same = (a: number, b: number) => headings[a] === headings[b];
  switch (headings.length) {
    case 9:
      return 'p4-working';
    case 10:
      return /^\W$/.test(headings[0] ?? '') || headings[0] === '№' ? 'p4-tester' : 'p5-orders';
    case 11:
      return 'p5-orders';
    case 12:
      // p4's open trades of builds without taxes, else p5's open positions.
      return same(5, 8) ? 'p4-open' : 'p5-open';
    default:
      if (headings.length > 15) return undefined;
      if (same(0, 8) && same(5, 9)) return 'p5-positions';
      if (same(5, 8)) return 'p4-open';
      return same(5, 9) ? 'p4-closed' : 'p5-deals';
  }
}

/** The decimal mark of a table: that of the first column of numbers that decides. */
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
