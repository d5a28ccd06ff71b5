import type { DailyReturn, DailySeries } from './daily-returns.ts';
import { type DrawdownHistory, drawdownsOf } from './drawdown-table.ts';
import { returnSumsOf, sharpeRatioFrom, sortinoRatioFrom } from './holding-period-returns.ts';
import {
  deviationFrom,
  excessKurtosisFrom,
  momentsOf,
  sampleDeviationFrom,
  skewnessFrom,
} from './moments.ts';
import { normalShareBelow } from './normal-distribution.ts';
import { ratioOf, totalOf } from './ratio.ts';

/** Trading days of a year: the convention of the field. */
const DAYS_PER_YEAR = 252;
/** Fewer returns mean nothing for a year. */
export const LEAST_DAYS = 30;
const TAIL = 0.05;
const DRAWDOWNS_LISTED = 10;

/** Figures of risk from an account's daily returns. Percentages as 5 for 5 %. */
export type RiskFigures = {
  /** Days with a return. */
  days: number;
  equitySinceDay?: number | undefined;
  /** Compounded, per year of trading days. */
  annualReturn?: number | undefined;
  /** Sample deviation of the returns × √252. */
  volatility?: number | undefined;
  /** Mean over sample deviation × √252, without a riskless rate. */
  sharpeRatio?: number | undefined;
  sortinoRatio?: number | undefined;
  /** Annual return over the deepest drawdown. Source: Young, 1991. */
  calmarRatio?: number | undefined;
  /** Sum of gains over sum of losses. Source: Keating and Shadwick, 2002, with threshold 0. */
  omegaRatio?: number | undefined;
  /** The return that one day in twenty falls below, and the mean of those days. */
  valueAtRisk?: number | undefined;
  conditionalValueAtRisk?: number | undefined;
  /**
   * The return that one day in twenty exceeds, over the size of the one that one in twenty falls
   * below. Source: pyfolio, tail_ratio.
   */
  tailRatio?: number | undefined;
  skewness?: number | undefined;
  /** Excess over a normal distribution. */
  kurtosis?: number | undefined;
  /** The probability that the true Sharpe ratio is above 0, in percent. */
  probabilisticSharpeRatio?: number | undefined;
  drawdowns: DrawdownHistory;
};

export function riskFiguresOf({ returns, equitySinceDay }: DailySeries): RiskFigures {
  const drawdowns = drawdownsOf(returns, DRAWDOWNS_LISTED);
  const days = returns.length;
  const told = { days, equitySinceDay, drawdowns };
  if (days < LEAST_DAYS) return told;
  const values = returns.map(({ value }) => value);
  const sums = returnSumsOf(values);
  const annualReturn = annualReturnOf(values);
  const deviation = sampleDeviationFrom(sums.moments);
  return {
    ...told,
    annualReturn,
    volatility: deviation === undefined ? undefined : 100 * deviation * Math.sqrt(DAYS_PER_YEAR),
    sharpeRatio: annualised(ratioOf(sums.moments.mean, spread(deviation))),
    sortinoRatio: annualised(sortinoRatioFrom(sums)),
    calmarRatio: ratioOf(annualReturn, drawdowns.maximalPercent),
    omegaRatio: omegaRatioOf(values),
    ...tailOf(values),
    skewness: skewnessFrom(sums.moments),
    kurtosis: excessKurtosisFrom(sums.moments),
    probabilisticSharpeRatio: probabilisticSharpeRatioOf(returns),
  };
}

/** Equal returns deviate by less in doubles. */
const spread = (deviation: number | undefined): number =>
  deviation !== undefined && deviation > 1e-14 ? deviation : 0;

const annualised = (ratio: number | undefined): number | undefined =>
  ratio === undefined ? undefined : ratio * Math.sqrt(DAYS_PER_YEAR);

const MOST_PERCENT = 1e15;

function annualReturnOf(values: readonly number[]): number {
  let logs = 0;
  for (const value of values) logs += Math.log1p(Math.max(-1, value));
  return Math.min(MOST_PERCENT, 100 * Math.expm1((logs * DAYS_PER_YEAR) / values.length));
}

function omegaRatioOf(values: readonly number[]): number | undefined {
  const gains = totalOf(values, (value) => Math.max(0, value));
  const losses = totalOf(values, (value) => Math.max(0, -value));
  return ratioOf(gains, losses);
}

/**
 * From the returns themselves: the quantile is interpolated between two of them (type 7 of Hyndman
 * and Fan, 1996), and the mean is of all returns not above it.
 */
function tailOf(
  values: readonly number[],
): Pick<RiskFigures, 'valueAtRisk' | 'conditionalValueAtRisk' | 'tailRatio'> {
  const ordered = values.toSorted((a, b) => a - b);
  const quantile = quantileOf(ordered, TAIL);
  const tail = ordered.filter((value) => value <= quantile);
  const mean = ratioOf(
    totalOf(tail, (value) => value),
    tail.length,
  );
  return {
    valueAtRisk: 100 * quantile || 0,
    conditionalValueAtRisk: mean === undefined ? undefined : 100 * mean || 0,
    tailRatio: ratioOf(Math.abs(quantileOf(ordered, 1 - TAIL)), Math.abs(quantile)),
  };
}

function quantileOf(ordered: readonly number[], share: number): number {
  const place = (ordered.length - 1) * share;
  const low = ordered[Math.floor(place)] ?? 0;
  const high = ordered[Math.ceil(place)] ?? low;
  return low + (high - low) * (place - Math.floor(place));
}

/**
 * Φ(SR·√(n − 1) / √(1 − g₁·SR + (g₂ + 2)/4·SR²)) with the daily Sharpe ratio SR, its skewness g₁
 * and excess kurtosis g₂. Source: Bailey and López de Prado, "The Sharpe ratio efficient frontier",
 * 2012, equation 3 with a benchmark of 0.
 */
function probabilisticSharpeRatioOf(returns: readonly DailyReturn[]): number | undefined {
  const moments = momentsOf(returns.map(({ value }) => value));
  const ratio = sharpeRatioFrom({ moments, downside: 0, logs: 0, isRuined: false });
  const skewness = skewnessFrom(moments);
  const kurtosis = excessKurtosisFrom(moments);
  if (ratio === undefined || skewness === undefined || kurtosis === undefined) return undefined;
  if (deviationFrom(moments) === 0) return undefined;
  const variance = 1 - skewness * ratio + ((kurtosis + 2) / 4) * ratio ** 2;
  const z = ratioOf(ratio * Math.sqrt(moments.count - 1), Math.sqrt(variance));
  return z === undefined ? undefined : 100 * normalShareBelow(z);
}
