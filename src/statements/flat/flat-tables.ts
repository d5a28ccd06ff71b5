import { parseNumber } from '../numbers.ts';
import { type Row, type RowSink, rowText } from '../rows.ts';
import { findColumns, knownHeadings } from './columns.ts';
import { type FlatTable, isOrderList, tableKindOf } from './flat-table.ts';
import { createMappings, type TableMapping } from './mappings.ts';

export type FlatTables = {
  tables: FlatTable[];
  rows: number;
  /** The first row with any content. */
  first?: { line: number; text: string } | undefined;
  /** The headings of a list of orders. */
  orders?: { line: number; text: string } | undefined;
  /** Headings of no known kind, and rows of numbers below them. */
  unknown?: Pick<FlatTable, 'columns' | 'line' | 'rows'> | undefined;
};

/** A row of headings has at least this many known ones. */
const KNOWN_MIN = 3;
/** Cells that look like data: headings have few numbers. */
const NUMBERS_MAX = 2;
const TEXT_MAX = 300;

/**
 * Finds flat tables among rows: a row of known headings opens one, wherever it is, so that titles
 * above it and several tables or sheets in succession do no harm.
 */
export function createFlatTables(
  mappings: readonly TableMapping[] = [],
): RowSink & { result(): FlatTables } {
  const result: FlatTables = { tables: [], rows: 0 };
  const mappedColumns = createMappings(mappings);
  const unknown = createUnknownTable();
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
      const mapped = isHeading ? mappedColumns(row.cells) : undefined;
      const mappedKind = mapped && tableKindOf(mapped);
      if (mapped && mappedKind) {
        table = { kind: mappedKind, columns: mapped, line: row.line, rows: [], usesComma };
        result.tables.push(table);
        return;
      }
      if (isHeading && knownHeadings(row.cells) >= KNOWN_MIN) {
        const columns = findColumns(row.cells);
        const kind = tableKindOf(columns);
        if (!kind && isOrderList(columns)) result.orders ??= place;
        table = kind && { kind, columns, line: row.line, rows: [], usesComma };
        if (table) result.tables.push(table);
        if (table || !kind) return;
      }
      // A text alone in its row is the title of the following rows.
      if (filled === 1 && row.cells.length <= 1) table = undefined;
      table?.rows.push(row);
      if (result.tables.length === 0) unknown.row(row, filled);
    },
    sheet() {
      table = undefined;
    },
    result: () => ({ ...result, unknown: unknown.found() }),
  };
}

const hasFewNumbers = ({ cells }: Row): boolean =>
  cells.filter((cell) => parseNumber(cell, 'point') !== undefined).length <= NUMBERS_MAX;

/** Rows that show the contents of an unknown table. */
const UNKNOWN_ROWS = 5;

/** The first row of texts that has rows with numbers below it. */
function createUnknownTable() {
  let headings: Row | undefined;
  const rows: Row[] = [];
  return {
    row(row: Row, filled: number): void {
      if (rows.length === UNKNOWN_ROWS) return;
      const numbers = row.cells.filter((cell) => /^[-+$€£(]?\d/.test(cell)).length;
      if (filled >= KNOWN_MIN && numbers > 0 && headings) rows.push(row);
      else if (rows.length === 0) headings = filled >= KNOWN_MIN && numbers === 0 ? row : undefined;
    },
    found: (): FlatTables['unknown'] =>
      headings && rows.length > 0
        ? { columns: findColumns(headings.cells), line: headings.line, rows }
        : undefined,
  };
}
