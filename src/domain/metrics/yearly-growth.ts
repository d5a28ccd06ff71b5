import { type Growth, gainPercentOf } from './growth.ts';
import { ratioOf } from './ratio.ts';

const DAYS_PER_YEAR = 365.25;
const DAYS_PER_MONTH = DAYS_PER_YEAR / 12;
/** The growth of fewer days makes no year. */
const LEAST_DAYS = 30;
const MOST_PERCENT = 1e15;

/**
 * Gain by the time it took, in percent, from the day of the first trade to the last day, both
 * whole.
 */
export type YearlyGrowth = {
  /** Compounded, a calendar day. */
  dailyGain?: number | undefined;
  /** Compounded, a month of 30.44 days; the whole gain of less than one. */
  monthlyGain?: number | undefined;
  /** Compound annual growth rate; from 30 days on. */
  cagr?: number | undefined;
  /** cagr over the maximal drawdown in percent. */
  mar?: number | undefined;
};

/** @param days from the first trade to the last day; undefined before the first trade */
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
