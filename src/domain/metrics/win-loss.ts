import type { Money } from '../money.ts';
import { averageMoney, percentOf, ratioOf } from './ratio.ts';

/** Which results count as won: more than nothing, or (in the terminals' reports) nothing too. */
export type WonRule = 'positive' | 'not-negative';

export const isWon = (result: Money, rule: WonRule): boolean =>
  rule === 'positive' ? result > 0 : result >= 0;

export type WinLoss = {
  trades: number;
  won: number;
  lost: number;
  wonPercent?: number | undefined;
  lostPercent?: number | undefined;
  /** Sum of the results above zero. */
  grossProfit: Money;
  /** Sum of the results below zero: not positive. */
  grossLoss: Money;
  netProfit: Money;
  /** grossProfit / |grossLoss|; undefined without a loss. */
  profitFactor?: number | undefined;
  /** Net profit per trade. */
  expectancy?: Money | undefined;
  averageWin?: Money | undefined;
  averageLoss?: Money | undefined;
  /** The largest result among the won, the smallest among the lost. */
  largestWin?: Money | undefined;
  largestLoss?: Money | undefined;
};

/** Counts, sums and averages of results, each the net result of one trade. */
export function winLossOf(results: readonly Money[], rule: WonRule = 'positive'): WinLoss {
  let won = 0;
  let grossProfit = 0;
  let grossLoss = 0;
  let largestWin: Money | undefined;
  let largestLoss: Money | undefined;
  for (const result of results) {
    if (isWon(result, rule)) {
      won += 1;
      grossProfit += result;
      largestWin = Math.max(largestWin ?? result, result);
    } else {
      grossLoss += result;
      largestLoss = Math.min(largestLoss ?? result, result);
    }
  }
  const trades = results.length;
  const lost = trades - won;
  return {
    ...{ trades, won, lost, grossProfit, grossLoss, netProfit: grossProfit + grossLoss },
    ...{ wonPercent: percentOf(won, trades), lostPercent: percentOf(lost, trades) },
    profitFactor: ratioOf(grossProfit, -grossLoss),
    expectancy: averageMoney(grossProfit + grossLoss, trades),
    averageWin: averageMoney(grossProfit, won),
    averageLoss: averageMoney(grossLoss, lost),
    ...{ largestWin, largestLoss },
  };
}
