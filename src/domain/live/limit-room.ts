import type { ThresholdType } from '../../words/trackers.ts';
import type { BrokerTimeMs } from '../broker-time.ts';
import type { Money } from '../money.ts';
import type { LiveAccount } from './live-account.ts';
import type { LiveTracker } from './live-tracker.ts';
import { known } from './number-rows.ts';
import { exceededType, isRunning, lastMomentOf, limitOf } from './tracker-records.ts';

/** The room that a tracker's running period has left. Fields without a threshold are absent. */
export type LimitRoom = {
  trackerId: string;
  startTimeMs: BrokerTimeMs;
  /** The last moment of the period, and the moment of UTC after it; absent when it has no end. */
  endTimeMs?: BrokerTimeMs | undefined;
  resetUtcMs?: number | undefined;
  /** The lowest equity that is allowed or, if thresholds are inclusive, the highest that is not. */
  floor?: Money | undefined;
  /** The highest equity within the profit threshold or, if inclusive, the lowest beyond it. */
  target?: Money | undefined;
  /** Equity above the floor, and below the target; negative beyond them. */
  toFloor?: Money | undefined;
  toTarget?: Money | undefined;
  /** The present drawdown as a fraction of its limit; above 1, it is exceeded. */
  used?: number | undefined;
  /** The threshold that the period has exceeded, even if the equity came back. */
  exceeded?: ThresholdType | undefined;
};

/**
 * The room as of the account's newest snapshot.
 * Undefined before a tracker's first snapshot and after its end.
 */
export function limitRoom(account: LiveAccount, tracker: LiveTracker): LimitRoom | undefined {
  const { rule, baseline } = tracker;
  if (!isRunning(tracker) || Number.isNaN(baseline) || Number.isNaN(account.equity)) {
    return undefined;
  }
  const measured = rule.ofBalance ? account.balance : account.equity;
  const adjustment = tracker.adjustment - (rule.ofBalance ? tracker.creditAdjustment : 0);
  const loss = limitOf(rule, tracker.drawdownAllowed);
  const gain = limitOf(rule, tracker.profitAllowed);
  const floor = loss === undefined ? undefined : baseline - loss + adjustment;
  const target = gain === undefined ? undefined : tracker.profitBaseline + gain + adjustment;
  const drawdown = Math.max(0, baseline + adjustment - measured);
  const resetUtcMs = tracker.periodEndUtcMs;
  return {
    trackerId: tracker.id,
    startTimeMs: tracker.periodStartMs,
    endTimeMs: lastMomentOf(tracker),
    resetUtcMs: Number.isFinite(resetUtcMs) ? known(resetUtcMs) : undefined,
    floor,
    target,
    toFloor: floor === undefined ? undefined : measured - floor,
    toTarget: target === undefined ? undefined : target - measured,
    used: loss === undefined ? undefined : usedPart(drawdown, loss),
    exceeded: exceededType(tracker.exceeded),
  };
}

/** The used part of a limit; any drawdown uses up a limit of less than one unit. */
const usedPart = (drawdown: Money, limit: Money): number =>
  limit > 0 ? drawdown / limit : Number(drawdown > 0);
