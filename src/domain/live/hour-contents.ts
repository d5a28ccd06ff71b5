import { isCredit, isTradeDeal } from '../deal.ts';
import type { Money } from '../money.ts';
import type { EquityHour, LiveDeal } from './live-records.ts';

/** The possible values of a number, both ends inclusive. */
export type Range = { least: number; most: number };

/** A tracker's possible adjustments, and the most of them that a balance includes: no credit. */
export type AdjustmentRange = Range & { mostBooked: Money };

type Adjusted = { adjustment: Money; creditAdjustment: Money };

export const adjustmentOf = ({ adjustment, creditAdjustment }: Adjusted): AdjustmentRange => ({
  least: adjustment,
  most: adjustment,
  mostBooked: adjustment - creditAdjustment,
});

const adjusted = (range: AdjustmentRange | undefined, now: AdjustmentRange): AdjustmentRange =>
  range
    ? {
        least: Math.min(now.least, range.least),
        most: Math.max(now.most, range.most),
        mostBooked: Math.max(now.mostBooked, range.mostBooked),
      }
    : now;

const widened = (range: Range | undefined, value: number): Range =>
  range
    ? { least: Math.min(value, range.least), most: Math.max(value, range.most) }
    : { least: value, most: value };

/**
 * Finds which deals of an hour its first and last snapshots include, and so a tracker's adjustment
 * at each. Their times are unknown, but not their balances: a snapshot includes as many of the
 * first deals as lead to its balance. If several numbers of deals do, or none does, the adjustment
 * is a range.
 */
export class HourContents {
  readonly #hour: EquityHour;
  /** After the deals added so far. */
  #balance: Money;
  /** Of deals other than credit, and of deals other than trades, as in LiveAccount. */
  #sums = { money: 0, funds: 0 };
  #funds: Range = { least: 0, most: 0 };
  /** Undefined from the funding to the deal that is added next. */
  #all: AdjustmentRange | undefined;
  #isFunded = false;
  #positive: Range | undefined;
  #start: AdjustmentRange | undefined;
  #last: AdjustmentRange | undefined;
  #moneyAtLast: Money | undefined;
  #fundsAtLast: Range | undefined;

  constructor(hour: EquityHour, balanceBefore: Money, tracker: Adjusted) {
    this.#hour = hour;
    this.#balance = balanceBefore;
    this.#all = adjustmentOf(tracker);
    this.#compare(this.#all);
  }

  /** Adds the next deal, with the tracker's adjustment after it. */
  add(deal: LiveDeal, tracker: Adjusted): void {
    const { money, funds } = this.#sums;
    this.#sums = {
      money: isCredit(deal) ? money : money + deal.money,
      funds: isTradeDeal(deal) ? funds : funds + deal.money,
    };
    if (!isCredit(deal)) this.#balance += deal.money;
    this.#funds = widened(this.#funds, this.#sums.funds);
    const now = adjustmentOf(tracker);
    this.#all = adjusted(this.#all, now);
    this.#compare(now);
  }

  /** The deal that is added next funds the period: figures before it had another baseline. */
  fund(): void {
    this.#isFunded = true;
    this.#all = undefined;
    this.#start = undefined;
    this.#last = undefined;
  }

  /** The adjustment at any snapshot of the hour; undefined if some may be before the funding. */
  get all(): AdjustmentRange | undefined {
    return this.#isFunded ? undefined : this.#all;
  }

  get atStart(): AdjustmentRange | undefined {
    return this.#start ?? this.all;
  }

  get atLast(): AdjustmentRange | undefined {
    return this.#last ?? this.all;
  }

  /** Whether the deals lead to the balances of both snapshots. */
  get isExplained(): boolean {
    return this.#start !== undefined && this.#last !== undefined;
  }

  get isStartExplained(): boolean {
    return this.#start !== undefined;
  }

  get isLastExplained(): boolean {
    return this.#moneyAtLast !== undefined;
  }

  /** The positive balances reached by the deals. */
  get positiveBalances(): Range | undefined {
    return this.#positive;
  }

  get balance(): Money {
    return this.#balance;
  }

  /** The money that the last snapshot lacks: none, if no number of deals leads to its balance. */
  get newer(): { money: Money; funds: Range } {
    const { money, funds } = this.#sums;
    const atLast = this.#fundsAtLast ?? { least: funds, most: funds };
    return {
      money: money - (this.#moneyAtLast ?? money),
      funds: { least: funds - atLast.most, most: funds - atLast.least },
    };
  }

  /** How far deals other than trades may have moved the equity within the hour. */
  get fundsSpread(): Money {
    return this.#funds.most - this.#funds.least;
  }

  #compare(now: AdjustmentRange): void {
    const { startBalance, lastBalance } = this.#hour;
    if (this.#balance > 0) this.#positive = widened(this.#positive, this.#balance);
    if (this.#balance === startBalance) {
      // The last snapshot is no earlier than the first: earlier matches do not count.
      if (!this.#start) {
        this.#last = undefined;
        this.#moneyAtLast = undefined;
        this.#fundsAtLast = undefined;
      }
      this.#start = adjusted(this.#start, now);
    }
    if (this.#balance !== lastBalance) return;
    this.#last = adjusted(this.#last, now);
    this.#moneyAtLast = this.#sums.money;
    this.#fundsAtLast = widened(this.#fundsAtLast, this.#sums.funds);
  }
}
