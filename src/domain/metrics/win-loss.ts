import type { Money } from '../money.ts';
import { averageMoney, percentOf, ratioOf } from './ratio.ts';

/** Which results count as won: those above zero or, in the terminals' reports, zero as well. */
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

/** Sums over the results so far. */
export type WinLossSum = Pick<WinLoss, 'won' | 'lost' | 'grossProfit' | 'grossLoss'> &
  Pick<WinLoss, 'largestWin' | 'largestLoss'>;

export const noWinLoss = (): WinLossSum => ({ won: 0, lost: 0, grossProfit: 0, grossLoss: 0 });

export function addResult(sum: WinLossSum, result: Money, rule: WonRule = 'positive'): void {
  if (isWon(result, rule)) {
    sum.won += 1;
    sum.grossProfit += result;
    sum.largestWin = Math.max(sum.largestWin ?? result, result);
  } else {
    sum.lost += 1;
    sum.grossLoss += result;
    sum.largestLoss = Math.min(sum.largestLoss ?? result, result);
  }
}

export const joinWinLoss = (a: WinLossSum, b: WinLossSum): WinLossSum => ({
  ...{ won: a.won + b.won, lost: a.lost + b.lost },
  ...{ grossProfit: a.grossProfit + b.grossProfit, grossLoss: a.grossLoss + b.grossLoss },
  largestWin: extremeOf(Math.max, a.largestWin, b.largestWin),
  largestLoss: extremeOf(Math.min, a.largestLoss, b.largestLoss),
});

const extremeOf = (
  choose: typeof Math.max,
  ...values: (Money | undefined)[]
): Money | undefined => {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : choose(...known);
};

/** Counts, sums and averages of results, each the net result of one trade. */
export function winLossOf(results: readonly Money[], rule: WonRule = 'positive'): WinLoss {
  const sum = noWinLoss();
  for (const result of results) addResult(sum, result, rule);
  return winLossFrom(sum);
}

export function winLossFrom(sum: WinLossSum): WinLoss {
  const { won, lost, grossProfit, grossLoss, largestWin, largestLoss } = sum;
  const trades = won + lost;
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
