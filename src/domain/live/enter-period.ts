import type { BrokerTimeMs } from '../broker-time.ts';
import { aheadOf, NO_MONEY } from './ahead-deals.ts';
import type { LiveAccount } from './live-account.ts';
import type { FoldEffects } from './live-records.ts';
import { isMeasuring, type LiveTracker, NOT_EXCEEDED } from './live-tracker.ts';
import { raiseBaseline, startBaseline } from './tracker-baseline.ts';
import { nextMidnightUtc, periodOf } from './tracker-period.ts';
import { isRunning, periodStatistics } from './tracker-records.ts';

/** Puts a new tracker before its first period. */
export function awaitStart(tracker: LiveTracker, account: LiveAccount): void {
  const { startTimeMs } = tracker;
  tracker.periodStartUtcMs = Number.POSITIVE_INFINITY;
  tracker.periodEndUtcMs = Number.isNaN(startTimeMs)
    ? Number.NEGATIVE_INFINITY
    : account.clock.utcOf(startTimeMs, Number.NaN);
  tracker.exceeded = NOT_EXCEEDED;
  tracker.suspendedUntilUtcMs = Number.NEGATIVE_INFINITY;
  tracker.nextDayUtcMs = Number.POSITIVE_INFINITY;
}

/** Passes the ends of the period and of the day if a moment has reached them. */
export function reach(
  account: LiveAccount,
  tracker: LiveTracker,
  timeMs: BrokerTimeMs,
  utcMs: number,
  effects: FoldEffects,
): void {
  if (utcMs >= tracker.periodEndUtcMs) enterPeriod(account, tracker, timeMs, utcMs, effects);
  if (utcMs >= tracker.nextDayUtcMs) passDayEnd(account, tracker, utcMs);
}

/**
 * Completes the running period, if there is one, and enters the period of a moment. It starts with
 * the last known balance and equity plus the money of all deals since; if none is known, the first
 * snapshot of the period will give them.
 */
function enterPeriod(
  account: LiveAccount,
  tracker: LiveTracker,
  timeMs: BrokerTimeMs,
  utcMs: number,
  effects: FoldEffects,
): void {
  const { rule } = tracker;
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
  tracker.periodStartMs = period.startMs;
  tracker.periodEndMs = period.endMs;
  clearMeasures(tracker);
  if (rule.baseline === 'peakEndOfDayBalance') {
    tracker.nextDayUtcMs = nextMidnightUtc(rule.resetClock ?? account.clock, utcMs);
  }
  const lastUtcMs = account.lastUtcMs;
  // A tracker that was added after a deal may meet a snapshot from before the deal.
  const ahead = account.ahead.length === 0 ? NO_MONEY : aheadOf(account, tracker, utcMs);
  tracker.adjustment = ahead.adjusted.money;
  tracker.creditAdjustment = ahead.adjusted.credit;
  const initialBalance = account.balance + account.newerMoney - ahead.booked;
  tracker.initialBalance = initialBalance;
  tracker.basisUtcMs = lastUtcMs;
  tracker.measurableFromUtcMs = lastUtcMs >= period.startUtcMs ? lastUtcMs + 1 : period.startUtcMs;
  const startEquity = account.equity + account.newerFunds - ahead.funds;
  startBaseline(tracker, initialBalance, startEquity);
}

/** The balance just before a day's end may be a new peak. */
function passDayEnd(account: LiveAccount, tracker: LiveTracker, utcMs: number): void {
  const { rule } = tracker;
  tracker.nextDayUtcMs = nextMidnightUtc(rule.resetClock ?? account.clock, utcMs);
  if (!isMeasuring(tracker, utcMs)) return;
  const balanceAdjustment = tracker.adjustment - tracker.creditAdjustment;
  const balance = account.balance + account.newerMoney;
  raiseBaseline(tracker, balance - balanceAdjustment);
}

function clearMeasures(tracker: LiveTracker): void {
  tracker.maxDrawdown = 0;
  tracker.maxDrawdownTimeMs = Number.NaN;
  tracker.maxRelativeDrawdown = 0;
  tracker.maxProfit = 0;
  tracker.maxProfitTimeMs = Number.NaN;
  tracker.exceeded = NOT_EXCEEDED;
  tracker.warned = 0;
  tracker.tradeDayCount = 0;
  tracker.lastTradeDay = Number.NaN;
  tracker.tradeDaysBefore = 0;
  tracker.nextDayUtcMs = Number.POSITIVE_INFINITY;
}

function endUtcOf(account: LiveAccount, { endTimeMs }: LiveTracker): number {
  if (endTimeMs === Number.POSITIVE_INFINITY) return endTimeMs;
  return account.clock.utcOf(endTimeMs + 1, Number.NaN);
}
