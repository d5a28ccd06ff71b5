import { type BrokerTimeMs, DAY_MS } from '../broker-time.ts';

/** How long and how busily an account has traded. */
export type Activity = {
  firstTradeTimeMs?: BrokerTimeMs | undefined;
  lastTradeTimeMs?: BrokerTimeMs | undefined;
  /** Whole days since the first position opened. */
  daysSinceFirstTrade?: number | undefined;
  /** Closed positions per begun day since then. */
  tradesPerDay?: number | undefined;
};

/** @param firstOpenMs when the first position opened that is closed; absent without any */
export function activityOf(
  {
    firstOpenMs,
    lastCloseMs,
  }: { firstOpenMs?: number | undefined; lastCloseMs?: number | undefined },
  trades: number,
  nowMs: BrokerTimeMs,
): Activity {
  if (firstOpenMs === undefined) return {};
  const days = Math.max(0, Math.floor((nowMs - firstOpenMs) / DAY_MS));
  return {
    firstTradeTimeMs: firstOpenMs,
    lastTradeTimeMs: lastCloseMs,
    daysSinceFirstTrade: days,
    tradesPerDay: trades / (days + 1),
  };
}
