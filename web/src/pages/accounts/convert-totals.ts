import type { CurrencyTotalsRecord } from '../../../../src/contract/operations/accounts-overview.ts';

/** What one unit of a currency is in the base currency, as somebody gave it. */
export type Rates = ReadonlyMap<string, number>;

export type Converted = { balance: number; equity: number; openProfit: number };

/**
 * All totals in the base currency, and the currencies that lack a rate. Only rates that somebody gave
 * count; where one is missing there is no sum at all, for one of a part would be taken for the whole.
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
