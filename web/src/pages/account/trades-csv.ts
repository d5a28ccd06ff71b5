import type { HistoricalTrade } from '../../../../src/contract/operations/historical-trades.ts';

const COLUMNS = [
  'positionId',
  'type',
  'symbol',
  'volume',
  'openTime',
  'openPrice',
  'closeTime',
  'closePrice',
  'durationInMinutes',
  'pips',
  'gain',
  'profit',
  'success',
  'comment',
] as const satisfies readonly (keyof HistoricalTrade)[];

/**
 * RFC 4180, all texts in quotes: some spreadsheets also split at semicolons. Text that one would
 * take for a formula is led by an apostrophe.
 */
export function tradesToCsv(trades: readonly HistoricalTrade[]): string {
  const rows = trades.map((trade) => COLUMNS.map((column) => cellOf(trade[column])).join(','));
  return [COLUMNS.join(','), ...rows, ''].join('\r\n');
}

function cellOf(value: string | number | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return `"${safe.replaceAll('"', '""')}"`;
}
