import type { Money } from '../money.ts';
import type { Trade } from '../trade.ts';
import { isResult, isTransfer } from './transfers.ts';

/** Where an account stands after a line of its history. */
export type GrowthPoint = {
  trade: Trade;
  balance: Money;
  /** Sum of the results so far, without deposits and withdrawals. */
  result: Money;
  /** What one unit of capital that was in from the start has become; 1 at the start, at least 0. */
  index: number;
};

/**
 * The time-weighted course of an account: each result multiplies the index by 1 + result / balance
 * before it, and transfers leave it alone. Between two transfers these factors make 1 + P/OB with
 * the result P of the sub-period and its opening balance OB, the rule that Myfxbook publishes for
 * gain. A result that meets no positive balance leaves the index alone, since it has no rate; one
 * that loses all of it ends at 0.
 * @param trades in the order of their closing
 */
export function growthOf(trades: readonly Trade[], balanceBefore: Money): GrowthPoint[] {
  let balance = balanceBefore;
  let result = 0;
  let index = 1;
  return trades
    .filter((trade) => isResult(trade) || isTransfer(trade))
    .map((trade) => {
      if (isResult(trade)) {
        if (balance > 0) index *= Math.max(0, 1 + trade.profit / balance);
        result += trade.profit;
      }
      balance += trade.profit;
      return { trade, balance, result, index };
    });
}

/** Time-weighted gain in percent: 5 for an index that grew from 1 to 1.05. Noise is rounded off. */
export const gainPercentOf = (fromIndex: number, toIndex: number): number | undefined =>
  fromIndex > 0 ? Number(((toIndex / fromIndex - 1) * 100).toFixed(8)) || 0 : undefined;
