import { DAY_MS } from '../broker-time.ts';
import { isCredit } from '../deal.ts';
import type { Money } from '../money.ts';
import type { Reading } from './deal-placement.ts';
import { type Moment, reach } from './enter-period.ts';
import type { FoldEffects, Seen } from './fold-effects.ts';
import { bookedBy, fundsOf, isBefore, type KnownDeal } from './known-deals.ts';
import type { LiveAccount } from './live-account.ts';
import { isMeasuring, type LiveTracker } from './live-tracker.ts';
import { judgePeriod, measure } from './measure-tracker.ts';
import {
  adjust,
  correctStart,
  fundPeriod,
  isFundedBy,
  isFunding,
  noteUnexplained,
  startAtReading,
} from './tracker-baseline.ts';
import { isRunning } from './tracker-records.ts';

/**
 * A reading, the waiting deals, how many of the first of them it includes, and the movement they
 * leave open.
 */
export type PlacedReading = Moment &
  Reading & { waiting: readonly KnownDeal[]; unexplained: Money };

/** Reused, as a reading is measured by every tracker of every account. */
const seen: Seen = {
  ...{ timeMs: 0, receivedUtcMs: 0, balance: 0, equity: 0 },
  ...{ leastAdjustment: 0, mostAdjustment: 0, mostBooked: 0 },
};

/**
 * Folds a reading not older than the account's last, and the deals that it is the first to include,
 * at their own times. `account` still holds the reading before and all waiting deals. No period
 * begins before the first reading: its balance holds the deals before it, whenever they come.
 */
export function trackReading(
  account: LiveAccount,
  tracker: LiveTracker,
  reading: PlacedReading,
  effects: FoldEffects,
): void {
  const { utcMs, included } = reading;
  const { waitingDeals } = account;
  const isFirst = Number.isNaN(account.lastUtcMs);
  if (utcMs >= tracker.periodEndUtcMs) judgeEnded(account, tracker, effects);
  let next = 0;
  for (; next < included && !isFirst; next += 1) {
    const deal = waitingDeals[next];
    if (!deal || deal.utcMs > utcMs) break;
    reach(account, tracker, { timeMs: deal.timeMs, utcMs: deal.utcMs, included }, effects);
    if (isRunning(tracker)) includeDeal(tracker, deal, utcMs);
  }
  reach(account, tracker, reading, effects);
  if (utcMs < tracker.periodStartUtcMs) return;
  // The balance at the start includes the deals before it.
  if (included > 0) {
    for (const deal of waitingDeals.slice(next, included)) {
      if (!isBefore(deal, tracker.periodStartUtcMs)) includeDeal(tracker, deal, utcMs);
    }
  }
  if (reading.unexplained !== 0) noteUnexplained(tracker, reading.unexplained);
  if (!isMeasuring(tracker, utcMs)) return;
  if (Number.isNaN(tracker.baseline) || isFundedBy(tracker, reading.balance)) {
    startAtReading(tracker, reading);
  }
  show(account, tracker, reading, effects);
}

/** Counts the account's waiting deals as if a reading had included them, and measures nothing. */
export function trackWaitingDeals(
  account: LiveAccount,
  tracker: LiveTracker,
  effects: FoldEffects,
): void {
  const { waitingDeals, lastUtcMs } = account;
  if (Number.isNaN(lastUtcMs)) return;
  for (const deal of waitingDeals) {
    const { timeMs, utcMs } = deal;
    reach(account, tracker, { timeMs, utcMs, included: waitingDeals.length }, effects);
    if (isRunning(tracker)) includeDeal(tracker, deal, utcMs);
  }
}

/**
 * Measures a snapshot that is not newer than the account's last. It is measured only if nothing was
 * adjusted since it was taken and, if it is older, only if the baseline does not trail: the peak
 * may be newer. Nor if the account did not hold its capital yet: see measure-tracker.ts.
 */
