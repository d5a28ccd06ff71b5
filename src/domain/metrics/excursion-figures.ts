import type { Money } from '../money.ts';
import type { Excursion } from '../trades/excursion.ts';
import { averageMoney, percentOf } from './ratio.ts';

/** Sums over the trades whose excursions are known. */
export type ExcursionSums = Excursion & {
  trades: number;
  profit: Money;
  worst: Money;
  best: Money;
};

/**
 * How far trades went against their traders and in their favour. Source: Sweeney, "Maximum adverse
 * excursion", 1996. Absent figures are those of no trades.
 */
export type ExcursionFigures = {
  trades: number;
  averageAdverse?: Money | undefined;
  worstAdverse?: Money | undefined;
  averageFavourable?: Money | undefined;
  bestFavourable?: Money | undefined;
  /** The net profits in percent of the favourable excursions: of the sums, not of each trade. */
  capturedPercent?: number | undefined;
};

export const noExcursions = (): ExcursionSums => ({
  ...{ trades: 0, profit: 0, adverse: 0, favourable: 0, worst: 0, best: 0 },
});

export function addExcursion(
  sums: ExcursionSums,
  profit: Money,
  { adverse, favourable }: Excursion,
): void {
  sums.trades += 1;
  sums.profit += profit;
  sums.adverse += adverse;
  sums.favourable += favourable;
  sums.worst = Math.min(sums.worst, adverse);
  sums.best = Math.max(sums.best, favourable);
}

export function excursionFiguresFrom(sums: ExcursionSums): ExcursionFigures {
  const { trades, profit, adverse, favourable, worst, best } = sums;
  if (trades === 0) return { trades };
  return {
    trades,
    averageAdverse: averageMoney(adverse, trades),
    worstAdverse: worst,
    averageFavourable: averageMoney(favourable, trades),
    bestFavourable: best,
    capturedPercent: percentOf(profit, favourable),
  };
}
