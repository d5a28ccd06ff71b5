import { type BrokerTimeMs, DAY_MS } from '../broker-time.ts';
import { isCredit } from '../deal.ts';
import type { Money } from '../money.ts';
import {
  correctInitialBalance,
  enterPeriod,
  raiseBaseline,
  startAtSnapshot,
} from './enter-period.ts';
import type { LiveAccount } from './live-account.ts';
import type { FoldEffects, LiveDeal } from './live-records.ts';
import {
  DRAWDOWN_EXCEEDED,
  type LiveTracker,
  NOT_EXCEEDED,
  PROFIT_EXCEEDED,
} from './live-tracker.ts';
import { nextMidnightUtc } from './tracker-period.ts';
import { eventOf, isRunning, relativeTo } from './tracker-records.ts';

/*
 * Within a period, with adjusted equity = equity − money of the period's adjusted deals:
 *   drawdown = max(0, baseline − adjusted equity), profit = max(0, adjusted equity − first baseline)
 * A threshold is exceeded by strictly more, drawdown is looked at before profit, and the first
 * excess freezes the period's maxima, so a period has one event at most.
 */

/** Folds a snapshot that is not older than the account's last, which is still the one before it. */
export function trackSnapshot(
  account: LiveAccount,
  tracker: LiveTracker,
  timeMs: BrokerTimeMs,
  utcMs: number,
  balance: Money,
  equity: Money,
  effects: FoldEffects,
): void {
  if (utcMs >= tracker.periodEndUtcMs) {
    enterPeriod(account, tracker, timeMs, utcMs, effects);
  }
  if (utcMs < tracker.periodStartUtcMs) return;
  if (utcMs >= tracker.nextDayUtcMs) passDayEnd(account, tracker, utcMs);
  if (tracker.exceeded !== NOT_EXCEEDED) return;
  if (Number.isNaN(tracker.baseline)) startAtSnapshot(tracker, utcMs, balance, equity);
  measure(account, tracker, timeMs, balance, equity, effects);
}

/**
 * Folds a snapshot that is not newer than the account's last. It can tell a maximum only if nothing
 * was adjusted since it was taken, and an older one only if the baseline does not trail: the peak
 * may be younger.
 */
export function trackLateSnapshot(
  account: LiveAccount,
  tracker: LiveTracker,
  timeMs: BrokerTimeMs,
  utcMs: number,
  balance: Money,
  equity: Money,
  effects: FoldEffects,
): void {
  const { rule } = tracker;
  const isMeasurable =
    utcMs >= tracker.periodStartUtcMs &&
    utcMs >= tracker.measurableFromUtcMs &&
    tracker.exceeded === NOT_EXCEEDED &&
    (!rule.trailing || utcMs === account.lastUtcMs);
  if (!isMeasurable) return;
  const baseline = tracker.baseline;
  measure(account, tracker, timeMs, balance, equity, effects);
  // The first ones of this moment, sent again, must not be measured from a peak that came after them.
  const isRaised = rule.trailing && tracker.baseline > baseline;
  if (isRaised) tracker.measurableFromUtcMs = utcMs + 1;
}

function measure(
  account: LiveAccount,
  tracker: LiveTracker,
  timeMs: BrokerTimeMs,
  balance: Money,
  equity: Money,
  effects: FoldEffects,
): void {
  const { rule } = tracker;
  const adjustedEquity = equity - tracker.adjustment;
  if (rule.baseline === 'peakEquity') raiseBaseline(tracker, adjustedEquity);
  const drawdown = tracker.baseline - adjustedEquity;
  if (drawdown > 0) {
    const isNewMaximum = drawdown > tracker.maxDrawdown;
    if (isNewMaximum) {
      tracker.maxDrawdown = drawdown;
      tracker.maxDrawdownTimeMs = timeMs;
    }
    if (isNewMaximum || rule.trailing) {
      const relative = relativeTo(rule, tracker.baseline, drawdown);
      if (relative > tracker.maxRelativeDrawdown) {
        tracker.maxRelativeDrawdown = relative;
      }
    }
    if (drawdown > tracker.drawdownAllowed) {
      tracker.exceeded = DRAWDOWN_EXCEEDED;
      effects.events.push(eventOf(account, tracker, 'drawdown', timeMs, balance, equity));
      return;
    }
  }
  const profit = adjustedEquity - tracker.profitBaseline;
  if (profit > tracker.maxProfit) {
    tracker.maxProfit = profit;
    tracker.maxProfitTimeMs = timeMs;
    if (profit > tracker.profitAllowed) {
      tracker.exceeded = PROFIT_EXCEEDED;
      effects.events.push(eventOf(account, tracker, 'profit', timeMs, balance, equity));
    }
  }
}

