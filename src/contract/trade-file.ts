import type { HistoricalTrade } from './operations/historical-trades.ts';

/** The columns of a file of trades. */
export const TRADE_COLUMNS = [
  ...(['positionId', 'type', 'symbol', 'volume', 'openTime', 'openPrice', 'closeTime'] as const),
  ...(['closePrice', 'stopLoss', 'takeProfit', 'durationInMinutes', 'pips', 'gain'] as const),
  ...(['riskInBalancePercent', 'profit', 'success', 'magic', 'comment'] as const),
] satisfies readonly (keyof HistoricalTrade)[];
