import { type BrokerTimeMs, HOUR_MS } from '../broker-time.ts';
import { isTradeDeal } from '../deal.ts';
import { foldDeals } from '../live/fold-deals.ts';
import { foldSnapshot } from '../live/fold-snapshot.ts';
import type { LiveAccount } from '../live/live-account.ts';
import type { EquityHour, FoldEffects, LiveDeal } from '../live/live-records.ts';
import type { Money } from '../money.ts';

/** Nothing that is replayed is too far ahead of its receipt. */
const NEVER_AHEAD = Number.POSITIVE_INFINITY;

/**
 * Folds a stored hour into an account as the snapshots that it has: the first, the lowest, the
 * highest and the last, with its deals in between. The order of the extremes is not known: the
 * lowest is taken to come first, so that no loss is made up from a peak of the same hour, and both
 * are left out if there are deals other than trades. `lastTimeMs` is the last moment that was seen.
 */
export function replayHour(
  account: LiveAccount,
  hour: EquityHour,
  deals: readonly LiveDeal[],
  lastTimeMs: BrokerTimeMs,
  effects: FoldEffects,
): void {
  const { startTimeMs, startBalance, startEquity, lastBalance, lastEquity } = hour;
  const endTimeMs = Math.min(startTimeMs + HOUR_MS - 1, lastTimeMs);
  const see = (timeMs: BrokerTimeMs, balance: Money, equity: Money): void => {
    foldSnapshot(account, timeMs, balance, equity, [], NEVER_AHEAD, effects);
  };
  const hasExtremes = deals.every(isTradeDeal) && endTimeMs > startTimeMs + 2;
  see(startTimeMs, startBalance, startEquity);
  if (hasExtremes) see(startTimeMs + 1, startBalance, hour.minEquity);
  foldDeals(account, deals, NEVER_AHEAD, effects);
  if (hasExtremes) see(endTimeMs - 1, lastBalance, hour.maxEquity);
  see(endTimeMs, lastBalance, lastEquity);
}
