import type { AmountSign } from '../../words/table-fields.ts';
import { offsetOf } from '../times.ts';

/** A heading of a table: its name, and its additions. */
export type Heading = {
  /** As written in the file. */
  text: string;
  /**
   * In lower case, words separated by blanks, without currency and zone: `profit_usd` → `profit`.
   */
  word: string;
  currency?: string | undefined;
  /** Minutes by which the column's times are ahead of UTC. */
  zoneMinutes?: number | undefined;
  /** IANA name of the zone that the user gave for the times. */
  zone?: string | undefined;
  /** For amounts, as explained by the user. */
  sign?: AmountSign | undefined;
};

/** ISO 4217, and brokers' additions: cents, stable coins. */
const CURRENCIES = new Set([...Intl.supportedValuesOf('currency'), 'USC', 'USDT', 'USDC', 'BTC']);
/** Codes that are English words in headings. */
const WORDS = new Set(['ALL', 'TOP', 'TRY', 'NET', 'END', 'BUY']);
const SIGNS: Record<string, string> = { $: 'USD', '€': 'EUR', '£': 'GBP', '¥': 'JPY', '₹': 'INR' };

const currencyOf = (text: string): string | undefined => {
  const code = SIGNS[text] ?? text.toUpperCase();
  return CURRENCIES.has(code) && !WORDS.has(code) ? code : undefined;
};

/**
 * Understands `<DATE>`, `closing_time_utc`, `openTime`, `OpenTime`, `Closing time (UTC+2)`, `Net
 * USD`, `Profit ($)`.
 */
export function readHeading(text: string): Heading {
  const plain = text
    .replace(/^<(.*)>$/, '$1')
    .replace(/^[A-Za-z]+$/, (name) =>
      name.replace(/(?<=[a-z])[A-Z]|(?<=[A-Z])[A-Z](?=[a-z])/g, ' $&'),
    )
    .replace(/[_\s]+/g, ' ')
    .trim();
  const inBrackets = /^(.+?)\s*\(([^()]*)\)$/.exec(plain);
  const told = inBrackets?.[2] ?? '';
  const zone = offsetOf(told);
  const currency = currencyOf(told);
  const isExplained = inBrackets !== null && (zone !== undefined || currency !== undefined);
  const words = (isExplained ? (inBrackets[1] ?? '') : plain).split(' ');
  const last = words.length > 1 ? (words.at(-1) ?? '') : '';
  const lastZone = /^utc$/i.test(last) ? 0 : undefined;
  const lastCurrency = lastZone === undefined ? currencyOf(last) : undefined;
  if (lastZone !== undefined || lastCurrency !== undefined) words.pop();
  return {
    text,
    word: words.join(' ').toLowerCase(),
    currency: currency ?? lastCurrency,
    zoneMinutes: zone ?? lastZone,
  };
}
