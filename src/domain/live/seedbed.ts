import type { BrokerTimeMs } from '../broker-time.ts';
import type { Money } from '../money.ts';
import { reach } from './enter-period.ts';
import { FoldEffects } from './fold-effects.ts';
import { trackLateDeal, trackReading } from './fold-tracker.ts';
import { type AdjustmentRange, adjustmentOf, type Range } from './hour-contents.ts';
import { bookedBy, fundsOf, type KnownDeal } from './known-deals.ts';
import { LiveAccount, NO_DEALS } from './live-account.ts';
import type { LiveDeal } from './live-records.ts';
import { isMeasuring, type LiveTracker, NOT_EXCEEDED } from './live-tracker.ts';
import { judgePeriod, measure } from './measure-tracker.ts';
import { isFundedBy, isFunding, startAtReading, startBaselineWithin } from './tracker-baseline.ts';
import { addTracker } from './tracker-changes.ts';
import type { TrackerDefinition } from './tracker-definition.ts';
import type { TrackerRules } from './tracker-rule.ts';

/** A figure of an account at some moment of an hour. */
export type Figure = {
  timeMs: BrokerTimeMs;
  utcMs: number;
  balance: Money;
  equity: Money;
  /** The tracker's adjustment then; undefined if that, or the baseline of then, is not known. */
  adjustment: AdjustmentRange | undefined;
};

/** The account that a tracker is seeded in: as it was then, with no other tracker. */
export class Seedbed {
  readonly tracker: LiveTracker;
  /** The account as it stood when the seeding began. */
  readonly now: LiveAccount;
  readonly effects = new FoldEffects();
  readonly past: LiveAccount;
  /** Money of deals since the last figure: of all but credit, and of all but trades. */
  newer = { money: 0, funds: 0 };
  /** How much larger the newer funds may be. */
  #fundsSpread = 0;
  /** The newest figure, if its adjustment and period are known. */
  #last: Figure | undefined;

  constructor(account: LiveAccount, definition: TrackerDefinition, rules: TrackerRules) {
    this.now = account.copy();
    this.past = new LiveAccount(account.id, account.clock);
    this.tracker = addTracker(this.past, definition, rules);
  }

  /** The UTC of a wall time; without `lastUtcMs`, the first of a time shown twice. */
  utcOf(timeMs: BrokerTimeMs, lastUtcMs = Number.NaN): number {
    return this.past.clock.utcOf(timeMs, lastUtcMs);
  }

  reach(timeMs: BrokerTimeMs, utcMs: number): void {
    const { tracker, past } = this;
    const { periodStartUtcMs } = tracker;
    const { length: included } = past.waitingDeals;
    reach(past, tracker, { timeMs, utcMs, included }, this.effects);
    if (tracker.periodStartUtcMs !== periodStartUtcMs) this.#boundStart();
  }

  fold(deal: LiveDeal, timeMs: BrokerTimeMs, utcMs: number): void {
    const known = { ...deal, timeMs, utcMs, endUtcMs: utcMs };
    this.reach(timeMs, utcMs);
    // Earlier figures are without the money that now becomes the period's first.
    if (isFunding(this.tracker, known)) this.#last = undefined;
    trackLateDeal(this.past, this.tracker, known);
    if (utcMs <= this.past.lastUtcMs) return;
    const { money, funds } = this.newer;
    this.#setNewer(money + bookedBy(known), funds + fundsOf(known));
  }

  /** Folds a snapshot whose moment and adjustment are known. */
  see({ timeMs, utcMs, balance, equity }: Omit<Figure, 'adjustment'>): void {
    this.#noteFunding(balance, equity);
    this.reach(timeMs, utcMs);
    const { waitingDeals } = this.past;
    this.past.waitingDeals = NO_DEALS;
    const reading = { timeMs, utcMs, balance, equity, receivedUtcMs: Number.NaN };
    const placed = { ...reading, waiting: NO_DEALS, included: 0, unexplained: 0 };
    trackReading(this.past, this.tracker, placed, this.effects);
    this.past.waitingDeals = waitingDeals;
  }

  /** Measures a figure. With `mayFund`, it may be the one that funds a period without money. */
  measure(figure: Figure, mayFund: boolean): void {
    const { past, tracker, effects } = this;
    const { timeMs, utcMs, balance, equity } = figure;
    if (tracker.exceeded !== NOT_EXCEEDED) return;
    this.#noteFunding(balance, equity);
    let { adjustment } = figure;
    if (Number.isNaN(tracker.baseline) || (mayFund && isFundedBy(tracker, balance))) {
      startAtReading(tracker, { timeMs, utcMs, balance, equity, receivedUtcMs: Number.NaN });
      adjustment = adjustmentOf(tracker);
    }
    if (!adjustment) return;
    const { least: leastAdjustment, most: mostAdjustment, mostBooked } = adjustment;
    const figures = { timeMs, receivedUtcMs: Number.NaN, balance, equity };
    measure(past, tracker, { ...figures, leastAdjustment, mostAdjustment, mostBooked }, effects);
  }

  /** Judges a period that ends by a moment, with no figure between the newest and the moment. */
  judge(utcMs: number): void {
    const { past, tracker, effects } = this;
    const last = this.#last;
    if (!tracker.rule.judgedAtEnd || utcMs < tracker.periodEndUtcMs || !last?.adjustment) return;
    if (last.utcMs < tracker.periodStartUtcMs || !isMeasuring(tracker, last.utcMs)) return;
    const { least: leastAdjustment, most: mostAdjustment, mostBooked } = last.adjustment;
    const range = { leastAdjustment, mostAdjustment, mostBooked };
    judgePeriod(past, tracker, { ...last, ...range, receivedUtcMs: Number.NaN }, effects);
  }

  /** Leaves the account as of a snapshot, with the money of the deals since. */
  stand(
    figure: Omit<Figure, 'adjustment'> & Partial<Figure>,
    newerMoney = 0,
    newerFunds: Range = { least: 0, most: 0 },
  ): void {
    const { past } = this;
    const { timeMs, utcMs, balance, equity, adjustment } = figure;
    this.#last = adjustment && { ...figure, adjustment };
    this.#noteFunding(balance, equity);
    past.lastTimeMs = timeMs;
    past.lastUtcMs = utcMs;
    past.balance = balance;
    past.equity = equity;
    this.#setNewer(newerMoney, newerFunds.least);
    this.#fundsSpread = newerFunds.most - newerFunds.least;
  }

  /** Bounds the equity at the start of the running period, if it is not known exactly. */
  #boundStart(): void {
    const { past, tracker } = this;
    const { initialBalance: balance } = tracker;
    if (this.#fundsSpread === 0) return;
    const equity = past.equity + this.newer.funds;
    const most = { balance, equity: equity + this.#fundsSpread };
    startBaselineWithin(tracker, { balance, equity }, most);
  }

  /**
   * As two deals that no figure includes yet: their times don't matter, they precede all figures.
   */
  #setNewer(money: Money, funds: Money): void {
    this.newer = { money, funds };
    const common = { id: '', timeMs: 0, utcMs: Number.NEGATIVE_INFINITY, endUtcMs: 0 };
    const deals: KnownDeal[] = [
      { ...common, type: 'DEAL_TYPE_BUY', money },
      { ...common, type: 'DEAL_TYPE_CREDIT', money: funds },
    ];
    this.past.waitingDeals = money === 0 && funds === 0 ? NO_DEALS : deals;
  }

  #noteFunding(balance: Money, equity: Money): void {
    if (balance > 0 || equity > 0) this.past.fundedTimeMs = this.now.fundedTimeMs;
  }
}