/** Folds a deal that the account's newer money does not hold yet. */
export function trackDeal(
  account: LiveAccount,
  tracker: LiveTracker,
  deal: LiveDeal,
  timeMs: BrokerTimeMs,
  utcMs: number,
  effects: FoldEffects,
): void {
  const { rule } = tracker;
  if (utcMs >= tracker.periodEndUtcMs) {
    enterPeriod(account, tracker, timeMs, utcMs, effects);
  }
  if (!isRunning(tracker)) return;
  if (utcMs >= tracker.nextDayUtcMs) passDayEnd(account, tracker, utcMs);
  const isInPeriod = utcMs >= tracker.periodStartUtcMs;
  if (isInPeriod && deal.type !== 'DEAL_TYPE_BALANCE' && !isCredit(deal)) {
    countTradeDay(tracker, Math.floor(timeMs / DAY_MS));
  }
  // False as well while no balance is known: the first one will contain the deal.
  const isNews = utcMs > tracker.basisUtcMs;
  if (!isNews) return;
  if (isInPeriod && rule.adjustDeals.includes(deal.type)) {
    tracker.adjustment += deal.money;
    if (isCredit(deal)) tracker.creditAdjustment += deal.money;
    measureOnlyFrom(account, tracker, utcMs);
  } else if (!isInPeriod && !isCredit(deal)) {
    correctInitialBalance(tracker, deal.money);
    measureOnlyFrom(account, tracker, utcMs);
  }
}

/** Snapshots up to now were measured without the deal; seen again they must not be with it. */
function measureOnlyFrom(account: LiveAccount, tracker: LiveTracker, utcMs: number): void {
  tracker.measurableFromUtcMs = Math.max(tracker.measurableFromUtcMs, utcMs, account.lastUtcMs + 1);
}

/** The balance just before a day's end may be a new peak. */
function passDayEnd(account: LiveAccount, tracker: LiveTracker, utcMs: number): void {
  const { rule } = tracker;
  tracker.nextDayUtcMs = nextMidnightUtc(rule.resetClock ?? account.clock, utcMs);
  if (tracker.exceeded !== NOT_EXCEEDED) return;
  const balanceAdjustment = tracker.adjustment - tracker.creditAdjustment;
  const balance = account.balance + account.newerMoney;
  raiseBaseline(tracker, balance - balanceAdjustment);
}

/**
 * Counts distinct days. A late deal is recognised up to 32 days back (a bit per day); one from
 * further back does not count.
 */
function countTradeDay(tracker: LiveTracker, day: number): void {
  const lastDay = tracker.lastTradeDay;
  const before = tracker.tradeDaysBefore;
  if (day === lastDay) return;
  if (day < lastDay) {
    const bit = lastDay - day <= 32 ? 1 << (lastDay - day - 1) : 0;
    if (bit === 0 || (before & bit) !== 0) return;
    tracker.tradeDaysBefore = (before | bit) >>> 0;
  } else {
    const days = day - lastDay;
    tracker.tradeDaysBefore = days <= 32 ? (((before << 1) | 1) << (days - 1)) >>> 0 : 0;
    tracker.lastTradeDay = day;
  }
  tracker.tradeDayCount += 1;
}
