import type { Money } from '../money.ts';
import { downsideDeviationOf, meanOf, standardDeviationOf } from './deviation.ts';
import { ratioOf } from './ratio.ts';

/**
 * Return of each result on the balance it met, as a fraction; in the order of the results. Those
 * that met no positive balance are left out.
 */
export function returnsOf(start: Money, results: readonly Money[]): number[] {
  const returns: number[] = [];
  let balance = start;
  for (const result of results) {
    if (balance > 0) returns.push(result / balance);
    balance += result;
  }
  return returns;
}

/**
 * Arithmetic mean of the balance ratios of the trades (1 = no change). Source: MetaTrader 5 help,
 * Testing report, AHPR.
 */
export function averageHoldingPeriodReturn(returns: readonly number[]): number | undefined {
  const mean = meanOf(returns);
  return mean === undefined ? undefined : 1 + mean;
}

/** Geometric mean of the balance ratios; 0 once everything was lost. Source: as AHPR, GHPR. */
export function geometricHoldingPeriodReturn(returns: readonly number[]): number | undefined {
  if (returns.length === 0) return undefined;
  if (returns.some((each) => each <= -1)) return 0;
  const logs = returns.map((each) => Math.log1p(each));
  return Math.exp(meanOf(logs) ?? 0);
}

/**
 * Mean return per trade over its standard deviation, without a riskless rate and not annualised.
 * Source: MetaTrader 5 help, Trading report, Sharpe Ratio.
 */
export function sharpeRatioOf(returns: readonly number[]): number | undefined {
  const mean = meanOf(returns);
  const deviation = standardDeviationOf(returns);
  if (mean === undefined || deviation === undefined) return undefined;
  return deviation > NO_DEVIATION ? ratioOf(mean, deviation) : undefined;
}

/** Mean return per trade over its downside deviation. Source: Sortino and Price, 1994. */
export function sortinoRatioOf(returns: readonly number[]): number | undefined {
  const mean = meanOf(returns);
  const deviation = downsideDeviationOf(returns);
  if (mean === undefined || deviation === undefined) return undefined;
  return deviation > NO_DEVIATION ? ratioOf(mean, deviation) : undefined;
}

/** Equal returns differ by less in doubles; a deviation of noise would make a ratio of noise. */
const NO_DEVIATION = 1e-14;
