import { type BrokerTimeMs, DAY_MS } from '../broker-time.ts';
import type { Trade } from '../trade.ts';

/** How long and how busily an account has traded. */
export type Activity = {
  firstTradeTimeMs?: BrokerTimeMs | undefined;
  lastTradeTimeMs?: BrokerTimeMs | undefined;
  /** Whole days since the first position opened. */
  daysSinceFirstTrade?: number | undefined;
  /** Closed positions per begun day since then. */
  tradesPerDay?: number | undefined;
};

export function activityOf(trades: readonly Trade[], nowMs: BrokerTimeMs): Activity {
  if (trades.length === 0) return {};
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const trade of trades) {
    first = Math.min(first, trade.openTimeMs);
    last = Math.max(last, trade.closeTimeMs);
  }
  const days = Math.max(0, Math.floor((nowMs - first) / DAY_MS));
  return {
    firstTradeTimeMs: first,
    lastTradeTimeMs: last,
    daysSinceFirstTrade: days,
    tradesPerDay: trades.length / (days + 1),
  };
}
