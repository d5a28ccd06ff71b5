import type { BrokerTimeMs } from '../broker-time.ts';
import { isCredit } from '../deal.ts';
import type { Money } from '../money.ts';
import type { FoldEffects } from './fold-effects.ts';
import { bookedBy, fundsOf, isBefore, sumBefore } from './known-deals.ts';
import type { LiveAccount } from './live-account.ts';
import { isMeasuring, type LiveTracker, NOT_EXCEEDED } from './live-tracker.ts';
import { adjustmentBy, raisePeak, startBaseline } from './tracker-baseline.ts';
import { nextMidnightUtc, periodOf } from './tracker-period.ts';
import { isRunning, periodStatistics } from './tracker-records.ts';

/** A moment, and how many of the account's waiting deals the reading being folded includes. */
export type Moment = { timeMs: BrokerTimeMs; utcMs: number; included: number };

/** Puts a new tracker before its first period. */
export function awaitStart(tracker: LiveTracker, account: LiveAccount): void {
  const { startTimeMs } = tracker;
  tracker.periodStartUtcMs = Number.POSITIVE_INFINITY;
  tracker.periodEndUtcMs = Number.isNaN(startTimeMs)
    ? Number.NEGATIVE_INFINITY
    : account.clock.utcOf(startTimeMs, Number.NaN);
  tracker.exceeded = NOT_EXCEEDED;
  tracker.breaches = 0;
  tracker.suspendedUntilUtcMs = Number.NEGATIVE_INFINITY;
  tracker.nextDayUtcMs = Number.POSITIVE_INFINITY;
}

/** Passes the ends of the period and of the day if a moment has reached them. */
export function reach(
  account: LiveAccount,
  tracker: LiveTracker,
  moment: Moment,
  effects: FoldEffects,
): void {
  if (moment.utcMs >= tracker.periodEndUtcMs) enterPeriod(account, tracker, moment, effects);
  if (moment.utcMs >= tracker.nextDayUtcMs) passDayEnd(account, tracker, moment);
}

/** Completes the running period, if there is one, and enters the period of a moment. */
function enterPeriod(
  account: LiveAccount,
  tracker: LiveTracker,
  moment: Moment,
  effects: FoldEffects,
): void {
  const { rule } = tracker;
  const { timeMs, utcMs } = moment;
  if (isRunning(tracker)) {
    effects.completedPeriods.push(periodStatistics(account, tracker, 'completed'));
  }
  if (utcMs >= endUtcOf(account, tracker)) {
    tracker.periodStartUtcMs = Number.POSITIVE_INFINITY;
    tracker.periodEndUtcMs = Number.POSITIVE_INFINITY;
    return;
  }
  const period = periodOf(tracker, account.clock, timeMs, utcMs);
  tracker.periodStartUtcMs = period.startUtcMs;
  tracker.periodEndUtcMs = period.endUtcMs;
  tracker.periodStartMs = account.knownStarts?.get(tracker.id) ?? period.startMs;
  tracker.periodLastMs = period.lastMs;
  startMeasuring(account, tracker, moment);
  if (rule.baseline === 'peakEndOfDayBalance') {
    tracker.nextDayUtcMs = nextMidnightUtc(rule.resetClock ?? account.clock, utcMs);
  }
}

/**
 * Ends the running period at a moment and begins another there, with the balance of that moment:
 * for the day on which a pause ends.
 */
export function restartPeriod(
  account: LiveAccount,
  tracker: LiveTracker,
  moment: Moment,
  effects: FoldEffects,
): void {
  if (!isRunning(tracker) || moment.utcMs >= tracker.periodEndUtcMs) return;
  const completed = periodStatistics(account, tracker, 'completed');
  effects.completedPeriods.push({
    ...completed,
    endTimeMs: account.clock.brokerTimeOf(moment.utcMs - 1),
  });
  tracker.periodStartUtcMs = moment.utcMs;
  tracker.periodStartMs = moment.timeMs;
  startMeasuring(account, tracker, moment);
}

/**
 * A period starts with the balance that the platform's ledger had at that moment: the last known
 * one and the deals timed before the start. Those of them that the next readings lack are owed:
 * they count as taken out until a reading includes them. If no balance is known, the first reading
 * of the period gives it.
 */
function startMeasuring(account: LiveAccount, tracker: LiveTracker, { included }: Moment): void {
  const { waitingDeals, lastUtcMs } = account;
  const startUtcMs = tracker.periodStartUtcMs;
  clearMeasures(tracker);
  tracker.adjustment = 0;
  tracker.creditAdjustment = 0;
  tracker.initialBalance = account.balance + sumBefore(waitingDeals, startUtcMs, bookedBy);
  const startEquity = account.equity + sumBefore(waitingDeals, startUtcMs, fundsOf);
  for (const deal of waitingDeals.slice(included)) {
    if (!isBefore(deal, startUtcMs)) continue;
    tracker.adjustment -= fundsOf(deal);
    if (isCredit(deal)) tracker.creditAdjustment -= deal.money;
  }
  tracker.basisUtcMs = lastUtcMs;
  tracker.measurableFromUtcMs = lastUtcMs >= startUtcMs ? lastUtcMs + 1 : startUtcMs;
  startBaseline(tracker, tracker.initialBalance, startEquity);
}

/** The balance just before a day's end may be a new peak: that of the platform's ledger. */
function passDayEnd(account: LiveAccount, tracker: LiveTracker, { utcMs, included }: Moment): void {
  const { rule, nextDayUtcMs } = tracker;
  const { waitingDeals } = account;
  tracker.nextDayUtcMs = nextMidnightUtc(rule.resetClock ?? account.clock, utcMs);
  if (!isMeasuring(tracker, utcMs)) return;
  const booked = sumBefore(waitingDeals, nextDayUtcMs, bookedBy);
  const adjusted = sumBefore(
    waitingDeals.slice(included),
    nextDayUtcMs,
    (deal): Money => (isCredit(deal) ? 0 : adjustmentBy(tracker, deal)),
  );
  const taken = tracker.adjustment - tracker.creditAdjustment + adjusted;
  raisePeak(tracker, account.balance + booked - taken);
}

function clearMeasures(tracker: LiveTracker): void {
  tracker.maxDrawdown = 0;
  tracker.maxDrawdownTimeMs = Number.NaN;
  tracker.maxRelativeDrawdown = 0;
  tracker.maxProfit = 0;
  tracker.maxProfitTimeMs = Number.NaN;
  tracker.exceeded = NOT_EXCEEDED;
  tracker.warned = 0;
  tracker.round = 0;
  tracker.revisionCount = 0;
  tracker.tradeDayCount = 0;
  tracker.lastTradeDay = Number.NaN;
  tracker.tradeDaysBefore = 0;
  tracker.unexplained = 0;
  tracker.waitingSinceUtcMs = Number.NaN;
  tracker.nextDayUtcMs = Number.POSITIVE_INFINITY;
}

function endUtcOf(account: LiveAccount, { endTimeMs }: LiveTracker): number {
  if (endTimeMs === Number.POSITIVE_INFINITY) return endTimeMs;
  return account.clock.utcOf(endTimeMs + 1, Number.NaN);
}
