import { type BrokerTimeMs, DAY_MS } from '../broker-time.ts';

/** How long and how busily an account has traded, as of a moment. */
export type TradingPace = {
  /** Whole days since the first position opened. */
  daysSinceFirstTrade?: number | undefined;
  /** Closed positions per day since then; part of a day counts as a whole one. */
  tradesPerDay?: number | undefined;
};

/** @param firstTradeTimeMs the earliest opening of a closed position; absent without any */
export function tradingPaceOf(
  { firstTradeTimeMs, trades }: { firstTradeTimeMs?: BrokerTimeMs | undefined; trades: number },
  nowMs: BrokerTimeMs,
): TradingPace {
  if (firstTradeTimeMs === undefined) return {};
  const days = Math.max(0, Math.floor((nowMs - firstTradeTimeMs) / DAY_MS));
  return { daysSinceFirstTrade: days, tradesPerDay: trades / (days + 1) };
}
