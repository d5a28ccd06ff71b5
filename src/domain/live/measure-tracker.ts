import type { FoldEffects, Seen } from './fold-effects.ts';
import type { LiveAccount } from './live-account.ts';
import { DRAWDOWN_EXCEEDED, type LiveTracker, PROFIT_EXCEEDED } from './live-tracker.ts';
import { RELATIVE_SCALE } from './portion.ts';
import { baselineIfTransferred, drawdownAllowedFrom, raisePeak } from './tracker-baseline.ts';
import { eventOf, relativeTo } from './tracker-records.ts';

/*
 * Within a period, with adjusted equity = equity − money of the period's adjusted deals:
 *   drawdown = max(0, baseline − adjusted equity)
 *   profit = max(0, adjusted equity − first baseline)
 * Drawdown is checked before profit. A drawdown near its limit warns, once a period. The first
 * excess freezes the period's maxima, so a period has at most one such event. A rule that is judged
 * at the end is exceeded only by the last reading of a period, which is known to be the last once
 * time has passed the end.
 */

export function measure(
  account: LiveAccount,
  tracker: LiveTracker,
  seen: Seen,
  effects: FoldEffects,
): void {
  const { rule } = tracker;
  const { timeMs, balance, equity, leastAdjustment, mostAdjustment } = seen;
  // An account that never held any money has not lost its capital: it still waits for it.
  if (rule.startsAtCapital && Number.isNaN(account.fundedTimeMs)) return;
  const leastEquity = equity - mostAdjustment;
  if (rule.baseline === 'peakEquity') raisePeak(tracker, leastEquity);
  else if (rule.baseline === 'peakBalance') raisePeak(tracker, balance - seen.mostBooked);
  effects.measured?.(account, tracker, seen);
  const drawdown = tracker.baseline - (equity - leastAdjustment);
  if (drawdown > 0) {
    if (drawdown > tracker.maxDrawdown) {
      tracker.maxDrawdown = drawdown;
      tracker.maxDrawdownTimeMs = timeMs;
    }
    if (rule.trailing) {
      const relative = relativeTo(rule, tracker.baseline, drawdown);
      if (relative > tracker.maxRelativeDrawdown) tracker.maxRelativeDrawdown = relative;
    }
    if (drawdown > tracker.drawdownAllowed && !rule.judgedAtEnd) {
      if (!waitsForExplanation(account, tracker, seen)) breach(account, tracker, seen, effects);
      return;
    }
    if (drawdown > tracker.warnAllowed) {
      tracker.warned = 1;
      tracker.warnAllowed = Number.POSITIVE_INFINITY;
      const warnAt = rule.warnAt / RELATIVE_SCALE;
      const event = eventOf(account, tracker, 'drawdown', seen, leastAdjustment);
      effects.events.push({ ...event, warnAt });
    }
  }
  const profit = leastEquity - tracker.profitBaseline;
  if (!(profit > 0)) return;
  if (profit > tracker.maxProfit) {
    tracker.maxProfit = profit;
    tracker.maxProfitTimeMs = timeMs;
  }
  if (profit > tracker.profitAllowed) {
    tracker.exceeded = PROFIT_EXCEEDED;
    effects.events.push(eventOf(account, tracker, 'profit', seen, mostAdjustment));
  }
}

/** Judges a period that is over, of a rule that is judged then, by its last reading. */
export function judgePeriod(
  account: LiveAccount,
  tracker: LiveTracker,
  last: Seen,
  effects: FoldEffects,
): void {
  const drawdown = tracker.baseline - (last.equity - last.leastAdjustment);
  if (drawdown > 0 && drawdown > tracker.drawdownAllowed) breach(account, tracker, last, effects);
}

function breach(
  account: LiveAccount,
  tracker: LiveTracker,
  seen: Seen,
  effects: FoldEffects,
): void {
  tracker.exceeded = DRAWDOWN_EXCEEDED;
  tracker.breaches += 1;
  effects.events.push(eventOf(account, tracker, 'drawdown', seen, seen.leastAdjustment));
}

/**
 * Whether a breach would be none if the unexplained movements were transfers, and still waits for
 * an explanation: for `settleMs` from the receipt of the snapshot that showed it first.
 */
function waitsForExplanation(account: LiveAccount, tracker: LiveTracker, seen: Seen): boolean {
  const { rule, unexplained } = tracker;
  if (rule.settleMs === 0 || unexplained === 0 || Number.isNaN(seen.receivedUtcMs)) return false;
  const baseline = baselineIfTransferred(tracker);
  const drawdown = baseline - (seen.equity - seen.leastAdjustment - unexplained);
  if (drawdown > drawdownAllowedFrom(rule, baseline)) return false;
  if (Number.isNaN(tracker.waitingSinceUtcMs)) tracker.waitingSinceUtcMs = seen.receivedUtcMs;
  return account.receivedUtcMs < tracker.waitingSinceUtcMs + rule.settleMs;
}
