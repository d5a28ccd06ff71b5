import { DAY_MS, formatBrokerTime } from '../broker-time.ts';
import type { Money, Volume } from '../money.ts';
import { chained, gainPercentOf, rounded } from './growth.ts';
import type { GrowthDay } from './growth-day.ts';

/** The results of a day or month of broker time on which something was booked. */
export type CalendarGrowth = {
  /** `YYYY-MM-DD` or `YYYY-MM`. */
  date: string;
  /** Closed positions, their volume, and their pips where they have any. */
  trades: number;
  volume: Volume;
  pips?: number | undefined;
  /** Result of the trades, costs and income. */
  profit: Money;
  /** Time-weighted within the day or month, in percent. */
  gain: number;
  /** Deposits less withdrawals. */
  transfers: Money;
  /** At the end: the balance, and results and gain since the account began. */
  balance: Money;
  totalProfit: Money;
  totalGain: number;
  /** The largest falls in it of the results and of the index below their highest until then. */
  maximalFall: Money;
  maximalFallPercent: number;
  /** How far the time-weighted index is below its highest at the end, in percent. */
  fallPercent: number;
};

export const dateOf = (day: number): string => formatBrokerTime(day * DAY_MS).slice(0, 10);

export const dailyGrowthOf = (days: readonly GrowthDay[]): CalendarGrowth[] =>
  days.map((day) => present(dateOf(day.day), day));

/** @param days in order */
export function monthlyGrowthOf(days: readonly GrowthDay[]): CalendarGrowth[] {
  const months: { date: string; sum: GrowthDay }[] = [];
  for (const day of days) {
    const date = dateOf(day.day).slice(0, 'YYYY-MM'.length);
    const current = months.at(-1);
    if (current?.date === date) current.sum = joined(current.sum, day);
    else months.push({ date, sum: day });
  }
  return months.map(({ date, sum }) => present(date, sum));
}

/** Two days as one, the second after the first. */
const joined = (first: GrowthDay, second: GrowthDay): GrowthDay => ({
  ...second,
  trades: first.trades + second.trades,
  won: first.won + second.won,
  volume: first.volume + second.volume,
  pipTenths: addOptional(first.pipTenths, second.pipTenths),
  profit: first.profit + second.profit,
  transfers: first.transfers + second.transfers,
  credit: first.credit + second.credit,
  factor: chained(first.factor, second.factor),
  maximalFall: Math.max(first.maximalFall, second.maximalFall),
  maximalFallPercent: Math.max(first.maximalFallPercent, second.maximalFallPercent),
});

const addOptional = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined ? b : a + (b ?? 0);

const present = (date: string, day: GrowthDay): CalendarGrowth => ({
  ...{ date, trades: day.trades, volume: day.volume },
  pips: day.pipTenths === undefined ? undefined : day.pipTenths / 10,
  ...{ profit: day.profit, gain: gainPercentOf(day.factor), transfers: day.transfers },
  ...{ balance: day.balance, totalProfit: day.result, totalGain: gainPercentOf(day.index) },
  ...{ maximalFall: day.maximalFall, maximalFallPercent: rounded(day.maximalFallPercent) },
  fallPercent: rounded(day.fallPercent),
});
