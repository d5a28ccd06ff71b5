import { DAY_MS } from '../broker-time.ts';
import type { Money } from '../money.ts';
import type { GrowthDay } from './growth-day.ts';
import { weekdayOf } from './trade-groups.ts';

/**
 * The last known equity of a day, and the net deposits, withdrawals and credit that it is the first
 * equity to show; on the first day, those that the deals of earlier days do not explain.
 */
export type EquityDay = { day: number; equity: Money; transfers: Money };

/** Return of a day, as a fraction. */
export type DailyReturn = { day: number; value: number };

export type DailySeries = {
  returns: DailyReturn[];
  /** The first day whose return is that of the equity; those before are of the balance. */
  equitySinceDay?: number | undefined;
};

/**
 * The returns of an account's days, from its first result or equity on: of the equity from the
 * first day that has any, of the balance before that. Saturdays and Sundays count only if they have
 * a return; other days without anything have a return of 0.
 *
 * The return of the balance is the product of the day's factors, less 1. That of the equity is
 * (E − E₀ − T) / (E₀ + T⁺): E₀ is the equity before, T what E shows of money paid in less money
 * paid out, credit included, and T⁺ is max(0, T). So money counts as if it came before and left
 * after the day's trading. Source: the modified Dietz method with those weights.
 */
export function dailySeriesOf(
  days: readonly GrowthDay[],
  equityDays: readonly EquityDay[],
): DailySeries {
  const equitySinceDay = equityDays[0]?.day;
  const found: DailyReturn[] = days
    .filter(({ day }) => equitySinceDay === undefined || day < equitySinceDay)
    .map(({ day, factor }) => ({ day, value: factor - 1 }));
  const began = found.findIndex(({ value }) => value !== 0);
  const ofBalance = began < 0 ? [] : found.slice(began);
  const ofEquity = equityReturns(days, equityDays);
  return { returns: withQuietDays([...ofBalance, ...ofEquity]), equitySinceDay };
}

function equityReturns(
  days: readonly GrowthDay[],
  equityDays: readonly EquityDay[],
): DailyReturn[] {
  const [first] = equityDays;
  if (!first) return [];
  let before = bookedBefore(days, first.day).equity;
  return equityDays.map(({ day, equity, transfers }) => {
    const base = before + Math.max(0, transfers);
    const earned = equity - before - transfers;
    // Equity without a known deal is no gain.
    const value = base > 0 ? Math.max(-1, earned / base) : 0;
    before = equity;
    return { day, value };
  });
}

/** The balance and equity that result from the deals before a day. */
export function bookedBefore(
  days: readonly GrowthDay[],
  day: number,
): { balance: Money; equity: Money } {
  const next = days.findIndex((each) => each.day >= day);
  const earlier = next < 0 ? days : days.slice(0, next);
  const balance = earlier.at(-1)?.balance ?? 0;
  return { balance, equity: balance + earlier.reduce((sum, { credit }) => sum + credit, 0) };
}

const isWeekend = (day: number): boolean => [0, 6].includes(weekdayOf(day * DAY_MS));

function withQuietDays(found: readonly DailyReturn[]): DailyReturn[] {
  const all: DailyReturn[] = [];
  let next: number | undefined;
  for (const each of found) {
    for (let day = next ?? each.day; day < each.day; day += 1)
      if (!isWeekend(day)) all.push({ day, value: 0 });
    if (each.value !== 0 || !isWeekend(each.day)) all.push(each);
    next = each.day + 1;
  }
  return all;
}
