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
export function monthAfter(date: string): string {
  const [year = 0, month = 1] = date.split('-').map(Number);
  return month === 12
    ? `${String(year + 1).padStart(4, '0')}-01`
    : `${String(year).padStart(4, '0')}-${String(month + 1).padStart(2, '0')}`;
}
