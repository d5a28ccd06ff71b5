import type { DealType } from '../../words/deals.ts';
import type { Money } from '../money.ts';
import type { LiveDeal } from './live-records.ts';
import { type LiveTracker, NOT_EXCEEDED } from './live-tracker.ts';
import { relativeBase } from './tracker-records.ts';
import { allowedBy, quietUpTo, type TrackerRule } from './tracker-rule.ts';

/*
 * What a running period is measured from, and how much it allows. Unknown values are NaN.
 */

/** Deals that bring money to the balance without trading; credit lies beside it. */
const FUNDING = new Set<DealType>(['DEAL_TYPE_BALANCE', 'DEAL_TYPE_BONUS', 'DEAL_TYPE_CORRECTION']);

/** Sets what a period is measured from at its start, and forgets peaks. */
export function startBaseline(
  tracker: LiveTracker,
  initialBalance: Money,
  startEquity: Money,
): void {
  const { rule } = tracker;
  const start = baselineAtStart(rule, initialBalance, startEquity);
  setProfitBaseline(tracker, start);
  setBaseline(tracker, Math.min(start, rule.baselineCap));
}

/** The same if only bounds of the start are known: no measure then exceeds its true value. */
export function startBaselineWithin(
  tracker: LiveTracker,
  least: { balance: Money; equity: Money },
  most: { balance: Money; equity: Money },
): void {
  startBaseline(tracker, least.balance, least.equity);
  setProfitBaseline(tracker, baselineAtStart(tracker.rule, most.balance, most.equity));
}

/**
 * Starts measuring at a snapshot, if the balance before was unknown or not positive. Its balance
 * includes all deals so far, except credit and the deals ahead of it.
 */
export function startAtSnapshot(
  tracker: LiveTracker,
  utcMs: number,
  balance: Money,
  equity: Money,
  ahead: { money: Money; credit: Money },
): void {
  // What came before anything was known is in this snapshot, or ahead of it.
  if (Number.isNaN(tracker.basisUtcMs)) tracker.creditAdjustment = ahead.credit;
  tracker.initialBalance = balance;
  tracker.basisUtcMs = utcMs;
  tracker.measurableFromUtcMs = utcMs;
  tracker.adjustment = tracker.creditAdjustment + ahead.money - ahead.credit;
  startBaseline(tracker, balance, equity - (tracker.creditAdjustment - ahead.credit));
}

/** Whether a period began without money and has not been funded since. */
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
  tracker.initialBalance += money;
  const { initialBalance: balance, baseline, profitBaseline } = tracker;
  const least = { balance, equity: baseline + money };
  startBaselineWithin(tracker, least, { balance, equity: profitBaseline + money });
}

/** Corrects for a deal from before the period that became known only now. */
export function correctInitialBalance(tracker: LiveTracker, money: Money): void {
  const { rule } = tracker;
  tracker.initialBalance += money;
  if (tracker.exceeded !== NOT_EXCEEDED) return;
  const initialBalance = tracker.initialBalance;
  if (rule.baseline === 'startBalance') startBaseline(tracker, initialBalance, Number.NaN);
  else if (rule.trailing) raiseBaseline(tracker, initialBalance);
}

/** Moves a trailing baseline up to a new peak, though not above its cap. */
export function raiseBaseline(tracker: LiveTracker, peak: Money): void {
  const baseline = Math.min(peak, tracker.rule.baselineCap);
  if (baseline > tracker.baseline) setBaseline(tracker, baseline);
}

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

function setBaseline(tracker: LiveTracker, baseline: Money): void {
  const { rule } = tracker;
  const base = relativeBase(rule, baseline);
  tracker.baseline = baseline;
  const allowed = allowedBy(rule, base, rule.absoluteDrawdown, rule.relativeDrawdown);
  tracker.drawdownAllowed = allowed;
  tracker.warnAllowed = tracker.warned ? Number.POSITIVE_INFINITY : quietUpTo(rule, allowed);
}

function setProfitBaseline(tracker: LiveTracker, baseline: Money): void {
  const { rule } = tracker;
  const base = relativeBase(rule, baseline);
  tracker.profitBaseline = baseline;
  tracker.profitAllowed = allowedBy(rule, base, rule.absoluteProfit, rule.relativeProfit);
}
