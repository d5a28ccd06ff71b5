import { type BrokerTimeMs, HOUR_MS } from '../broker-time.ts';
import { isCredit, isTradeDeal } from '../deal.ts';
import { foldDeals, NEVER_AHEAD } from '../live/fold-deals.ts';
import type { FoldEffects } from '../live/fold-effects.ts';
import { foldSnapshot } from '../live/fold-snapshot.ts';
import type { LiveAccount } from '../live/live-account.ts';
import type { EquityHour, LiveDeal } from '../live/live-records.ts';
import type { Money } from '../money.ts';

/**
 * Folds a stored hour into an account as up to four snapshots: the first, the lowest, the highest
 * and the last, with its deals in between. The order of the extremes is unknown: the lowest is
 * taken to come first, so that no loss is invented from a peak of the same hour, and both are left
 * out if there are deals other than trades. The balances tell which deals the first and the last
 * snapshot include. `lastTimeMs` is the last moment seen.
 */
export function replayHour(
  account: LiveAccount,
  hour: EquityHour,
  deals: readonly LiveDeal[],
  lastTimeMs: BrokerTimeMs,
  effects: FoldEffects,
): void {
  const { startBalance, startEquity, lastBalance, lastEquity } = hour;
  const endMs = Math.min(hour.startTimeMs + HOUR_MS - 1, lastTimeMs);
  const atStart = countLeadingTo(deals, startBalance - account.balance, 'first') ?? 0;
  const others = deals.slice(atStart);
  const atEnd = countLeadingTo(others, lastBalance - startBalance, 'last') ?? others.length;
  const startTimeMs = Math.min(endMs, deals[atStart - 1]?.timeMs ?? hour.startTimeMs);
  const endTimeMs = Math.max(
    startTimeMs,
    Math.min(endMs, (others[atEnd]?.timeMs ?? endMs + 1) - 1),
  );
  const see = (timeMs: BrokerTimeMs, balance: Money, equity: Money): void => {
    foldSnapshot(account, timeMs, balance, equity, [], NEVER_AHEAD, effects);
  };
  foldDeals(account, deals, NEVER_AHEAD, effects);
  const hasExtremes = deals.every(isTradeDeal) && endTimeMs > startTimeMs + 2;
  see(startTimeMs, startBalance, startEquity);
  if (hasExtremes) see(startTimeMs + 1, startBalance, hour.minEquity);
  if (hasExtremes) see(endTimeMs - 1, lastBalance, hour.maxEquity);
  see(endTimeMs, lastBalance, lastEquity);
}

/** How many of the first deals move the balance by an amount: the fewest or the most of them. */
function countLeadingTo(
  deals: readonly LiveDeal[],
  amount: Money,
  which: 'first' | 'last',
): number | undefined {
  let found: number | undefined;
  let left = amount;
  for (let count = 0; count <= deals.length; count += 1) {
    if (left === 0 && (which === 'last' || found === undefined)) found = count;
    const deal = deals[count];
    if (deal && !isCredit(deal)) left -= deal.money;
  }
  return found;
}
