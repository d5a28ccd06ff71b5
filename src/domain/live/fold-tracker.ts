import { type BrokerTimeMs, DAY_MS } from '../broker-time.ts';
import { isCredit } from '../deal.ts';
import type { Money } from '../money.ts';
import {
  correctInitialBalance,
  enterPeriod,
  raiseBaseline,
  startAtSnapshot,
} from './enter-period.ts';
import { BALANCE, LAST_UTC_MS, type LiveAccount, NEWER_MONEY } from './live-account.ts';
import type { FoldEffects, LiveDeal } from './live-records.ts';
import type { LiveTracker } from './live-tracker.ts';
import * as slot from './live-tracker.ts';
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
  const { numbers } = tracker;
  if (utcMs >= numbers[slot.PERIOD_END_UTC_MS]) {
    enterPeriod(account, tracker, timeMs, utcMs, effects);
  }
  if (utcMs < numbers[slot.PERIOD_START_UTC_MS]) return;
  if (utcMs >= numbers[slot.NEXT_DAY_UTC_MS]) passDayEnd(account, tracker, utcMs);
  if (numbers[slot.EXCEEDED] !== slot.NOT_EXCEEDED) return;
  if (Number.isNaN(numbers[slot.BASELINE])) startAtSnapshot(tracker, utcMs, balance, equity);
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
  const { numbers, rule } = tracker;
  const isMeasurable =
    utcMs >= numbers[slot.PERIOD_START_UTC_MS] &&
    utcMs >= numbers[slot.MEASURABLE_FROM_UTC_MS] &&
    numbers[slot.EXCEEDED] === slot.NOT_EXCEEDED &&
    (!rule.trailing || utcMs === account.numbers[LAST_UTC_MS]);
  if (!isMeasurable) return;
  const baseline = numbers[slot.BASELINE];
  measure(account, tracker, timeMs, balance, equity, effects);
  // The first ones of this moment, sent again, must not be measured from a peak that came after them.
  const isRaised = rule.trailing && numbers[slot.BASELINE] > baseline;
  if (isRaised) numbers[slot.MEASURABLE_FROM_UTC_MS] = utcMs + 1;
}

function measure(
  account: LiveAccount,
  tracker: LiveTracker,
  timeMs: BrokerTimeMs,
  balance: Money,
  equity: Money,
  effects: FoldEffects,
): void {
  const { numbers, rule } = tracker;
  const adjustedEquity = equity - numbers[slot.ADJUSTMENT];
  if (rule.baseline === 'peakEquity') raiseBaseline(tracker, adjustedEquity);
  const drawdown = numbers[slot.BASELINE] - adjustedEquity;
  if (drawdown > 0) {
    const isNewMaximum = drawdown > numbers[slot.MAX_DRAWDOWN];
    if (isNewMaximum) {
      numbers[slot.MAX_DRAWDOWN] = drawdown;
      numbers[slot.MAX_DRAWDOWN_TIME_MS] = timeMs;
    }
    if (isNewMaximum || rule.trailing) {
      const relative = relativeTo(rule, numbers[slot.BASELINE], drawdown);
      if (relative > numbers[slot.MAX_RELATIVE_DRAWDOWN]) {
        numbers[slot.MAX_RELATIVE_DRAWDOWN] = relative;
      }
    }
    if (drawdown > numbers[slot.DRAWDOWN_ALLOWED]) {
      numbers[slot.EXCEEDED] = slot.DRAWDOWN_EXCEEDED;
      effects.events.push(eventOf(account, tracker, 'drawdown', timeMs, balance, equity));
      return;
    }
  }
  const profit = adjustedEquity - numbers[slot.PROFIT_BASELINE];
  if (profit > numbers[slot.MAX_PROFIT]) {
    numbers[slot.MAX_PROFIT] = profit;
    numbers[slot.MAX_PROFIT_TIME_MS] = timeMs;
    if (profit > numbers[slot.PROFIT_ALLOWED]) {
      numbers[slot.EXCEEDED] = slot.PROFIT_EXCEEDED;
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
  const { numbers, rule } = tracker;
  if (utcMs >= numbers[slot.PERIOD_END_UTC_MS]) {
    enterPeriod(account, tracker, timeMs, utcMs, effects);
  }
  if (!isRunning(tracker)) return;
  if (utcMs >= numbers[slot.NEXT_DAY_UTC_MS]) passDayEnd(account, tracker, utcMs);
  const isInPeriod = utcMs >= numbers[slot.PERIOD_START_UTC_MS];
  if (isInPeriod && deal.type !== 'DEAL_TYPE_BALANCE' && !isCredit(deal)) {
    countTradeDay(tracker, Math.floor(timeMs / DAY_MS));
  }
  // False as well while no balance is known: the first one will contain the deal.
  const isNews = utcMs > numbers[slot.BASIS_UTC_MS];
  if (!isNews) return;
  if (isInPeriod && rule.adjustDeals.includes(deal.type)) {
    numbers[slot.ADJUSTMENT] += deal.money;
    if (isCredit(deal)) numbers[slot.CREDIT_ADJUSTMENT] += deal.money;
    measureOnlyFrom(account, tracker, utcMs);
  } else if (!isInPeriod && !isCredit(deal)) {
    correctInitialBalance(tracker, deal.money);
    measureOnlyFrom(account, tracker, utcMs);
  }
}

/** Snapshots up to now were measured without the deal; seen again they must not be with it. */
function measureOnlyFrom(account: LiveAccount, { numbers }: LiveTracker, utcMs: number): void {
  numbers[slot.MEASURABLE_FROM_UTC_MS] = Math.max(
    numbers[slot.MEASURABLE_FROM_UTC_MS],
    utcMs,
    account.numbers[LAST_UTC_MS] + 1,
  );
}

/** The balance just before a day's end may be a new peak. */
function passDayEnd(account: LiveAccount, tracker: LiveTracker, utcMs: number): void {
  const { numbers, rule } = tracker;
  numbers[slot.NEXT_DAY_UTC_MS] = nextMidnightUtc(rule.resetClock ?? account.clock, utcMs);
  if (numbers[slot.EXCEEDED] !== slot.NOT_EXCEEDED) return;
  const balanceAdjustment = numbers[slot.ADJUSTMENT] - numbers[slot.CREDIT_ADJUSTMENT];
  const balance = account.numbers[BALANCE] + account.numbers[NEWER_MONEY];
  raiseBaseline(tracker, balance - balanceAdjustment);
}

/**
 * Counts distinct days. A late deal is recognised up to 32 days back (a bit per day); one from
 * further back does not count.
 */
function countTradeDay({ numbers }: LiveTracker, day: number): void {
  const lastDay = numbers[slot.LAST_TRADE_DAY];
  const before = numbers[slot.TRADE_DAYS_BEFORE];
  if (day === lastDay) return;
  if (day < lastDay) {
    const bit = lastDay - day <= 32 ? 1 << (lastDay - day - 1) : 0;
    if (bit === 0 || (before & bit) !== 0) return;
    numbers[slot.TRADE_DAYS_BEFORE] = (before | bit) >>> 0;
  } else {
    const days = day - lastDay;
    numbers[slot.TRADE_DAYS_BEFORE] = days <= 32 ? (((before << 1) | 1) << (days - 1)) >>> 0 : 0;
    numbers[slot.LAST_TRADE_DAY] = day;
  }
  numbers[slot.TRADE_DAY_COUNT] += 1;
}
