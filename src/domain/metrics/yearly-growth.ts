import { type Growth, gainPercentOf } from './growth.ts';
import { ratioOf } from './ratio.ts';

const DAYS_PER_YEAR = 365.25;
const DAYS_PER_MONTH = DAYS_PER_YEAR / 12;
/** Growth over fewer days means nothing for a year. */
const LEAST_DAYS = 30;
const MOST_PERCENT = 1e15;

/** Gain per day, month and year in percent, from the day of the first trade to the last day. */
export type YearlyGrowth = {
  /** Compounded, per calendar day. */
  dailyGain?: number | undefined;
  /** Compounded, per month of 30.44 days; the whole gain if there were fewer. */
  monthlyGain?: number | undefined;
  /** Compound annual growth rate; absent for less than 30 days. */
  cagr?: number | undefined;
  /** cagr over the maximal drawdown in percent. */
  mar?: number | undefined;
};

/** @param days from the first trade to the last day, both counted; undefined without trades */
export function yearlyGrowthOf(
  { index, maximalFallPercent }: Growth,
  days: number | undefined,
): YearlyGrowth {
  if (days === undefined) return {};
  const over = (length: number): number =>
    Math.min(MOST_PERCENT, gainPercentOf(index ** (length / days)));
  const cagr = days < LEAST_DAYS ? undefined : over(DAYS_PER_YEAR);
  return {
    dailyGain: over(1),
    monthlyGain: over(Math.min(days, DAYS_PER_MONTH)),
    cagr,
    mar: cagr === undefined ? undefined : ratioOf(cagr, maximalFallPercent),
  };
}
