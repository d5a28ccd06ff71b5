import { CSV_MARK, csvLine, csvStyleOf } from '../../../../src/contract/csv.ts';
import type { HistoricalTrade } from '../../../../src/contract/operations/historical-trades.ts';

const COLUMNS = [
  ...(['positionId', 'type', 'symbol', 'volume', 'openTime', 'openPrice', 'closeTime'] as const),
  ...(['closePrice', 'stopLoss', 'takeProfit', 'durationInMinutes', 'pips', 'gain'] as const),
  ...(['profit', 'success', 'magic', 'comment'] as const),
] satisfies readonly (keyof HistoricalTrade)[];

/** A file that opens in a spreadsheet of the language. */
export function tradesToCsv(trades: readonly HistoricalTrade[], language: string): string {
  const style = csvStyleOf(language);
  const rows = trades.map((trade) =>
    csvLine(
      COLUMNS.map((column) => trade[column]),
      style,
    ),
  );
  return [CSV_MARK, csvLine(COLUMNS, style), ...rows].join('');
}
