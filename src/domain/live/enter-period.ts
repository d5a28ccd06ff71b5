import type { BrokerTimeMs } from '../broker-time.ts';
import type { Money } from '../money.ts';
import {
  BALANCE,
  EQUITY,
  LAST_UTC_MS,
  type LiveAccount,
  NEWER_FUNDS,
  NEWER_MONEY,
} from './live-account.ts';
import type { FoldEffects } from './live-records.ts';
import type { LiveTracker } from './live-tracker.ts';
import * as slot from './live-tracker.ts';
import { nextMidnightUtc, periodOf } from './tracker-period.ts';
import { isRunning, periodStatistics, relativeBase } from './tracker-records.ts';
import { portionOf, type TrackerRule } from './tracker-rule.ts';

/** Longest time between two snapshots over which the first one's values count as held. */
export const MAX_HOLD_MS = 600_000;

/** Puts a new tracker before its first period. */
export function awaitStart(tracker: LiveTracker, account: LiveAccount): void {
  const { numbers, startTimeMs } = tracker;
  numbers[slot.PERIOD_START_UTC_MS] = Number.POSITIVE_INFINITY;
  numbers[slot.PERIOD_END_UTC_MS] = Number.isNaN(startTimeMs)
    ? Number.NEGATIVE_INFINITY
    : account.clock.utcOf(startTimeMs, Number.NaN);
  numbers[slot.EXCEEDED] = slot.NOT_EXCEEDED;
  numbers[slot.NEXT_DAY_UTC_MS] = Number.POSITIVE_INFINITY;
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
  const { numbers, rule } = tracker;
  if (isRunning(tracker)) {
    effects.completedPeriods.push(periodStatistics(account, tracker, 'completed'));
  }
  if (utcMs >= endUtcOf(account, tracker)) {
    numbers[slot.PERIOD_START_UTC_MS] = Number.POSITIVE_INFINITY;
    numbers[slot.PERIOD_END_UTC_MS] = Number.POSITIVE_INFINITY;
    return;
  }
  const period = periodOf(tracker, account.clock, timeMs, utcMs);
  numbers[slot.PERIOD_START_UTC_MS] = period.startUtcMs;
  numbers[slot.PERIOD_END_UTC_MS] = period.endUtcMs;
  numbers[slot.PERIOD_START_MS] = period.startMs;
  numbers[slot.PERIOD_END_MS] = period.endMs;
  clearMeasures(tracker);
  if (rule.baseline === 'peakEndOfDayBalance') {
    numbers[slot.NEXT_DAY_UTC_MS] = nextMidnightUtc(rule.resetClock ?? account.clock, utcMs);
  }
  const known = account.numbers;
  const lastUtcMs = known[LAST_UTC_MS];
  const initialBalance = known[BALANCE] + known[NEWER_MONEY];
  const isHeld = utcMs - lastUtcMs <= MAX_HOLD_MS;
  numbers[slot.INITIAL_BALANCE] = initialBalance;
  numbers[slot.BASIS_UTC_MS] = lastUtcMs;
  numbers[slot.MEASURABLE_FROM_UTC_MS] =
    lastUtcMs >= period.startUtcMs ? lastUtcMs + 1 : period.startUtcMs;
  startBaseline(tracker, initialBalance, isHeld ? known[EQUITY] + known[NEWER_FUNDS] : Number.NaN);
}

/** Starts measuring at a period's first snapshot, where what came before did not tell enough. */
export function startAtSnapshot(
  tracker: LiveTracker,
  utcMs: number,
  balance: Money,
  equity: Money,
): void {
  const { numbers } = tracker;
  if (Number.isNaN(numbers[slot.INITIAL_BALANCE])) {
    numbers[slot.INITIAL_BALANCE] = balance;
    numbers[slot.BASIS_UTC_MS] = utcMs;
  }
  numbers[slot.MEASURABLE_FROM_UTC_MS] = utcMs;
  startBaseline(tracker, numbers[slot.INITIAL_BALANCE], equity - numbers[slot.ADJUSTMENT]);
}

/** Moves a trailing baseline up to a new peak, though not above its cap. */
export function raiseBaseline(tracker: LiveTracker, peak: Money): void {
  const { numbers, rule } = tracker;
  const baseline = Math.min(peak, rule.baselineCap);
  if (!(baseline > numbers[slot.BASELINE])) return;
  numbers[slot.BASELINE] = baseline;
  setDrawdownAllowed(tracker);
}

/** A deal from before the period became known only now. */
export function correctInitialBalance(tracker: LiveTracker, money: Money): void {
  const { numbers, rule } = tracker;
  numbers[slot.INITIAL_BALANCE] += money;
  const initialBalance = numbers[slot.INITIAL_BALANCE];
  if (rule.baseline === 'startBalance') startBaseline(tracker, initialBalance, Number.NaN);
  else if (rule.trailing) raiseBaseline(tracker, initialBalance);
}

function startBaseline(tracker: LiveTracker, initialBalance: Money, startEquity: Money): void {
  const { numbers, rule } = tracker;
  const start = baselineAtStart(rule, initialBalance, startEquity);
  numbers[slot.PROFIT_BASELINE] = start;
  numbers[slot.BASELINE] = Math.min(start, rule.baselineCap);
  numbers[slot.PROFIT_ALLOWED] = allowedOf(rule, start, rule.absoluteProfit, rule.relativeProfit);
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

function setDrawdownAllowed({ numbers, rule }: LiveTracker): void {
  numbers[slot.DRAWDOWN_ALLOWED] = allowedOf(
    rule,
    numbers[slot.BASELINE],
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

function clearMeasures({ numbers }: LiveTracker): void {
  numbers[slot.ADJUSTMENT] = 0;
  numbers[slot.CREDIT_ADJUSTMENT] = 0;
  numbers[slot.MAX_DRAWDOWN] = 0;
  numbers[slot.MAX_DRAWDOWN_TIME_MS] = Number.NaN;
  numbers[slot.MAX_RELATIVE_DRAWDOWN] = 0;
  numbers[slot.MAX_PROFIT] = 0;
  numbers[slot.MAX_PROFIT_TIME_MS] = Number.NaN;
  numbers[slot.EXCEEDED] = slot.NOT_EXCEEDED;
  numbers[slot.TRADE_DAY_COUNT] = 0;
  numbers[slot.LAST_TRADE_DAY] = Number.NaN;
  numbers[slot.TRADE_DAYS_BEFORE] = 0;
  numbers[slot.NEXT_DAY_UTC_MS] = Number.POSITIVE_INFINITY;
}

function endUtcOf(account: LiveAccount, { endTimeMs }: LiveTracker): number {
  if (endTimeMs === Number.POSITIVE_INFINITY) return endTimeMs;
  return account.clock.utcOf(endTimeMs + 1, Number.NaN);
}
