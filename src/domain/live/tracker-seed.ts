import { HOUR_MS } from '../broker-time.ts';
import { isCredit, isTradeDeal } from '../deal.ts';
import { runningBucket } from './equity-bucket.ts';
import { foldDeals } from './fold-deals.ts';
import { foldSnapshot } from './fold-snapshot.ts';
import { BALANCE, LAST_TIME_MS, LAST_UTC_MS, LiveAccount } from './live-account.ts';
import { type EquityBucket, FoldEffects, type LiveDeal } from './live-records.ts';
import { type LiveTracker, MEASURABLE_FROM_UTC_MS } from './live-tracker.ts';
import { addTracker } from './tracker-changes.ts';
import type { TrackerDefinition } from './tracker-definition.ts';
import type { TrackerRules } from './tracker-rule.ts';

/** All that is stored of an account since a tracker's start, ascending by time. */
export type AccountHistory = { buckets: readonly EquityBucket[]; deals: readonly LiveDeal[] };

/**
 * Adds a tracker whose start may lie in the past, and rebuilds its periods from stored hours and
 * deals; completed periods and events go to `effects`. The initial balance is the balance now less
 * the money of all deals since the start. What an hour tells:
 * - start, minimum, maximum and last equity are exact, but not their times within the hour;
 * - for a trailing equity peak the minimum is taken as before the maximum: a drawdown from a peak
 *   of the same hour is missed rather than made up;
 * - in an hour with deposits, withdrawals or other money that is not of trades, minimum and maximum
 *   can lie on either side of it, so only start and last count;
 * - the hour in which the tracker starts counts only if it starts with it.
 */
export function addSeededTracker(
  account: LiveAccount,
  definition: TrackerDefinition,
  rules: TrackerRules,
  history: AccountHistory,
  effects: FoldEffects,
): LiveTracker {
  const tracker = addTracker(account, definition, rules);
  const { startTimeMs } = definition;
  const { lastTimeMs, lastUtcMs, balance } = account;
  if (startTimeMs === undefined || lastTimeMs === undefined || lastUtcMs === undefined) {
    return tracker;
  }
  if (startTimeMs > lastTimeMs || balance === undefined) return tracker;
  const deals = history.deals.filter(({ timeMs }) => timeMs >= startTimeMs && timeMs <= lastTimeMs);
  const past = new LiveAccount(account.id, account.clock);
  past.trackers.push(tracker);
  past.numbers[LAST_TIME_MS] = startTimeMs - 1;
  past.numbers[LAST_UTC_MS] = account.clock.utcOf(startTimeMs, Number.NaN) - 1;
  past.numbers[BALANCE] = balance - bookedMoney(deals);
  const replayed = new FoldEffects();
  replay(past, hoursSince(account, history.buckets, startTimeMs), deals, lastTimeMs, replayed);
  effects.completedPeriods.push(...replayed.completedPeriods);
  effects.events.push(...replayed.events);
  tracker.numbers[MEASURABLE_FROM_UTC_MS] = lastUtcMs + 1;
  return tracker;
}

function hoursSince(account: LiveAccount, stored: readonly EquityBucket[], startTimeMs: number) {
  const running = runningBucket(account);
  const closed = stored.filter((hour) => hour.startTimeMs !== running?.startTimeMs);
  const hours = running ? [...closed, running] : closed;
  return hours.filter((hour) => hour.startTimeMs >= startTimeMs);
}

function replay(
  past: LiveAccount,
  hours: readonly EquityBucket[],
  deals: readonly LiveDeal[],
  lastTimeMs: number,
  effects: FoldEffects,
): void {
  let next = 0;
  const foldDealsBefore = (untilMs: number): LiveDeal[] => {
    const from = next;
    while ((deals[next]?.timeMs ?? Infinity) < untilMs) next += 1;
    const due = deals.slice(from, next);
    foldDeals(past, due, Infinity, effects);
    return due;
  };
  for (const hour of hours) {
    const { startTimeMs, startBalance, startEquity, minEquity, maxEquity } = hour;
    const observe = (timeMs: number, balance: number, equity: number) =>
      foldSnapshot(past, timeMs, balance, equity, [], Infinity, effects);
    foldDealsBefore(startTimeMs);
    observe(startTimeMs, startBalance, startEquity);
    const endMs = startTimeMs + HOUR_MS;
    const hasFunds = deals.some(
      (deal) => deal.timeMs >= startTimeMs && deal.timeMs < endMs && !isTradeDeal(deal),
    );
    if (!hasFunds) {
      observe(startTimeMs, startBalance, minEquity);
      observe(startTimeMs, startBalance, maxEquity);
    }
    foldDealsBefore(endMs);
    observe(Math.min(endMs - 1, lastTimeMs), hour.lastBalance, hour.lastEquity);
  }
  foldDealsBefore(Infinity);
}

const bookedMoney = (deals: readonly LiveDeal[]): number =>
  deals.reduce((sum, deal) => (isCredit(deal) ? sum : sum + deal.money), 0);