export function trackLateReading(
  account: LiveAccount,
  tracker: LiveTracker,
  reading: Reading,
  effects: FoldEffects,
): void {
  const { rule } = tracker;
  const { utcMs } = reading;
  const isMeasurable =
    utcMs >= tracker.periodStartUtcMs &&
    utcMs >= tracker.measurableFromUtcMs &&
    isMeasuring(tracker, utcMs) &&
    (!rule.startsAtCapital || utcMs >= account.clock.utcOf(account.fundedTimeMs, Number.NaN)) &&
    (!rule.trailing || utcMs === account.lastUtcMs);
  if (!isMeasurable) return;
  const { baseline } = tracker;
  show(account, tracker, reading, effects);
  // If this moment is sent again, its first snapshots must not be measured against a later peak.
  const isRaised = rule.trailing && tracker.baseline > baseline;
  if (isRaised) tracker.measurableFromUtcMs = utcMs + 1;
}

/**
 * Counts a deal that came too late to be put in its place: by its time, it is in the newest
 * reading. Earlier measurements stay. Where no movement lacks a deal, one that moves the balance
 * and is from up to `slackMs` after the reading that the tracker began with is in that one.
 */
export function trackLateDeal(
  account: LiveAccount,
  tracker: LiveTracker,
  deal: KnownDeal,
  slackMs = 0,
): void {
  if (!isRunning(tracker)) return;
  const isMissed = tracker.unexplained !== 0 || bookedBy(deal) === 0;
  if (!(deal.utcMs > tracker.basisUtcMs + (isMissed ? 0 : slackMs))) {
    if (!isBefore(deal, tracker.periodStartUtcMs)) countTradeDay(tracker, deal);
    return;
  }
  tracker.unexplained -= bookedBy(deal);
  if (!isBefore(deal, tracker.periodStartUtcMs)) {
    includeDeal(tracker, deal, account.lastUtcMs + 1);
  } else {
    correctStart(tracker, bookedBy(deal), fundsOf(deal));
    measureOnlyFrom(tracker, account.lastUtcMs + 1);
  }
}

function includeDeal(tracker: LiveTracker, deal: KnownDeal, fromUtcMs: number): void {
  const isInPeriod = !isBefore(deal, tracker.periodStartUtcMs);
  if (isInPeriod) countTradeDay(tracker, deal);
  if (isInPeriod && isFunding(tracker, deal)) {
    fundPeriod(tracker, deal.money);
    measureOnlyFrom(tracker, fromUtcMs);
  } else if (adjust(tracker, deal)) measureOnlyFrom(tracker, fromUtcMs);
}

/** Judges the running period by the account's last reading, before later deals count. */
function judgeEnded(account: LiveAccount, tracker: LiveTracker, effects: FoldEffects): void {
  const { lastTimeMs: timeMs, lastUtcMs: utcMs, balance, equity, receivedUtcMs } = account;
  // The last reading of a period without any is of one before it, which was judged already.
  if (!tracker.rule.judgedAtEnd || !(utcMs >= tracker.periodStartUtcMs)) return;
  if (!isMeasuring(tracker, utcMs)) return;
  const last = lookAt(tracker, { timeMs, utcMs, balance, equity, receivedUtcMs });
  judgePeriod(account, tracker, last, effects);
}

function show(
  account: LiveAccount,
  tracker: LiveTracker,
  reading: Reading,
  effects: FoldEffects,
): void {
  measure(account, tracker, lookAt(tracker, reading), effects);
}

function lookAt(tracker: LiveTracker, reading: Reading): Seen {
  const booked = tracker.adjustment - tracker.creditAdjustment;
  const adjustment = tracker.rule.ofBalance
    ? reading.equity - reading.balance + booked
    : tracker.adjustment;
  seen.timeMs = reading.timeMs;
  seen.receivedUtcMs = reading.receivedUtcMs;
  seen.balance = reading.balance;
  seen.equity = reading.equity;
  seen.leastAdjustment = adjustment;
  seen.mostAdjustment = adjustment;
  seen.mostBooked = booked;
  return seen;
}

/** Earlier snapshots were measured without the deal; sent again, they must not include it. */
function measureOnlyFrom(tracker: LiveTracker, utcMs: number): void {
  tracker.measurableFromUtcMs = Math.max(tracker.measurableFromUtcMs, utcMs);
}

/** Counts distinct days, except those more than 32 days before the newest: the bits end there. */
function countTradeDay(tracker: LiveTracker, deal: KnownDeal): void {
  if (deal.type === 'DEAL_TYPE_BALANCE' || isCredit(deal)) return;
  const day = Math.floor(deal.timeMs / DAY_MS);
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
