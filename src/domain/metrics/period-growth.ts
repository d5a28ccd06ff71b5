import type { BrokerTimeMs } from '../broker-time.ts';
import type { Money, Volume } from '../money.ts';
import { dateOf } from './calendar-growth.ts';
import { chained, gainPercentOf } from './growth.ts';
import { type GrowthDay, growthDayOf } from './growth-day.ts';
import { weekdayOf } from './trade-groups.ts';

/** What an account did from the beginning of a day, week, month or year until now. */
export type PeriodGrowth = {
  trades: number;
  profit: Money;
  volume: Volume;
  pips?: number | undefined;
  gain: number;
};

export const PERIODS = ['today', 'thisWeek', 'thisMonth', 'thisYear'] as const;
export type Period = (typeof PERIODS)[number];

/** Days, weeks from Monday, months and years of broker time; absent if nothing was booked. */
export function periodGrowthOf(
  days: readonly GrowthDay[],
  nowMs: BrokerTimeMs,
): Partial<Record<Period, PeriodGrowth>> {
  const today = growthDayOf(nowMs);
  const date = dateOf(today);
  const first: Record<Period, number> = {
    today,
    thisWeek: today - ((weekdayOf(nowMs) + 6) % 7),
    thisMonth: growthDayOf(Date.parse(`${date.slice(0, 7)}-01`)),
    thisYear: growthDayOf(Date.parse(`${date.slice(0, 4)}-01-01`)),
  };
  const found: Partial<Record<Period, PeriodGrowth>> = {};
  for (const period of PERIODS) {
    const from = days.findLastIndex(({ day }) => day < first[period]) + 1;
    if (from < days.length) found[period] = sumOf(days.slice(from));
  }
  return found;
}

function sumOf(days: readonly GrowthDay[]): PeriodGrowth {
  const sum = { trades: 0, profit: 0, volume: 0 };
  let pipTenths: number | undefined;
  let factor = 1;
  for (const day of days) {
    sum.trades += day.trades;
    sum.profit += day.profit;
    sum.volume += day.volume;
    if (day.pipTenths !== undefined) pipTenths = (pipTenths ?? 0) + day.pipTenths;
    factor = chained(factor, day.factor);
  }
  const pips = pipTenths === undefined ? undefined : pipTenths / 10;
  return { ...sum, pips, gain: gainPercentOf(factor) };
}
