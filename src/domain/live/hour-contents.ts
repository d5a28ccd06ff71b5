import { isCredit, isTradeDeal } from '../deal.ts';
import type { Money } from '../money.ts';
import type { EquityHour, LiveDeal } from './live-records.ts';

/** What a number may be. */
export type Range = { least: number; most: number };

const widened = (range: Range | undefined, value: number): Range =>
  range
    ? { least: Math.min(value, range.least), most: Math.max(value, range.most) }
    : { least: value, most: value };

/**
 * Which deals of an hour its first and its last snapshot contain. When they were taken is not known,
 * but their balances are: a snapshot contains the first so many deals that lead to its balance.
 * What is asked for is a tracker's adjustment at each of them; where several numbers of deals lead to a
 * balance, or none does, it lies in a range.
 */
export class HourContents {
  readonly #hour: EquityHour;
  /** The balance before all deals. */
  #balance: Money;
  /** Of deals without credit, and of deals other than trades, as LiveAccount has them. */
  #sums = { money: 0, funds: 0 };
  #funds: Range = { least: 0, most: 0 };
  /** Undefined since the funding until the next deal. */
  #all: Range | undefined;
  #isFunded = false;
  #positive: Range | undefined;
  #start: Range | undefined;
  #last: Range | undefined;
  #moneyAtLast: Money | undefined;
  #fundsAtLast: Range | undefined;

  constructor(hour: EquityHour, balanceBefore: Money, adjustment: Money) {
    this.#hour = hour;
    this.#balance = balanceBefore;
    this.#all = widened(undefined, adjustment);
    this.#compare(adjustment);
  }

  /** Adds the next deal, with the tracker's adjustment after it. */
  add(deal: LiveDeal, adjustment: Money): void {
    const { money, funds } = this.#sums;
    this.#sums = {
      money: isCredit(deal) ? money : money + deal.money,
      funds: isTradeDeal(deal) ? funds : funds + deal.money,
    };
    if (!isCredit(deal)) this.#balance += deal.money;
    this.#funds = widened(this.#funds, this.#sums.funds);
    this.#all = widened(this.#all, adjustment);
    this.#compare(adjustment);
  }

  /** The deal that comes next funds the period: what is before was measured from something else. */
  fund(): void {
    this.#isFunded = true;
    this.#all = undefined;
    this.#start = undefined;
    this.#last = undefined;
  }

  /** The adjustment at any snapshot of the hour; undefined if they may be before the funding. */
  get all(): Range | undefined {
    return this.#isFunded ? undefined : this.#all;
  }

  get atStart(): Range | undefined {
    return this.#start ?? this.all;
  }

  get atLast(): Range | undefined {
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

  /** Balances above zero that the deals led to. */
  get positiveBalances(): Range | undefined {
    return this.#positive;
  }

  /** The balance after all deals. */
  get balance(): Money {
    return this.#balance;
  }

  /** What the last snapshot does not contain: nothing, if no number of deals leads to its balance. */
  get newer(): { money: Money; funds: Range } {
    const { money, funds } = this.#sums;
    const atLast = this.#fundsAtLast ?? { least: funds, most: funds };
    return {
      money: money - (this.#moneyAtLast ?? money),
      funds: { least: funds - atLast.most, most: funds - atLast.least },
    };
  }

  /** How much the equity may have changed by deals other than trades. */
  get fundsSpread(): Money {
    return this.#funds.most - this.#funds.least;
  }

  #compare(adjustment: Money): void {
    const { startBalance, lastBalance } = this.#hour;
    if (this.#balance > 0) this.#positive = widened(this.#positive, this.#balance);
    if (this.#balance === startBalance) {
      // The last snapshot is not earlier than the first.
      if (!this.#start) {
        this.#last = undefined;
        this.#moneyAtLast = undefined;
        this.#fundsAtLast = undefined;
      }
      this.#start = widened(this.#start, adjustment);
    }
    if (this.#balance !== lastBalance) return;
    this.#last = widened(this.#last, adjustment);
    this.#moneyAtLast = this.#sums.money;
    this.#fundsAtLast = widened(this.#fundsAtLast, this.#sums.funds);
  }
}
