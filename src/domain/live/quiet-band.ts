import {
  type LiveAccount,
  QUIET_FROM_EQUITY,
  QUIET_TO_EQUITY,
  QUIET_UNTIL_UTC_MS,
} from './live-account.ts';
import type { LiveTracker } from './live-tracker.ts';
import * as slot from './live-tracker.ts';
import { isRunning, relativeTo } from './tracker-records.ts';

/*
 * Nearly all snapshots tell trackers nothing: the equity lies between the worst and the best that
 * the running periods have seen. The quiet band says for an account what its trackers together make
 * of that: until when, from which equity and up to which none of them would change. A snapshot in it
 * reads no tracker at all, so it costs the same with fifty as with none. The band is narrower than
 * it could be rather than wider, and NaN, in which nothing lies, wherever trackers may have changed.
 */

/** Whether no tracker would change by a snapshot newer than the account's last. */
export const isQuiet = ({ numbers }: LiveAccount, utcMs: number, equity: number): boolean =>
  utcMs < numbers[QUIET_UNTIL_UTC_MS] &&
  equity >= numbers[QUIET_FROM_EQUITY] &&
  equity <= numbers[QUIET_TO_EQUITY];

/** Finds the band anew, from the trackers as they stand. */
export function findQuietBand({ numbers, trackers }: LiveAccount): void {
  let untilUtcMs = Number.POSITIVE_INFINITY;
  let fromEquity = Number.NEGATIVE_INFINITY;
  let toEquity = Number.POSITIVE_INFINITY;
  for (let index = 0; index < trackers.length; index += 1) {
    const tracker = trackers[index];
    if (!tracker) continue;
    const own = tracker.numbers;
    untilUtcMs = Math.min(untilUtcMs, own[slot.PERIOD_END_UTC_MS], own[slot.NEXT_DAY_UTC_MS]);
    if (!isRunning(tracker) || own[slot.EXCEEDED] !== slot.NOT_EXCEEDED) continue;
    fromEquity = Math.max(fromEquity, lowestQuiet(tracker));
    toEquity = Math.min(toEquity, highestQuiet(tracker));
  }
  numbers[QUIET_UNTIL_UTC_MS] = untilUtcMs;
  numbers[QUIET_FROM_EQUITY] = fromEquity;
  numbers[QUIET_TO_EQUITY] = toEquity;
}

/** From here on a drawdown is neither a new maximum nor more than allowed. */
function lowestQuiet({ numbers, rule }: LiveTracker): number {
  const baseline = numbers[slot.BASELINE];
  const seen = numbers[slot.MAX_DRAWDOWN];
  // The maximum in money may have been reached while the base of relative values was not positive.
  const isRelativeSeen =
    !rule.trailing || relativeTo(rule, baseline, seen) <= numbers[slot.MAX_RELATIVE_DRAWDOWN];
  const quiet = isRelativeSeen ? Math.min(seen, numbers[slot.DRAWDOWN_ALLOWED]) : 0;
  return baseline - quiet + numbers[slot.ADJUSTMENT];
}

/** Up to here a profit is no new maximum, and the equity no new peak to measure from. */
function highestQuiet({ numbers, rule }: LiveTracker): number {
  const baseline = numbers[slot.BASELINE];
  const profit = numbers[slot.PROFIT_BASELINE] + numbers[slot.MAX_PROFIT];
  const isRising = rule.baseline === 'peakEquity' && baseline < rule.baselineCap;
  return (isRising ? Math.min(profit, baseline) : profit) + numbers[slot.ADJUSTMENT];
}
