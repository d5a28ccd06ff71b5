import type { Money } from '../money.ts';
import { errorFunction } from './normal-distribution.ts';
import { ratioOf } from './ratio.ts';
import { addToStreaks, noStreaks, type StreakRuns } from './streaks.ts';
import type { WonRule } from './win-loss.ts';

/**
 * Whether wins and losses alternate more (above 0) or run longer (below 0) than chance would have
 * it: (n(r − ½) − x) / √(x(x − n)/(n − 1)) with n trades, r runs and x = 2 × wins × losses.
 * Undefined if there is only one kind. Source: MetaTrader 5 help, Testing report, Z-Score.
 */
export function zScoreOf(
  results: readonly Money[],
  rule: WonRule = 'positive',
): number | undefined {
  const state = noStreaks();
  for (const result of results) addToStreaks(state, result, rule);
  return zScoreFrom(state);
}

export function zScoreFrom({ wins, losses }: StreakRuns): number | undefined {
  const n = wins.trades + losses.trades;
  const x = 2 * wins.trades * losses.trades;
  const runs = wins.runs + losses.runs;
  return ratioOf(n * (runs - 0.5) - x, Math.sqrt((x * (x - n)) / (n - 1)));
}

/** The terminals' table of probabilities ends at three deviations. */
const HIGHEST_PERCENT = 99.74;

/** Percent of random sequences that are nearer to 0 than the score rounded to two digits. */
export function zScorePercentOf(score: number): number {
  const printed = Math.round(Math.abs(score) * 100) / 100;
  return Math.min(HIGHEST_PERCENT, 100 * errorFunction(printed / Math.SQRT2));
}
