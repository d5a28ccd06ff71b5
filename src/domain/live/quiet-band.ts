import type { Money } from '../money.ts';
import type { LiveAccount } from './live-account.ts';
import { type LiveTracker, NOT_EXCEEDED } from './live-tracker.ts';
import { baselineIfTransferred } from './tracker-baseline.ts';
import { isRunning, relativeTo } from './tracker-records.ts';

/*
 * Nearly all snapshots change no tracker: the equity lies between the worst and the best that the
 * running periods have seen. An account's quiet band says until when, between which equities, and
 * up to which balance none of its trackers would change. A snapshot inside it reads no tracker at
 * all, so it costs the same with fifty as with none. If in doubt the band is too narrow, never too
 * wide; a tracker of the balance leaves all equities quiet. It is NaN whenever trackers may have
 * changed, and recomputed at the next snapshot.
 */

/** True if a snapshot newer than the account's last would change no tracker. */
export function isQuiet(
  account: LiveAccount,
  utcMs: number,
  balance: Money,
  equity: Money,
): boolean {
  if (!(utcMs < account.quietUntilUtcMs)) {
    // So that a log has the same readings however often the account was stored and loaded.
    if (!Number.isNaN(account.quietUntilUtcMs)) return false;
    findQuietBand(account);
    if (!(utcMs < account.quietUntilUtcMs)) return false;
  }
  return (
    equity >= account.quietFromEquity &&
    equity <= account.quietToEquity &&
    balance <= account.quietToBalance
  );
}

/** Recomputes the band from the trackers as they stand. */
export function findQuietBand(account: LiveAccount): void {
  const { trackers } = account;
  let untilUtcMs = Number.POSITIVE_INFINITY;
  // Nothing is quiet before the first money is noted.
  const isFunded = !Number.isNaN(account.fundedTimeMs);
  let fromEquity = isFunded ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  let toEquity = Number.POSITIVE_INFINITY;
  let toBalance = Number.POSITIVE_INFINITY;
  for (let index = 0; index < trackers.length; index += 1) {
    const tracker = trackers[index];
    if (!tracker) continue;
    untilUtcMs = Math.min(untilUtcMs, tracker.periodEndUtcMs, tracker.nextDayUtcMs);
    if (!isRunning(tracker) || tracker.exceeded !== NOT_EXCEEDED) continue;
    const { suspendedUntilUtcMs } = tracker;
    if (suspendedUntilUtcMs > account.lastUtcMs) {
      untilUtcMs = Math.min(untilUtcMs, suspendedUntilUtcMs);
    }
    // Any snapshot may be the first with money in it.
    if (!(tracker.initialBalance > 0)) fromEquity = Number.POSITIVE_INFINITY;
    fromEquity = Math.max(fromEquity, lowestQuiet(tracker));
    toEquity = Math.min(toEquity, highestQuiet(tracker));
    toBalance = Math.min(toBalance, highestQuietBalance(tracker));
  }
  account.quietUntilUtcMs = untilUtcMs;
  account.quietFromEquity = fromEquity;
  account.quietToEquity = toEquity;
  account.quietToBalance = toBalance;
}

/** From this equity up, a drawdown is no new maximum, not more than allowed, and does not warn. */
function lowestQuiet(tracker: LiveTracker): number {
  const { rule } = tracker;
  if (rule.ofBalance) return Number.NEGATIVE_INFINITY;
  const baseline = tracker.baseline;
  const seen = tracker.maxDrawdown;
  // The maximum in money may have been reached from a lower peak, or one that was not positive.
  const isRelativeSeen =
    !rule.trailing || relativeTo(rule, baseline, seen) <= tracker.maxRelativeDrawdown;
  const quiet = isRelativeSeen ? Math.min(seen, tracker.drawdownAllowed, tracker.warnAllowed) : 0;
  return baseline - quiet + tracker.adjustment;
}

/** Up to this equity, a profit is no new maximum, and the equity no new peak to measure from. */
function highestQuiet(tracker: LiveTracker): number {
  const { rule } = tracker;
  if (rule.ofBalance) return Number.POSITIVE_INFINITY;
  const profit = tracker.profitBaseline + Math.min(tracker.maxProfit, tracker.profitAllowed);
  if (rule.baseline !== 'peakEquity') return profit + tracker.adjustment;
  return Math.min(profit, highestNoPeak(tracker)) + tracker.adjustment;
}

/** Up to this balance, it is no new peak to measure from. */
function highestQuietBalance(tracker: LiveTracker): number {
  if (tracker.rule.baseline !== 'peakBalance') return Number.POSITIVE_INFINITY;
  return highestNoPeak(tracker) + tracker.adjustment - tracker.creditAdjustment;
}

/** Up to this, an adjusted reading raises no peak. */
function highestNoPeak(tracker: LiveTracker): Money {
  const { rule, baseline, unexplained } = tracker;
  const highest = baseline < rule.baselineCap ? baseline : Number.POSITIVE_INFINITY;
  if (unexplained === 0) return highest;
  const ifTransferred = baselineIfTransferred(tracker);
  return ifTransferred < rule.baselineCap
    ? Math.min(highest, ifTransferred + unexplained)
    : highest;
}
