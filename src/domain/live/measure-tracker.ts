import type { BrokerTimeMs } from '../broker-time.ts';
import type { Money } from '../money.ts';
import type { LiveAccount } from './live-account.ts';
import type { FoldEffects } from './live-records.ts';
import { DRAWDOWN_EXCEEDED, type LiveTracker, PROFIT_EXCEEDED } from './live-tracker.ts';
import { RELATIVE_SCALE } from './portion.ts';
import { raiseBaseline } from './tracker-baseline.ts';
import { eventOf, relativeTo } from './tracker-records.ts';

/*
 * Within a period, with adjusted equity = equity − money of the period's adjusted deals:
 *   drawdown = max(0, baseline − adjusted equity)
 *   profit = max(0, adjusted equity − first baseline)
 * Drawdown is checked before profit. A drawdown near its limit warns, once a period. The first
 * excess freezes the period's maxima, so a period has at most one such event.
 */

/**
 * Measures one state of the account. The adjustment of a snapshot is known; that of an hour may be
 * known only to lie between two amounts: then drawdown, profit and peak are the least that they can
 * be. `mostBooked` is the most of it that the balance may include, so without credit.
 */
export function measure(
  account: LiveAccount,
  tracker: LiveTracker,
  timeMs: BrokerTimeMs,
  balance: Money,
  equity: Money,
  leastAdjustment: Money,
  mostAdjustment: Money,
  mostBooked: Money,
  effects: FoldEffects,
): void {
  const { rule } = tracker;
  // An account that never held any money has not lost its capital: it still waits for it.
  if (rule.startsAtCapital && Number.isNaN(account.fundedTimeMs)) return;
  const leastEquity = equity - mostAdjustment;
  if (rule.baseline === 'peakEquity') raiseBaseline(tracker, leastEquity);
  else if (rule.baseline === 'peakBalance') raiseBaseline(tracker, balance - mostBooked);
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
    if (drawdown > tracker.drawdownAllowed) {
      tracker.exceeded = DRAWDOWN_EXCEEDED;
      const seen = { timeMs, balance, equity, adjustment: leastAdjustment };
      effects.events.push(eventOf(account, tracker, 'drawdown', seen));
      return;
    }
    if (drawdown > tracker.warnAllowed) {
      tracker.warned = 1;
      tracker.warnAllowed = Number.POSITIVE_INFINITY;
      const seen = { timeMs, balance, equity, adjustment: leastAdjustment };
      const warnAt = rule.warnAt / RELATIVE_SCALE;
      effects.events.push({ ...eventOf(account, tracker, 'drawdown', seen), warnAt });
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
    const seen = { timeMs, balance, equity, adjustment: mostAdjustment };
    effects.events.push(eventOf(account, tracker, 'profit', seen));
  }
}
