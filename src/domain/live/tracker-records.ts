import type { BrokerTimeMs } from '../broker-time.ts';
import type { Money } from '../money.ts';
import { known, type LiveAccount } from './live-account.ts';
import type { PeriodStatistics, ThresholdType, TrackerEvent } from './live-records.ts';
import type { LiveTracker } from './live-tracker.ts';
import * as slot from './live-tracker.ts';
import type { TrackerRule } from './tracker-rule.ts';

/** The tracker's running period; undefined before its first moment and after its last. */
export function runningPeriod(
  account: LiveAccount,
  tracker: LiveTracker,
): PeriodStatistics | undefined {
  if (!isRunning(tracker)) return undefined;
  return periodStatistics(account, tracker, 'running');
}

export const isRunning = (tracker: LiveTracker): boolean =>
  tracker.numbers[slot.PERIOD_START_UTC_MS] !== Number.POSITIVE_INFINITY;

export function periodStatistics(
  account: LiveAccount,
  { id, rule, numbers }: LiveTracker,
  periodStatus: PeriodStatistics['periodStatus'],
): PeriodStatistics {
  const exceeded = numbers[slot.EXCEEDED];
  return {
    accountId: account.id,
    trackerId: id,
    period: rule.period,
    startTimeMs: numbers[slot.PERIOD_START_MS],
    endTimeMs: lastMomentBefore(numbers[slot.PERIOD_END_MS]),
    periodStatus,
    initialBalance: known(numbers[slot.INITIAL_BALANCE]),
    maxAbsoluteDrawdown: numbers[slot.MAX_DRAWDOWN],
    maxRelativeDrawdown: numbers[slot.MAX_RELATIVE_DRAWDOWN],
    maxDrawdownTimeMs: known(numbers[slot.MAX_DRAWDOWN_TIME_MS]),
    maxAbsoluteProfit: numbers[slot.MAX_PROFIT],
    maxRelativeProfit: relativeTo(rule, numbers[slot.PROFIT_BASELINE], numbers[slot.MAX_PROFIT]),
    maxProfitTimeMs: known(numbers[slot.MAX_PROFIT_TIME_MS]),
    thresholdExceeded: exceeded !== slot.NOT_EXCEEDED,
    exceededThresholdType: exceededType(exceeded),
    tradeDayCount: numbers[slot.TRADE_DAY_COUNT],
  };
}

export function eventOf(
  account: LiveAccount,
  { id, rule, numbers }: LiveTracker,
  exceededThresholdType: ThresholdType,
  timeMs: BrokerTimeMs,
  balance: Money,
  equity: Money,
): TrackerEvent {
  const adjustedEquity = equity - numbers[slot.ADJUSTMENT];
  const absoluteDrawdown = Math.max(0, numbers[slot.BASELINE] - adjustedEquity);
  const absoluteProfit = Math.max(0, adjustedEquity - numbers[slot.PROFIT_BASELINE]);
  const isDrawdown = exceededThresholdType === 'drawdown';
  return {
    accountId: account.id,
    trackerId: id,
    period: rule.period,
    startTimeMs: numbers[slot.PERIOD_START_MS],
    endTimeMs: lastMomentBefore(numbers[slot.PERIOD_END_MS]),
    timeMs,
    exceededThresholdType,
    absoluteDrawdown,
    relativeDrawdown: relativeTo(rule, numbers[slot.BASELINE], absoluteDrawdown),
    absoluteProfit,
    relativeProfit: relativeTo(rule, numbers[slot.PROFIT_BASELINE], absoluteProfit),
    allowed: numbers[isDrawdown ? slot.DRAWDOWN_ALLOWED : slot.PROFIT_ALLOWED],
    baseline: numbers[isDrawdown ? slot.BASELINE : slot.PROFIT_BASELINE],
    initialBalance: numbers[slot.INITIAL_BALANCE],
    balance,
    equity,
    adjustment: numbers[slot.ADJUSTMENT],
  };
}

/** What the rule's relative values are fractions of. */
export const relativeBase = (rule: TrackerRule, baseline: Money): Money =>
  rule.relativeToCapital ? rule.initialCapital : baseline;

/** Fraction of 1; 0 where there is nothing positive to relate to. */
export function relativeTo(rule: TrackerRule, baseline: Money, amount: Money): number {
  const base = relativeBase(rule, baseline);
  return base > 0 ? amount / base : 0;
}

const lastMomentBefore = (endMs: number): BrokerTimeMs | undefined =>
  endMs === Number.POSITIVE_INFINITY ? undefined : endMs - 1;

function exceededType(exceeded: number): ThresholdType | undefined {
  if (exceeded === slot.DRAWDOWN_EXCEEDED) return 'drawdown';
  return exceeded === slot.PROFIT_EXCEEDED ? 'profit' : undefined;
}
