import type { Money } from '../money.ts';
import { ratioOf } from './ratio.ts';
import { isWon, type WonRule } from './win-loss.ts';

/**
 * Whether wins and losses alternate more (above 0) or run longer (below 0) than chance would have
 * it: (n(r − ½) − x) / √(x(x − n)/(n − 1)) with n trades, r runs and x = 2 × wins × losses.
 * Undefined where there is only one kind. Source: MetaTrader 5 help, Testing report, Z-Score.
 */
export function zScoreOf(
  results: readonly Money[],
  rule: WonRule = 'positive',
): number | undefined {
  let won = 0;
  let runs = 0;
  let before: boolean | undefined;
  for (const result of results) {
    const isWin = isWon(result, rule);
    if (isWin) won += 1;
    if (isWin !== before) runs += 1;
    before = isWin;
  }
  const n = results.length;
  const x = 2 * won * (n - won);
  return ratioOf(n * (runs - 0.5) - x, Math.sqrt((x * (x - n)) / (n - 1)));
}

/** The terminals' table of probabilities ends at three deviations. */
const HIGHEST_PERCENT = 99.74;

/** Percent of chance sequences that lie nearer to 0 than the score as it prints, in hundredths. */
export function zScorePercentOf(score: number): number {
  const printed = Math.round(Math.abs(score) * 100) / 100;
  return Math.min(HIGHEST_PERCENT, 100 * errorFunction(printed / Math.SQRT2));
}

/** erf by Abramowitz and Stegun, 7.1.26; off by at most 1.5e-7. */
function errorFunction(x: number): number {
  const t = 1 / (1 + 0.3275911 * x);
  const series =
    t *
    (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return 1 - series * Math.exp(-x * x);
}
