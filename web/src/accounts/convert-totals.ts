import type { CurrencyTotalsRecord } from '../../../src/contract/operations/accounts-overview.ts';
import { type NumberRules, numberOf, readNumber } from '../lib/read-number.ts';
import type { SavedRates } from './use-rates.ts';

export const RATE: NumberRules = { min: 0.000_000_01, max: 1_000_000_000, digits: 8 };

/** The user's rate of one unit of a currency in the base currency. */
export type Rates = ReadonlyMap<string, number>;

export type Converted = { balance: number; equity: number; openProfit: number };

/**
 * All totals in the base currency, and the currencies that lack a rate. Only rates given by the
 * user count; if one is missing there is no sum, because a partial one would be taken for the
 * whole.
 */
export function convertTotals(
  totals: readonly CurrencyTotalsRecord[],
  base: string,
  rates: Rates,
): { sum: Converted | undefined; missing: string[] } {
  const rateOf = (currency: string): number | undefined =>
    currency === base ? 1 : rates.get(currency);
  const missing = totals
    .map(({ currency }) => currency)
    .filter((currency) => rateOf(currency) === undefined);
  if (missing.length > 0) return { sum: undefined, missing };
  const add = (field: keyof Converted): number =>
    totals.reduce((sum, total) => sum + total[field] * (rateOf(total.currency) ?? 0), 0);
  const sum = { balance: add('balance'), equity: add('equity'), openProfit: add('openProfit') };
  return { sum, missing };
}

/** The currency of most accounts. */
export const usualBase = (totals: readonly CurrencyTotalsRecord[]): string =>
  totals.toSorted((a, b) => b.accounts - a.accounts)[0]?.currency ?? '';

/** The totals in the currency chosen for sums, or else in that of most accounts. */
export function inBase(totals: readonly CurrencyTotalsRecord[], saved: SavedRates) {
  const known = totals.map(({ currency }) => currency);
  const base = known.includes(saved.base) ? saved.base : usualBase(totals);
  const rates = new Map(
    known.flatMap((currency) => {
      const rate = numberOf(readNumber(saved.rates[`${currency}/${base}`] ?? '', RATE));
      return rate === undefined ? [] : [[currency, rate] as const];
    }),
  );
  return { base, ...convertTotals(totals, base, rates) };
}
