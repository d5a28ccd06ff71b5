import { type BrokerTimeMs, DAY_MS } from '../broker-time.ts';
import { isCredit } from '../deal.ts';
import type { Money } from '../money.ts';
import { aheadOf, NO_MONEY } from './ahead-deals.ts';
import { reach } from './enter-period.ts';
import type { LiveAccount } from './live-account.ts';
import type { FoldEffects, LiveDeal } from './live-records.ts';
import { isMeasuring, type LiveTracker } from './live-tracker.ts';
import { measure } from './measure-tracker.ts';
import {
  correctInitialBalance,
  fundPeriod,
  isFundedBy,
  isFunding,
  startAtSnapshot,
} from './tracker-baseline.ts';
import { isRunning } from './tracker-records.ts';

/** Folds a snapshot not older than the account's last; `account` still holds that last one. */
export function trackSnapshot(
  account: LiveAccount,
  tracker: LiveTracker,
  timeMs: BrokerTimeMs,
  utcMs: number,
  balance: Money,
  equity: Money,
  effects: FoldEffects,
): void {
  reach(account, tracker, timeMs, utcMs, effects);
  if (utcMs < tracker.periodStartUtcMs || !isMeasuring(tracker, utcMs)) return;
  const { adjusted: ahead } =
    account.ahead.length === 0 ? NO_MONEY : aheadOf(account, tracker, utcMs);
  if (account.ahead.some((deal) => deal.utcMs === tracker.fundedUtcMs)) return;
  if (Number.isNaN(tracker.baseline) || isFundedBy(tracker, balance)) {
    startAtSnapshot(tracker, utcMs, balance, equity, ahead);
  }
  const adjustment = tracker.adjustment - ahead.money;
  const booked = adjustment - (tracker.creditAdjustment - ahead.credit);
  measure(account, tracker, timeMs, balance, equity, adjustment, adjustment, booked, effects);
}

/**
 * Folds a snapshot that is not newer than the account's last. It is measured only if nothing was
 * adjusted since it was taken and, if it is older, only if the baseline does not trail: the peak
 * may be newer.
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
    isMeasuring(tracker, utcMs) &&
    (!rule.trailing || utcMs === account.lastUtcMs);
  if (!isMeasurable) return;
  const { baseline, adjustment } = tracker;
  const booked = adjustment - tracker.creditAdjustment;
  measure(account, tracker, timeMs, balance, equity, adjustment, adjustment, booked, effects);
  // If this moment is sent again, its first snapshots must not be measured from a later peak.
  const isRaised = rule.trailing && tracker.baseline > baseline;
  if (isRaised) tracker.measurableFromUtcMs = utcMs + 1;
}

/** Folds a deal that the account's newer money does not include yet. */
export function trackDeal(
  account: LiveAccount,
  tracker: LiveTracker,
  deal: LiveDeal,
  timeMs: BrokerTimeMs,
  utcMs: number,
  effects: FoldEffects,
): void {
  const { rule } = tracker;
  reach(account, tracker, timeMs, utcMs, effects);
  if (!isRunning(tracker)) return;
  const isInPeriod = utcMs >= tracker.periodStartUtcMs;
  if (isInPeriod && deal.type !== 'DEAL_TYPE_BALANCE' && !isCredit(deal)) {
    countTradeDay(tracker, Math.floor(timeMs / DAY_MS));
  }
  // Also false while no balance is known: the first will include the deal, or the deal is ahead.
  const isNews = utcMs > tracker.basisUtcMs;
  if (!isNews) return;
  if (isInPeriod && isFunding(tracker, deal)) {
    fundPeriod(tracker, deal.money);
    tracker.fundedUtcMs = utcMs;
    measureOnlyFrom(account, tracker, utcMs);
  } else if (isInPeriod && rule.adjustDeals.includes(deal.type)) {
    tracker.adjustment += deal.money;
    if (isCredit(deal)) tracker.creditAdjustment += deal.money;
    measureOnlyFrom(account, tracker, utcMs);
  } else if (!isInPeriod && !isCredit(deal)) {
    correctInitialBalance(tracker, deal.money);
    measureOnlyFrom(account, tracker, utcMs);
  }
}

/** Snapshots up to now were measured without the deal; sent again, they must not include it. */
function measureOnlyFrom(account: LiveAccount, tracker: LiveTracker, utcMs: number): void {
  tracker.measurableFromUtcMs = Math.max(tracker.measurableFromUtcMs, utcMs, account.lastUtcMs + 1);
}

/** Counts distinct days, except those more than 32 days before the newest: the bits end there. */
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
