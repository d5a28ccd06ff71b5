import type { AccountMetricsRecord } from '../../../../src/contract/operations/metrics.ts';

type Growth = AccountMetricsRecord['monthlyAnalytics'][number];

const NOTHING = { trades: 0, lots: 0, profit: 0, gains: 0, transfers: 0 };

/** Months, including empty ones between them, so that time is not compressed. */
export function everyMonth(months: readonly Growth[]): Growth[] {
  const [first] = months;
  const last = months.at(-1);
  if (!first || !last) return [];
  const known = new Map(months.map((month) => [month.date, month]));
  const all: Growth[] = [];
  let before = first;
  for (let date = first.date; date <= last.date; date = monthAfter(date)) {
    const month = known.get(date) ?? { ...before, date, ...NOTHING };
    before = month;
    all.push(month);
  }
  return all;
}

/** `2026-12` → `2027-01` */
export const monthAfter = (month: string): string => dayFrom(`${month}-01`, 31).slice(0, 7);
/** `2027-01` → `2026-12` */
export const monthBefore = (month: string): string => dayFrom(`${month}-01`, -1).slice(0, 7);
/** `2026-12-31` → `2027-01-01` */
export const dayAfter = (date: string): string => dayFrom(date, 1);

const dayFrom = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/** The days of a month in weeks from Monday; undefined where a week is of another month. */
export function weeksOf(month: string): (string | undefined)[][] {
  const weeks: (string | undefined)[][] = [];
  for (let date = `${month}-01`; date.startsWith(month); date = dayAfter(date)) {
    const weekday = (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
    if (weekday === 0 || weeks.length === 0) weeks.push(Array(7).fill(undefined));
    const week = weeks.at(-1);
    if (week) week[weekday] = date;
  }
  return weeks;
}
