import { LOCALE } from './locale.ts';

/** `$` for USD, as written before amounts; the code itself if there is no sign. */
export function currencySymbol(currency: string): string {
  if (!/^[A-Z]{3}$/.test(currency)) return currency;
  try {
    const format = new Intl.NumberFormat(LOCALE, {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
    });
    return format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency;
  } catch {
    return currency;
  }
}
