import type { BrokerTimeMs } from '../broker-time.ts';
import type { Money } from '../money.ts';
import type { LiveAccount } from './live-account.ts';
import type { FoldEffects } from './live-records.ts';
import { type LiveTracker, NOT_EXCEEDED } from './live-tracker.ts';
import { nextMidnightUtc, periodOf } from './tracker-period.ts';
import { isRunning, periodStatistics, relativeBase } from './tracker-records.ts';
import { portionOf, type TrackerRule } from './tracker-rule.ts';

/** Longest time between two snapshots over which the first one's values count as held. */
export const MAX_HOLD_MS = 600_000;

/** Puts a new tracker before its first period. */
export function awaitStart(tracker: LiveTracker, account: LiveAccount): void {
  const { startTimeMs } = tracker;
  tracker.periodStartUtcMs = Number.POSITIVE_INFINITY;
  tracker.periodEndUtcMs = Number.isNaN(startTimeMs)
    ? Number.NEGATIVE_INFINITY
    : account.clock.utcOf(startTimeMs, Number.NaN);
  tracker.exceeded = NOT_EXCEEDED;
  tracker.nextDayUtcMs = Number.POSITIVE_INFINITY;
}

/**
 * Completes the running period, if there is one, and enters the period of a moment. Its initial
 * balance is the last known one with the money of all deals since; without any, the first snapshot
 * of the period will give it.
 */
export function enterPeriod(
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
  const initialBalance = account.balance + account.newerMoney;
  const isHeld = utcMs - lastUtcMs <= MAX_HOLD_MS;
  tracker.initialBalance = initialBalance;
  tracker.basisUtcMs = lastUtcMs;
  tracker.measurableFromUtcMs = lastUtcMs >= period.startUtcMs ? lastUtcMs + 1 : period.startUtcMs;
  startBaseline(tracker, initialBalance, isHeld ? account.equity + account.newerFunds : Number.NaN);
}

/** Starts measuring at a period's first snapshot, where what came before did not tell enough. */
export function startAtSnapshot(
  tracker: LiveTracker,
  utcMs: number,
  balance: Money,
  equity: Money,
): void {
  if (Number.isNaN(tracker.initialBalance)) {
    tracker.initialBalance = balance;
    tracker.basisUtcMs = utcMs;
  }
  tracker.measurableFromUtcMs = utcMs;
  startBaseline(tracker, tracker.initialBalance, equity - tracker.adjustment);
}

/** Moves a trailing baseline up to a new peak, though not above its cap. */
export function raiseBaseline(tracker: LiveTracker, peak: Money): void {
  const { rule } = tracker;
  const baseline = Math.min(peak, rule.baselineCap);
  if (!(baseline > tracker.baseline)) return;
  tracker.baseline = baseline;
  setDrawdownAllowed(tracker);
}

/** A deal from before the period became known only now. */
export function correctInitialBalance(tracker: LiveTracker, money: Money): void {
  const { rule } = tracker;
  tracker.initialBalance += money;
  const initialBalance = tracker.initialBalance;
  if (rule.baseline === 'startBalance') startBaseline(tracker, initialBalance, Number.NaN);
  else if (rule.trailing) raiseBaseline(tracker, initialBalance);
}

function startBaseline(tracker: LiveTracker, initialBalance: Money, startEquity: Money): void {
  const { rule } = tracker;
  const start = baselineAtStart(rule, initialBalance, startEquity);
  tracker.profitBaseline = start;
  tracker.baseline = Math.min(start, rule.baselineCap);
  tracker.profitAllowed = allowedOf(rule, start, rule.absoluteProfit, rule.relativeProfit);
  setDrawdownAllowed(tracker);
}

/** NaN while something that it needs is not known. */
function baselineAtStart(rule: TrackerRule, initialBalance: Money, startEquity: Money): Money {
  if (Number.isNaN(initialBalance)) return Number.NaN;
  switch (rule.baseline) {
    case 'startBalance':
      return initialBalance;
    case 'startEquity':
      return startEquity;
    case 'maxOfBoth':
      return Math.max(initialBalance, startEquity);
    case 'initialCapital':
      return rule.initialCapital;
    default:
      return Number.isNaN(rule.initialCapital)
        ? initialBalance
        : Math.max(initialBalance, rule.initialCapital);
  }
}

function setDrawdownAllowed(tracker: LiveTracker): void {
  const { rule } = tracker;
  tracker.drawdownAllowed = allowedOf(
    rule,
    tracker.baseline,
    rule.absoluteDrawdown,
    rule.relativeDrawdown,
  );
}

/** The tighter of the two thresholds in whole units; a relative one needs a positive base. */
function allowedOf(rule: TrackerRule, baseline: Money, absolute: Money, relative: number): Money {
  const base = relativeBase(rule, baseline);
  if (Number.isNaN(relative) || !(base > 0)) return absolute;
  return Math.min(absolute, portionOf(base, relative));
}

function clearMeasures(tracker: LiveTracker): void {
  tracker.adjustment = 0;
  tracker.creditAdjustment = 0;
  tracker.maxDrawdown = 0;
  tracker.maxDrawdownTimeMs = Number.NaN;
  tracker.maxRelativeDrawdown = 0;
  tracker.maxProfit = 0;
  tracker.maxProfitTimeMs = Number.NaN;
  tracker.exceeded = NOT_EXCEEDED;
  tracker.tradeDayCount = 0;
  tracker.lastTradeDay = Number.NaN;
  tracker.tradeDaysBefore = 0;
  tracker.nextDayUtcMs = Number.POSITIVE_INFINITY;
}

function endUtcOf(account: LiveAccount, { endTimeMs }: LiveTracker): number {
  if (endTimeMs === Number.POSITIVE_INFINITY) return endTimeMs;
  return account.clock.utcOf(endTimeMs + 1, Number.NaN);
}
