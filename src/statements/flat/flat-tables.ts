import { parseNumber } from '../numbers.ts';
import { type Row, type RowSink, rowText } from '../rows.ts';
import { findColumns, knownHeadings } from './columns.ts';
import { type FlatTable, isOrderList, tableKindOf } from './flat-table.ts';

export type FlatTables = {
  tables: FlatTable[];
  rows: number;
  /** The first row that has something in it. */
  first?: { line: number; text: string } | undefined;
  /** The headings of a list of orders. */
  orders?: { line: number; text: string } | undefined;
};

/** A row of headings has at least so many that are known. */
const KNOWN_MIN = 3;
/** Cells that look like data: headings have few numbers. */
const NUMBERS_MAX = 2;
const TEXT_MAX = 300;

/**
 * Finds flat tables among rows: a row of known headings opens one, wherever it stands, so that
 * titles above it and several tables or sheets in a row do no harm.
 */
export function createFlatTables(): RowSink & { result(): FlatTables } {
  const result: FlatTables = { tables: [], rows: 0 };
  let table: FlatTable | undefined;
  let usesComma = false;
  return {
    delimiter(mark) {
      usesComma = mark !== ',';
    },
    row(row) {
      result.rows += 1;
      const filled = row.cells.filter((cell) => cell !== '').length;
      if (filled === 0) return;
      const place = { line: row.line, text: rowText(row).slice(0, TEXT_MAX) };
      result.first ??= place;
      const isHeading = filled >= KNOWN_MIN && hasFewNumbers(row);
      if (isHeading && knownHeadings(row.cells) >= KNOWN_MIN) {
        const columns = findColumns(row.cells);
        const kind = tableKindOf(columns);
        if (!kind && isOrderList(columns)) result.orders ??= place;
        table = kind && { kind, columns, line: row.line, rows: [], usesComma };
        if (table) result.tables.push(table);
        if (table || !kind) return;
      }
      // A text alone in its row is the title of what follows.
      if (filled === 1 && row.cells.length <= 1) table = undefined;
      table?.rows.push(row);
    },
    sheet() {
      table = undefined;
    },
    result: () => result,
  };
}

const hasFewNumbers = ({ cells }: Row): boolean =>
  cells.filter((cell) => parseNumber(cell, 'point') !== undefined).length <= NUMBERS_MAX;
