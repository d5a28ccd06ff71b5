import type { Money } from '../money.ts';
import type { GrowthPoint } from './growth.ts';

/** Falls of an account by closed trades, with deposits and withdrawals left out. All at least 0. */
export type MaxDrawdown = {
  /** How far the sum of the results fell below the start. */
  absolute: Money;
  /** The largest fall of the sum of the results from its highest point, the start included. */
  maximal: Money;
  /** The largest fall of the time-weighted index from its highest point so far, in percent. */
  maximalPercent: number;
};

export function maxDrawdownOf(growth: readonly GrowthPoint[]): MaxDrawdown {
  let highResult = 0;
  let highIndex = 1;
  const drawdown: MaxDrawdown = { absolute: 0, maximal: 0, maximalPercent: 0 };
  for (const { result, index } of growth) {
    highResult = Math.max(highResult, result);
    highIndex = Math.max(highIndex, index);
    drawdown.absolute = Math.max(drawdown.absolute, -result);
    drawdown.maximal = Math.max(drawdown.maximal, highResult - result);
    const percent = (1 - index / highIndex) * 100;
    drawdown.maximalPercent = Math.max(drawdown.maximalPercent, percent);
  }
  drawdown.maximalPercent = Number(drawdown.maximalPercent.toFixed(8));
  return drawdown;
}
