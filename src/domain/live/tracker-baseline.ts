import type { DealType } from '../../words/deals.ts';
import { isCredit, isWithdrawal } from '../deal.ts';
import type { Money } from '../money.ts';
import type { Reading } from './deal-placement.ts';
import { fundsOf, isBefore, type KnownDeal } from './known-deals.ts';
import type { LiveDeal } from './live-records.ts';
import { type LiveTracker, NOT_EXCEEDED } from './live-tracker.ts';
import { relativeBase } from './tracker-records.ts';
import { allowedBy, quietUpTo, type TrackerRule } from './tracker-rule.ts';

/*
 * The baseline of a running period, and how much loss it allows: derived each time from the balance
 * and equity at the start and the highest reading since. Unknown values are NaN.
 */

/** Deals that bring money to the balance without trading; credit is not part of it. */
const FUNDING = new Set<DealType>(['DEAL_TYPE_BALANCE', 'DEAL_TYPE_BONUS', 'DEAL_TYPE_CORRECTION']);

type Start = { balance: Money; equity: Money };

/** Sets the start of a period, and forgets peaks. */
export function startBaseline(tracker: LiveTracker, balance: Money, equity: Money): void {
  startBaselineWithin(tracker, { balance, equity }, { balance, equity });
}

/** Does so if only bounds of the start are known: no measure then exceeds its true value. */
export function startBaselineWithin(tracker: LiveTracker, least: Start, most: Start): void {
  tracker.leastStartBalance = least.balance;
  tracker.leastStartEquity = least.equity;
  tracker.mostStartBalance = most.balance;
  tracker.mostStartEquity = most.equity;
  tracker.peak = Number.NEGATIVE_INFINITY;
  tracker.peakIfTransferred = Number.NEGATIVE_INFINITY;
  deriveBaselines(tracker);
}

/**
 * Starts measuring at a reading, if the balance before was unknown or not positive. Its balance
 * includes all deals so far, except credit.
 */
export function startAtReading(tracker: LiveTracker, { utcMs, balance, equity }: Reading): void {
  // Money that came before anything was known is in this reading.
  if (Number.isNaN(tracker.basisUtcMs)) tracker.creditAdjustment = 0;
  tracker.initialBalance = balance;
  tracker.basisUtcMs = utcMs;
  tracker.measurableFromUtcMs = utcMs;
  tracker.adjustment = tracker.creditAdjustment;
  tracker.unexplained = 0;
  startBaseline(tracker, balance, equity - tracker.creditAdjustment);
}

/** Whether a period began without money and has had none since. */
const isUnfunded = (tracker: LiveTracker): boolean =>
  tracker.initialBalance <= 0 && tracker.exceeded === NOT_EXCEEDED;

/** Whether a snapshot is the first with money in a period that began without. */
export const isFundedBy = (tracker: LiveTracker, balance: Money): boolean =>
  balance > 0 && isUnfunded(tracker);

/** Whether a deal funds a period that began without money. */
export const isFunding = (tracker: LiveTracker, { type }: Pick<LiveDeal, 'type'>): boolean =>
  FUNDING.has(type) && isUnfunded(tracker);

/**
 * Money paid into a period that began without any joins its initial balance, so that relative
 * limits have a base. A start equity known only by its bounds remains so.
 */
export function fundPeriod(tracker: LiveTracker, money: Money): void {
  const { initialBalance, leastStartEquity, mostStartEquity } = tracker;
  const balance = initialBalance + money;
  tracker.initialBalance = balance;
  const least = { balance, equity: leastStartEquity + money };
  startBaselineWithin(tracker, least, { balance, equity: mostStartEquity + money });
}

/** Corrects the start for a deal from before the period that became known only now. */
export function correctStart(tracker: LiveTracker, booked: Money, funds: Money): void {
  tracker.initialBalance += booked;
  if (tracker.exceeded !== NOT_EXCEEDED) return;
  tracker.leastStartBalance += booked;
  tracker.mostStartBalance += booked;
  tracker.leastStartEquity += funds;
  tracker.mostStartEquity += funds;
  deriveBaselines(tracker);
}

