import type { Money } from '../money.ts';
import { addValue, deviationFrom, joinMoments, type Moments, noMoments } from './moments.ts';
import { ratioOf } from './ratio.ts';

/** Sums over the returns of trades so far, which are fractions of the balance before each. */
export type ReturnSums = {
  moments: Moments;
  /** The squares of returns below zero. */
  downside: number;
  /** The logarithms of the balance ratios, 1 + return, that are above zero. */
  logs: number;
  /** Whether a return lost everything. */
  isRuined: boolean;
};

export const noReturns = (): ReturnSums => ({
  ...{ moments: noMoments(), downside: 0, logs: 0, isRuined: false },
});

export function addReturn(sums: ReturnSums, value: number): void {
  addValue(sums.moments, value);
  sums.downside += Math.min(value, 0) ** 2;
  if (value > -1) sums.logs += Math.log1p(value);
  else sums.isRuined = true;
}

export const joinReturns = (a: ReturnSums, b: ReturnSums): ReturnSums => ({
  moments: joinMoments(a.moments, b.moments),
  downside: a.downside + b.downside,
  logs: a.logs + b.logs,
  isRuined: a.isRuined || b.isRuined,
});

export function returnSumsOf(returns: readonly number[]): ReturnSums {
  const sums = noReturns();
  for (const each of returns) addReturn(sums, each);
  return sums;
}

/**
 * The return of each result on the balance before it, as a fraction, in the order of the results.
 * Results without a positive balance before them are left out.
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
export const averageHoldingPeriodReturn = ({ moments }: ReturnSums): number | undefined =>
  moments.count === 0 ? undefined : 1 + moments.mean;

/** Geometric mean of the balance ratios; 0 once everything was lost. Source: as above, GHPR. */
export function geometricHoldingPeriodReturn(sums: ReturnSums): number | undefined {
  const { count } = sums.moments;
  if (count === 0) return undefined;
  return sums.isRuined ? 0 : Math.exp(sums.logs / count);
}

/**
 * Mean return over its standard deviation (dividing by n), without a riskless rate and not
 * annualised. Source: MetaTrader 5 help, Trading report, Sharpe Ratio.
 */
export function sharpeRatioFrom({ moments }: ReturnSums): number | undefined {
  const deviation = deviationFrom(moments);
  return isSpread(deviation) ? ratioOf(moments.mean, deviation) : undefined;
}

/** Mean return over the root of the mean square of the losses. Source: Sortino and Price, 1994. */
export function sortinoRatioFrom({ moments, downside }: ReturnSums): number | undefined {
  const deviation = Math.sqrt(downside / moments.count);
  return isSpread(deviation) ? ratioOf(moments.mean, deviation) : undefined;
}

/** Equal returns deviate by less in doubles; a ratio to such noise would be noise. */
const NO_DEVIATION = 1e-14;

const isSpread = (deviation: number | undefined): deviation is number =>
  deviation !== undefined && deviation > NO_DEVIATION;
