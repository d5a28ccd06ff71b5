import { readClosedTrades } from './closed-trades-csv.ts';
import { type ColumnName, type Columns, findColumns } from './csv-columns.ts';
import { type CsvFile, readCsvRows } from './csv-rows.ts';
import { readDealsCsv } from './deals-csv.ts';
import { type NumberStyle, numberStyleOf } from './numbers.ts';
import type { Pace } from './pace.ts';
import { cellAt } from './rows.ts';
import type { Statement } from './statement.ts';
import { UnreadableStatement } from './unreadable-statement.ts';

export type CsvContext = {
  file: CsvFile;
  columns: Columns;
  style: NumberStyle;
  moneyDigits: number;
  pace: Pace;
};

const DEALS = 'a csv of deals (time, id, type, entry, symbol, volume, price, profit)';
const TRADES =
  'a csv of closed trades (open time, close time, type, symbol, volume, prices, profit)';

/** Tells a csv file by its headings and reads it. */
export async function readCsvStatement(
  bytes: Uint8Array,
  encoding: string,
  moneyDigits: number,
  pace: Pace,
): Promise<Statement> {
  const file = await readCsvRows(bytes, encoding, pace);
  const columns = findColumns(file.headings);
  const has = (...names: ColumnName[]) => names.every((name) => columns[name] !== undefined);
  const context = { file, columns, style: styleOf(file, columns), moneyDigits, pace };
  if (has('type', 'volume', 'profit', 'closeTime') && (has('openTime') || has('ticket')))
    return readClosedTrades(context);
  if (has('type', 'entry', 'volume', 'price', 'profit', 'time') && has('id'))
    return readDealsCsv(context);
  const headings = file.headings.slice(0, 20).join(', ').slice(0, 300);
  if (!has('profit') && has('type', 'volume') && (has('status') || has('order')))
    throw new UnreadableStatement(
      `${TRADES} or ${DEALS}`,
      `line 1 heads a list of orders (${headings}), and orders hold no results`,
    );
  throw new UnreadableStatement(`${TRADES} or ${DEALS}`, `line 1 reads: ${headings}`);
}

function styleOf(file: CsvFile, columns: Columns): NumberStyle {
  const names: ColumnName[] = ['profit', 'openPrice', 'price', 'volume', 'commission', 'swap'];
  for (const name of names) {
    const column = columns[name];
    if (column === undefined) continue;
    const style = numberStyleOf(file.rows.map((row) => cellAt(row, column)));
    if (style) return style;
  }
  return 'point';
}