/** The amount that a reading takes out of its equity for a deal it includes. */
export function adjustmentBy({ rule, periodStartUtcMs }: LiveTracker, deal: KnownDeal): Money {
  // Owed since the period's start: see enter-period.ts.
  if (isBefore(deal, periodStartUtcMs)) return fundsOf(deal);
  if (rule.onPayout !== 'follows' && isWithdrawal(deal)) return 0;
  return rule.adjustDeals.includes(deal.type) ? deal.money : 0;
}

/** Takes a deal out of all later equities. */
export function adjust(tracker: LiveTracker, deal: KnownDeal): boolean {
  const money = adjustmentBy(tracker, deal);
  tracker.adjustment += money;
  if (isCredit(deal)) tracker.creditAdjustment += money;
  return lockFloor(tracker, deal) || money !== 0;
}

/** Puts the floor where it locks, if a deal is a payout that does so. */
function lockFloor(tracker: LiveTracker, deal: KnownDeal): boolean {
  const { rule, periodStartUtcMs } = tracker;
  if (rule.onPayout !== 'locks' || !isWithdrawal(deal)) return false;
  if (isBefore(deal, periodStartUtcMs)) return false;
  tracker.peak = rule.baselineCap;
  tracker.peakIfTransferred = rule.baselineCap;
  deriveBaselines(tracker);
  return true;
}

/** Raises the peak to a reading without its adjustment, if it is higher. */
export function raisePeak(tracker: LiveTracker, reading: Money): void {
  const { unexplained, rule } = tracker;
  if (unexplained !== 0 && reading - unexplained > baselineIfTransferred(tracker)) {
    tracker.peakIfTransferred = Math.min(reading - unexplained, rule.baselineCap);
  }
  if (!(reading > tracker.baseline) || tracker.baseline >= rule.baselineCap) return;
  tracker.peak = Math.min(reading, rule.baselineCap);
  deriveBaselines(tracker);
}

/** Notes that the balance moved, and no deal explains it. */
export function noteUnexplained(tracker: LiveTracker, money: Money): void {
  if (tracker.unexplained === 0) tracker.peakIfTransferred = tracker.peak;
  tracker.unexplained += money;
}

/** The baseline if all of the period's unexplained movements were transfers. */
export function baselineIfTransferred(tracker: LiveTracker): Money {
  return baselineOf(tracker, tracker.peakIfTransferred);
}

function baselineOf(tracker: LiveTracker, peak: Money): Money {
  const { rule, leastStartBalance, leastStartEquity } = tracker;
  const start = baselineAtStart(rule, leastStartBalance, leastStartEquity);
  return Math.min(rule.trailing ? Math.max(start, peak) : start, rule.baselineCap);
}

function deriveBaselines(tracker: LiveTracker): void {
  const { rule, mostStartBalance, mostStartEquity } = tracker;
  tracker.baseline = baselineOf(tracker, tracker.peak);
  tracker.drawdownAllowed = drawdownAllowedFrom(rule, tracker.baseline);
  tracker.warnAllowed = tracker.warned
    ? Number.POSITIVE_INFINITY
    : quietUpTo(rule, tracker.drawdownAllowed);
  tracker.profitBaseline = baselineAtStart(rule, mostStartBalance, mostStartEquity);
  const base = relativeBase(rule, tracker.profitBaseline);
  tracker.profitAllowed = allowedBy(rule, base, rule.absoluteProfit, rule.relativeProfit);
}

export const drawdownAllowedFrom = (rule: TrackerRule, baseline: Money): Money =>
  allowedBy(rule, relativeBase(rule, baseline), rule.absoluteDrawdown, rule.relativeDrawdown);

/** NaN while a value that it needs is unknown. */
function baselineAtStart(rule: TrackerRule, initialBalance: Money, startEquity: Money): Money {
  if (Number.isNaN(initialBalance)) return Number.NaN;
  switch (rule.baseline) {
    case 'startBalance':
      return initialBalance;
    case 'startEquity':
      return startEquity;
    case 'maxOfBoth':
      return Math.max(initialBalance, startEquity);
    case 'initialCapital':
      return rule.initialCapital;
    case 'peakEquity':
    case 'peakBalance':
    case 'peakEndOfDayBalance':
      return rule.startsAtCapital ? Math.max(initialBalance, rule.initialCapital) : initialBalance;
  }
}
