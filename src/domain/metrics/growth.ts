import type { Money } from '../money.ts';
import type { Trade } from '../trade.ts';
import { isResult, isTransfer } from './transfers.ts';

/** Growth stops counting here, so that gains on next to nothing never grow beyond numbers. */
const MOST_GROWTH = 1e15;

/** Where an account stands after a line of its history. */
export type GrowthPoint = {
  trade: Trade;
  balance: Money;
  /** Sum of the results so far, without deposits and withdrawals. */
  result: Money;
  /** What the line made of one unit of capital: 1 + its result / the balance before; at least 0. */
  factor: number;
  /** What one unit that was in from the start has become: the product of the factors so far. */
  index: number;
};

/**
 * The time-weighted course of an account: each result has the factor 1 + result / balance before
 * it, each transfer 1. Between two transfers the factors make 1 + P/OB with the result P of the
 * sub-period and its opening balance OB, the rule that Myfxbook publishes for gain. A result that
 * meets no positive balance has the factor 1, since it has no rate; one that loses all has 0.
 * @param trades in the order of their closing
 */
export function growthOf(trades: readonly Trade[], balanceBefore: Money): GrowthPoint[] {
  let balance = balanceBefore;
  let result = 0;
  let index = 1;
  return trades
    .filter((trade) => isResult(trade) || isTransfer(trade))
    .map((trade) => {
      const earned = isResult(trade) ? trade.profit : 0;
      const factor = balance > 0 ? Math.max(0, 1 + earned / balance) : 1;
      index = chained(index, factor);
      result += earned;
      balance += trade.profit;
      return { trade, balance, result, factor, index };
    });
}

/**
 * Whether the account had money before its first result. Where it had not, its history does not begin
 * with the money that it earned on, and neither a gain nor a drawdown in percent is defined.
 */
export function isFunded(growth: readonly GrowthPoint[]): boolean {
  const first = growth.find(({ trade }) => isResult(trade));
  return first === undefined || first.balance - first.trade.profit > 0;
}

/** The product of factors so far with one more, up to a bound. */
export const chained = (product: number, factor: number): number =>
  Math.min(product * factor, MOST_GROWTH);

/** A product of factors as a gain in percent: 5 for 1.05. Rounded to 1e-8. */
export const gainPercentOf = (product: number): number =>
  Number(((product - 1) * 100).toFixed(8)) || 0;
