import type { CountedTrade } from './counted-trade.ts';
import { addValue, deviationFrom, joinMoments, type Moments, noMoments } from './moments.ts';
import { ratioOf } from './ratio.ts';

/** Results as multiples of the loss at the stop, for trades whose risk is known. */
export type MultipleSums = {
  values: Moments;
  best: number;
  worst: number;
  /** Trades with a target, and the sum of its distances over those of the stops. */
  targeted: number;
  planned: number;
};

/** Source: Tharp, "Trade your way to financial freedom", 1998, R multiples. */
export type RiskMultiples = {
  trades: number;
  total: number;
  average: number;
  standardDeviation: number;
  best: number;
  worst: number;
  /** The mean of the targets, as multiples of the risk; undefined without targets. */
  plannedReward?: number | undefined;
};

export const noMultiples = (): MultipleSums => ({
  ...{ values: noMoments(), best: 0, worst: 0, targeted: 0, planned: 0 },
});

export function addMultiple(sums: MultipleSums, { profit, risk, reward }: CountedTrade): void {
  if (risk === undefined) return;
  const multiple = profit / risk;
  const isFirst = sums.values.count === 0;
  sums.best = isFirst ? multiple : Math.max(sums.best, multiple);
  sums.worst = isFirst ? multiple : Math.min(sums.worst, multiple);
  addValue(sums.values, multiple);
  if (reward === undefined) return;
  sums.targeted += 1;
  sums.planned += reward / risk;
}

export function joinMultiples(a: MultipleSums, b: MultipleSums): MultipleSums {
  if (a.values.count === 0 || b.values.count === 0) return a.values.count === 0 ? b : a;
  return {
    values: joinMoments(a.values, b.values),
    best: Math.max(a.best, b.best),
    worst: Math.min(a.worst, b.worst),
    targeted: a.targeted + b.targeted,
    planned: a.planned + b.planned,
  };
}

export function riskMultiplesFrom(sums: MultipleSums): RiskMultiples | undefined {
  const { values, best, worst, targeted, planned } = sums;
  if (values.count === 0) return undefined;
  return {
    trades: values.count,
    total: values.mean * values.count || 0,
    average: values.mean || 0,
    standardDeviation: deviationFrom(values) ?? 0,
    ...{ best: best || 0, worst: worst || 0, plannedReward: ratioOf(planned, targeted) },
  };
}
