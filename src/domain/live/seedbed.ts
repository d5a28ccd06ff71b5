import type { BrokerTimeMs } from '../broker-time.ts';
import type { Money } from '../money.ts';
import { reach } from './enter-period.ts';
import { foldDeal } from './fold-deals.ts';
import { trackSnapshot } from './fold-tracker.ts';
import { type AdjustmentRange, adjustmentOf, type Range } from './hour-contents.ts';
import { LiveAccount } from './live-account.ts';
import { FoldEffects, type LiveDeal } from './live-records.ts';
import { type LiveTracker, NOT_EXCEEDED } from './live-tracker.ts';
import { measure } from './measure-tracker.ts';
import { isFundedBy, startAtSnapshot, startBaselineWithin } from './tracker-baseline.ts';
import { addTracker } from './tracker-changes.ts';
import type { TrackerDefinition } from './tracker-definition.ts';
import type { TrackerRules } from './tracker-rule.ts';

/** What an account had at some moment of an hour. */
export type Figure = {
  timeMs: BrokerTimeMs;
  utcMs: number;
  balance: Money;
  equity: Money;
  /** The tracker's adjustment then; undefined if that, or the baseline of then, is not known. */
  adjustment: AdjustmentRange | undefined;
};

/** What a tracker is seeded in: its account as of the past, with no other tracker. */
export class Seedbed {
  readonly tracker: LiveTracker;
  /** The account as it stood when the seeding began. */
  readonly now: LiveAccount;
  readonly effects = new FoldEffects();
  readonly past: LiveAccount;
  /** How much more than `past.newerFunds` the newer funds may be. */
  #fundsSpread = 0;

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
    const { periodStartUtcMs } = this.tracker;
    reach(this.past, this.tracker, timeMs, utcMs, this.effects);
    if (this.tracker.periodStartUtcMs !== periodStartUtcMs) this.#boundStart();
  }

  fold(deal: LiveDeal, timeMs: BrokerTimeMs, utcMs: number): void {
    const { periodStartUtcMs } = this.tracker;
    foldDeal(this.past, deal, timeMs, utcMs, this.effects);
    if (this.tracker.periodStartUtcMs !== periodStartUtcMs) this.#boundStart();
  }

  /** Folds a snapshot whose moment and adjustment are known. */
  see({ timeMs, utcMs, balance, equity }: Omit<Figure, 'adjustment'>): void {
    this.#noteFunding(balance, equity);
    this.past.ahead = [];
    trackSnapshot(this.past, this.tracker, timeMs, utcMs, balance, equity, this.effects);
  }

  /** Measures a figure. With `mayFund`, it may be the one that funds a period without money. */
  measure(figure: Figure, mayFund: boolean): void {
    const { past, tracker, effects } = this;
    const { timeMs, utcMs, balance, equity } = figure;
    if (tracker.exceeded !== NOT_EXCEEDED) return;
    this.#noteFunding(balance, equity);
    let { adjustment } = figure;
    if (Number.isNaN(tracker.baseline) || (mayFund && isFundedBy(tracker, balance))) {
      startAtSnapshot(tracker, utcMs, balance, equity, { money: 0, credit: 0 });
      adjustment = adjustmentOf(tracker);
    }
    if (!adjustment) return;
    const { least, most, mostBooked } = adjustment;
    measure(past, tracker, timeMs, balance, equity, least, most, mostBooked, effects);
  }

  /** Leaves the account as of a snapshot, with the money of the deals since. */
  stand(
    { timeMs, utcMs, balance, equity }: Omit<Figure, 'adjustment'>,
    newerMoney = 0,
    newerFunds: Range = { least: 0, most: 0 },
  ): void {
    const { past } = this;
    this.#noteFunding(balance, equity);
    past.lastTimeMs = timeMs;
    past.lastUtcMs = utcMs;
    past.balance = balance;
    past.equity = equity;
    past.newerMoney = newerMoney;
    past.newerFunds = newerFunds.least;
    past.ahead = [];
    this.#fundsSpread = newerFunds.most - newerFunds.least;
  }

  /** Bounds the equity at the start of the running period, if it is not known exactly. */
  #boundStart(): void {
    const { past, tracker } = this;
    const { initialBalance: balance } = tracker;
    if (this.#fundsSpread === 0) return;
    const equity = past.equity + past.newerFunds;
    const most = { balance, equity: equity + this.#fundsSpread };
    startBaselineWithin(tracker, { balance, equity }, most);
  }

  #noteFunding(balance: Money, equity: Money): void {
    if (balance > 0 || equity > 0) this.past.fundedTimeMs = this.now.fundedTimeMs;
  }
}
