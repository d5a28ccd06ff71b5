import { DAY_MS } from '../broker-time.ts';
import type { Money } from '../money.ts';
import type { GrowthDay } from './growth-day.ts';
import { weekdayOf } from './trade-groups.ts';

/**
 * Equity at the end of the last hour of a day that has any, and what of deposits, withdrawals and
 * credit it shows that the equity of the day before it did not; of the first day, that the balance
 * of the deals before it did not.
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
 * The returns of an account's days, from its first result or equity on: those of the equity from
 * the first day that has any, those of the balance before. Saturdays and Sundays count only where
 * something happened; other days without anything have a return of 0.
 *
 * A day of the balance has the product of its factors. A day of the equity has (E − E₀ − T) / (E₀ +
 * T⁺): E₀ the equity before, T what was paid in less what was paid out, credit included, as far as
 * E shows it, T⁺ the same where above 0. So money counts as if it came before and left after the
 * day's trading. Source: the modified Dietz method with those weights.
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
    // Equity that was there before any deal is known is no gain.
    const value = base > 0 ? Math.max(-1, earned / base) : 0;
    before = equity;
    return { day, value };
  });
}

/** What the deals of the days before a day lead to. */
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
