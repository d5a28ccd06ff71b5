import type { ThresholdType } from '../../words/trackers.ts';
import type { BrokerTimeMs } from '../broker-time.ts';
import type { Money } from '../money.ts';
import type { LiveAccount } from './live-account.ts';
import type { PeriodStatistics, TrackerEvent } from './live-records.ts';
import {
  DRAWDOWN_EXCEEDED,
  type LiveTracker,
  NOT_EXCEEDED,
  PROFIT_EXCEEDED,
} from './live-tracker.ts';
import { known } from './number-rows.ts';
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
  tracker.periodStartUtcMs !== Number.POSITIVE_INFINITY;

export function periodStatistics(
  account: LiveAccount,
  tracker: LiveTracker,
  periodStatus: PeriodStatistics['periodStatus'],
): PeriodStatistics {
  const { id, rule, exceeded } = tracker;
  return {
    accountId: account.id,
    trackerId: id,
    period: rule.period,
    startTimeMs: tracker.periodStartMs,
    endTimeMs: lastMomentOf(tracker),
    periodStatus,
    initialBalance: known(tracker.initialBalance),
    baseline: known(tracker.baseline),
    profitBaseline: known(tracker.profitBaseline),
    drawdownLimit: limitOf(rule, tracker.drawdownAllowed),
    profitLimit: limitOf(rule, tracker.profitAllowed),
    adjustment: tracker.adjustment,
    maxAbsoluteDrawdown: tracker.maxDrawdown,
    maxRelativeDrawdown: rule.trailing
      ? tracker.maxRelativeDrawdown
      : relativeTo(rule, tracker.baseline, tracker.maxDrawdown),
    maxDrawdownTimeMs: known(tracker.maxDrawdownTimeMs),
    maxAbsoluteProfit: tracker.maxProfit,
    maxRelativeProfit: relativeTo(rule, tracker.profitBaseline, tracker.maxProfit),
    maxProfitTimeMs: known(tracker.maxProfitTimeMs),
    thresholdExceeded: exceeded !== NOT_EXCEEDED,
    exceededThresholdType: exceededType(exceeded),
    tradeDayCount: tracker.tradeDayCount,
  };
}

export function eventOf(
  account: LiveAccount,
  tracker: LiveTracker,
  exceededThresholdType: ThresholdType,
  seen: Pick<TrackerEvent, 'timeMs' | 'balance' | 'equity'>,
  adjustment: Money,
): TrackerEvent {
  const { id, rule } = tracker;
  const adjustedEquity = seen.equity - adjustment;
  const absoluteDrawdown = Math.max(0, tracker.baseline - adjustedEquity);
  const absoluteProfit = Math.max(0, adjustedEquity - tracker.profitBaseline);
  const isDrawdown = exceededThresholdType === 'drawdown';
  return {
    accountId: account.id,
    trackerId: id,
    period: rule.period,
    startTimeMs: tracker.periodStartMs,
    endTimeMs: lastMomentOf(tracker),
    timeMs: seen.timeMs,
    exceededThresholdType,
    absoluteDrawdown,
    relativeDrawdown: relativeTo(rule, tracker.baseline, absoluteDrawdown),
    absoluteProfit,
    relativeProfit: relativeTo(rule, tracker.profitBaseline, absoluteProfit),
    allowed: (isDrawdown ? tracker.drawdownAllowed : tracker.profitAllowed) + rule.unitsBelow,
    inclusive: rule.unitsBelow === 1,
    baseline: isDrawdown ? tracker.baseline : tracker.profitBaseline,
    initialBalance: tracker.initialBalance,
    balance: seen.balance,
    equity: seen.equity,
    adjustment,
    round: tracker.round,
  };
}

/** The limit behind an allowed amount; undefined without one. */
export const limitOf = ({ unitsBelow }: TrackerRule, allowed: Money): Money | undefined =>
  Number.isFinite(allowed) ? allowed + unitsBelow : undefined;

/** The base of the rule's relative values. */
export const relativeBase = (rule: TrackerRule, baseline: Money): Money =>
  rule.relativeToCapital ? rule.initialCapital : baseline;

/** The amount as a fraction of its base; 0 if that is not positive. */
export function relativeTo(rule: TrackerRule, baseline: Money, amount: Money): number {
  const base = relativeBase(rule, baseline);
  return base > 0 ? amount / base : 0;
}

/** The last moment of the period; undefined if it has no end. */
export const lastMomentOf = ({ periodLastMs }: LiveTracker): BrokerTimeMs | undefined =>
  periodLastMs === Number.POSITIVE_INFINITY ? undefined : periodLastMs;

export function exceededType(exceeded: number): ThresholdType | undefined {
  if (exceeded === DRAWDOWN_EXCEEDED) return 'drawdown';
  return exceeded === PROFIT_EXCEEDED ? 'profit' : undefined;
}
