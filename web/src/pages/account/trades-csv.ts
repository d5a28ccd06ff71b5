import { CSV_MARK, csvLine, csvStyleOf } from '../../../../src/contract/csv.ts';
import type { HistoricalTrade } from '../../../../src/contract/operations/historical-trades.ts';
import { TRADE_COLUMNS } from '../../../../src/contract/trade-file.ts';

/** A file that opens in a spreadsheet of the language. */
export function tradesToCsv(trades: readonly HistoricalTrade[], language: string): string {
  const style = csvStyleOf(language);
  const rows = trades.map((trade) =>
    csvLine(
      TRADE_COLUMNS.map((column) => trade[column]),
      style,
    ),
  );
  return [CSV_MARK, csvLine(TRADE_COLUMNS, style), ...rows].join('');
}
