import { type BrokerTimeMs, DAY_MS } from '../broker-time.ts';
import type { Money, Volume } from '../money.ts';
import { chained, gainPercentOf, rounded } from './growth.ts';
import { type GrowthDay, growthDayOf } from './growth-day.ts';
import { percentOf } from './ratio.ts';
import { weekdayOf } from './trade-groups.ts';

/** The results of a period, and their change from the period before. */
export type PeriodGrowth = PeriodSum & { difference: PeriodSum };

/** The results of an account in a day, week, month or year from its beginning on. */
type PeriodSum = {
  trades: number;
  profit: Money;
  volume: Volume;
  pips?: number | undefined;
  gain: number;
  wonPercent?: number | undefined;
};

export const PERIODS = ['today', 'thisWeek', 'thisMonth', 'thisYear'] as const;
export type Period = (typeof PERIODS)[number];

/**
 * Days, weeks from Monday, months and years of broker time; absent if nothing was booked. Each is
 * compared with the whole period before it.
 */
export function periodGrowthOf(
  days: readonly GrowthDay[],
  nowMs: BrokerTimeMs,
): Partial<Record<Period, PeriodGrowth>> {
  const today = growthDayOf(nowMs);
  const monday = today - ((weekdayOf(nowMs) + 6) % 7);
  const date = new Date(today * DAY_MS);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const first: Record<Period, [start: number, before: number]> = {
    today: [today, today - 1],
    thisWeek: [monday, monday - 7],
    thisMonth: [firstOf(year, month), firstOf(year, month - 1)],
    thisYear: [firstOf(year, 0), firstOf(year - 1, 0)],
  };
  const found: Partial<Record<Period, PeriodGrowth>> = {};
  for (const period of PERIODS) {
    const [start, before] = first[period];
    const at = days.findLastIndex(({ day }) => day < start) + 1;
    if (at === days.length) continue;
    const sum = sumOf(days.slice(at));
    const earlier = days.findLastIndex(({ day }) => day < before) + 1;
    found[period] = { ...sum, difference: differenceOf(sum, sumOf(days.slice(earlier, at))) };
  }
  return found;
}

/** The day that a month of a year begins with; years below 100 too. */
function firstOf(year: number, month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, 1);
  return Math.floor(date.getTime() / DAY_MS);
}

function sumOf(days: readonly GrowthDay[]): PeriodSum {
  const sum = { trades: 0, profit: 0, volume: 0 };
  let won = 0;
  let pipTenths: number | undefined;
  let factor = 1;
  for (const day of days) {
    sum.trades += day.trades;
    won += day.won;
    sum.profit += day.profit;
    sum.volume += day.volume;
    if (day.pipTenths !== undefined) pipTenths = (pipTenths ?? 0) + day.pipTenths;
    factor = chained(factor, day.factor);
  }
  const pips = pipTenths === undefined ? undefined : pipTenths / 10;
  return { ...sum, pips, gain: gainPercentOf(factor), wonPercent: percentOf(won, sum.trades) };
}

const differenceOf = (now: PeriodSum, before: PeriodSum): PeriodSum => ({
  trades: now.trades - before.trades,
  profit: now.profit - before.profit,
  volume: now.volume - before.volume,
  pips: Math.round(((now.pips ?? 0) - (before.pips ?? 0)) * 10) / 10 || 0,
  gain: rounded(now.gain - before.gain),
  wonPercent: rounded((now.wonPercent ?? 0) - (before.wonPercent ?? 0)),
});
