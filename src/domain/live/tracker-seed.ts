import { HOUR_MS } from '../broker-time.ts';
import { isCredit } from '../deal.ts';
import type { Money } from '../money.ts';
import { runningBucket } from './equity-bucket.ts';
import { foldDeals } from './fold-deals.ts';
import { foldSnapshot } from './fold-snapshot.ts';
import { LiveAccount } from './live-account.ts';
import { type EquityBucket, FoldEffects, type LiveDeal } from './live-records.ts';
import type { LiveTracker } from './live-tracker.ts';
import { addTracker } from './tracker-changes.ts';
import type { TrackerDefinition } from './tracker-definition.ts';
import type { TrackerRules } from './tracker-rule.ts';

/** All that is stored of an account since a tracker's start, ascending by time. */
export type AccountHistory = { buckets: readonly EquityBucket[]; deals: readonly LiveDeal[] };

/**
 * Adds a tracker whose start may lie in the past, and rebuilds its periods from stored hours and
 * deals; completed periods and events go to `effects`. What an hour tells:
 * - start, minimum, maximum and last equity are exact, but not their times within the hour: start,
 *   minimum and maximum are taken as of its beginning, in that order, the last as of its end;
 * - for a trailing equity peak a drawdown from a peak of the same hour is therefore missed rather
 *   than made up;
 * - in an hour with deals that the tracker adjusts, and in one that the end of a period divides,
 *   minimum and maximum can lie on either side: only start and last count;
 * - a minimum or maximum can be the value held from the hour before: where that belongs to another
 *   period it does not count, nor do those of the tracker's first hour;
 * - the hour in which the tracker starts counts only if it starts with it.
 * Each deal belongs before, into or after the snapshots of its hour by the balances it explains.
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
  const { lastTimeMs, lastUtcMs } = account;
  // Without snapshots the last one's time is NaN.
  if (startTimeMs === undefined || !(startTimeMs <= lastTimeMs)) return tracker;
  const deals = history.deals.filter(({ timeMs }) => timeMs >= startTimeMs);
  const hours = hoursSince(account, history.buckets, startTimeMs);
  const past = new LiveAccount(account.id, account.clock);
  past.attach(tracker);
  past.lastTimeMs = startTimeMs - 1;
  past.lastUtcMs = account.clock.utcOf(startTimeMs, Number.NaN) - 1;
  past.balance = balanceAtStart(account, hours[0], deals);
  const replayed = new FoldEffects();
  replay(past, tracker, account, { buckets: hours, deals }, replayed);
  effects.completedPeriods.push(...replayed.completedPeriods);
  effects.events.push(...replayed.events);
  tracker.measurableFromUtcMs = lastUtcMs + 1;
  return tracker;
}

function hoursSince(account: LiveAccount, stored: readonly EquityBucket[], startTimeMs: number) {
  const running = runningBucket(account);
  const closed = stored.filter((hour) => hour.startTimeMs !== running?.startTimeMs);
  const hours = running ? [...closed, running] : closed;
  return hours.filter((hour) => hour.startTimeMs >= startTimeMs);
}

/**
 * The balance now less the money of all deals since the start. Where that does not lead to the
 * first balance that was seen (not all deals are known), that one less the deals before its hour.
 */
function balanceAtStart(
  account: LiveAccount,
  firstHour: EquityBucket | undefined,
  deals: readonly LiveDeal[],
): Money {
  const start = account.balance + account.newerMoney - bookedMoney(deals);
  if (!firstHour) return start;
  const { startTimeMs, startBalance } = firstHour;
  const earlier = deals.filter(({ timeMs }) => timeMs < startTimeMs);
  const own = deals.filter(({ timeMs }) => timeMs >= startTimeMs && timeMs < startTimeMs + HOUR_MS);
  const atHour = start + bookedMoney(earlier);
  const leads = explaining(own, startBalance - atHour) !== undefined;
  return leads ? start : startBalance - bookedMoney(earlier);
}

/** Folds the hours with the deals, and last the account's newest snapshot. */
function replay(
  past: LiveAccount,
  tracker: LiveTracker,
  now: LiveAccount,
  { buckets: hours, deals }: AccountHistory,
  effects: FoldEffects,
): void {
  const { rule } = tracker;
  const left = [...deals];
  const take = (count: number): LiveDeal[] => left.splice(0, count);
  const dueBefore = (untilMs: number) => left.filter(({ timeMs }) => timeMs < untilMs);
  const see = (timeMs: number, balance: Money, equity: Money, own: readonly LiveDeal[] = []) =>
    foldSnapshot(past, timeMs, balance, equity, own, Infinity, effects);
  const newestMs = now.lastTimeMs;
  for (const hour of hours) {
    const { startTimeMs, startBalance, startEquity, lastBalance, lastEquity } = hour;
    const endMs = startTimeMs + HOUR_MS;
    const lastMs = Math.min(endMs - 1, newestMs);
    const heldEquity = past.equity;
    const periodEndUtcMs = tracker.periodEndUtcMs;
    const earlier = take(dueBefore(startTimeMs).length);
    foldDeals(past, earlier, Infinity, effects);
    const knownBalance = past.balance + past.newerMoney;
    const head = take(explaining(dueBefore(endMs), startBalance - knownBalance)?.[0] ?? 0);
    see(startTimeMs, startBalance, startEquity, head);
    const due = dueBefore(newestMs < endMs ? Infinity : endMs);
    const inHour = explaining(due, lastBalance - startBalance)?.[1];
    const own = take(inHour ?? dueBefore(lastMs + 1).length);
    const isAdjusted = [earlier, head, own]
      .flat()
      .some(({ type }) => rule.adjustDeals.includes(type));
    const isDivided = tracker.periodEndUtcMs <= past.clock.utcOf(lastMs, past.lastUtcMs);
    if (!isAdjusted && !isDivided && !Number.isNaN(heldEquity)) {
      const isEntered = tracker.periodEndUtcMs !== periodEndUtcMs;
      const extremes = [hour.minEquity, hour.maxEquity];
      const counting = isEntered ? extremes.filter((equity) => equity !== heldEquity) : extremes;
      counting.forEach((equity, index) => {
        see(Math.min(startTimeMs + 1 + index, lastMs), startBalance, equity);
      });
    }
    see(lastMs, lastBalance, lastEquity, own);
  }
  const due = take(dueBefore(newestMs + 1).length);
  see(newestMs, now.balance, now.equity, due);
  foldDeals(past, left, Infinity, effects);
}

/**
 * The smallest and the largest number of deals, from the first on, whose money adds up to an
 * amount; undefined when none do.
 */
function explaining(deals: readonly LiveDeal[], amount: Money): [number, number] | undefined {
  const counts: number[] = [];
  let sum = 0;
  if (amount === 0) counts.push(0);
  deals.forEach((deal, index) => {
    sum += isCredit(deal) ? 0 : deal.money;
    if (sum === amount) counts.push(index + 1);
  });
  const [first] = counts;
  return first === undefined ? undefined : [first, counts.at(-1) ?? first];
}

const bookedMoney = (deals: readonly LiveDeal[]): Money =>
  deals.reduce((sum, deal) => (isCredit(deal) ? sum : sum + deal.money), 0);
