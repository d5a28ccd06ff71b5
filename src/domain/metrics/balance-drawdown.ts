import type { Money } from '../money.ts';

/** Falls of a balance, as the terminals' reports state them; all at least 0. */
export type BalanceDrawdown = {
  /** Start less lowest balance. */
  absolute: Money;
  /** The largest fall from a high in money, and that fall in percent of its high. */
  maximal: Money;
  maximalPercent: number;
  /** The fall that is largest in percent of its high, and its money. */
  relative: Money;
  relativePercent: number;
};

/**
 * @param start balance before the first result; the first high
 * @param results changes of the balance, in their order
 * Source: MetaTrader 5 help, Trading report, Balance Drawdown.
 */
export function balanceDrawdownOf(start: Money, results: readonly Money[]): BalanceDrawdown {
  let balance = start;
  let high = start;
  let low = start;
  let [maximal, maximalPercent, relative, relativePercent] = [0, 0, 0, 0];
  for (const result of results) {
    balance += result;
    high = Math.max(high, balance);
    low = Math.min(low, balance);
    const fall = high - balance;
    const percent = high > 0 ? (fall / high) * 100 : 0;
    if (fall > maximal) [maximal, maximalPercent] = [fall, percent];
    if (percent > relativePercent) [relative, relativePercent] = [fall, percent];
  }
  return { absolute: start - low, maximal, maximalPercent, relative, relativePercent };
}
