import { currencyDigits } from './currency-digits.ts';
import { LOCALE } from './locale.ts';

const MINUS = '−';
const formats = new Map<string, Intl.NumberFormat>();

function numberFormat(leastDigits: number, mostDigits: number): Intl.NumberFormat {
  const key = `${leastDigits} ${mostDigits}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(LOCALE, {
      minimumFractionDigits: leastDigits,
      maximumFractionDigits: mostDigits,
    });
    formats.set(key, format);
  }
  return format;
}

function withSign(value: number, text: string, isSigned: boolean): string {
  // A value rounded to zero has no sign.
  if (!/[1-9]/.test(text)) return text;
  return value < 0 ? `${MINUS}${text}` : isSigned ? `+${text}` : text;
}

/** A number with a fixed number of digits, so that those of a column align. */
export const formatFixed = (value: number, digits: number, isSigned = false): string =>
  withSign(value, numberFormat(digits, digits).format(Math.abs(value)), isSigned);

/** A number with its own digits, up to a maximum: for counts, volumes and rules. */
export const formatNumber = (value: number, mostDigits = 2, isSigned = false): string =>
  withSign(value, numberFormat(0, mostDigits).format(Math.abs(value)), isSigned);

const rates = new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 8 });

/** An exchange rate, however small: `1.1001`, `0.00000000025057891` */
export const formatRate = (rate: number): string => rates.format(rate);

/** `1 trade`, `1,250 trades` */
export const countOf = (count: number, thing: string): string =>
  `${formatNumber(count, 0)} ${thing}${count === 1 ? '' : 's'}`;

const SHORT_FROM = 10_000;
const short = new Intl.NumberFormat(LOCALE, {
  notation: 'compact',
  maximumFractionDigits: 1,
});

/** A signed amount where there is little room, from 10,000 on as `+12.3K`: say it whole beside. */
export const formatShort = (value: number, currency: string): string =>
  Math.abs(value) < SHORT_FROM
    ? formatFixed(value, Math.abs(value) < 100 ? currencyDigits(currency) : 0, true)
    : withSign(value, short.format(Math.abs(value)), true);

/** An amount with its currency's own number of digits, without the currency's name. */
export const formatAmount = (value: number, currency: string, isSigned = false): string =>
  formatFixed(value, currencyDigits(currency), isSigned);

/** `10,250.00 USD` */
export const formatMoney = (value: number, currency: string, isSigned = false): string =>
  `${formatAmount(value, currency, isSigned)} ${currency}`;

/** A measured percentage, in the form of the API (12.5 → `12.50 %`). */
export const formatPercent = (percent: number, digits = 2, isSigned = false): string =>
  `${formatFixed(percent, digits, isSigned)} %`;

/** A measured fraction of 1, as percent (0.125 → `12.50 %`). */
export const formatFraction = (fraction: number, digits = 2, isSigned = false): string =>
  formatPercent(fraction * 100, digits, isSigned);

const RULE_DIGITS = 5;

/** A fraction set by a user, as percent with no more digits than given (0.05 → `5 %`). */
export const formatRulePercent = (fraction: number): string =>
  `${formatNumber(fraction * 100, RULE_DIGITS)} %`;

/** A duration in the units of another one beside it, so that they compare. */
export function formatDuration(minutes: number, like = minutes): string {
  if (like < 60) return `${Math.round(minutes)} min`;
  const hours = minutes / 60;
  if (like < 48 * 60) return `${Math.floor(hours)} h ${Math.floor(minutes % 60)} min`;
  return `${Math.floor(hours / 24)} d ${Math.floor(hours % 24)} h`;
}

/** An age: `4 s`, `13 min`, `5 h`, `3 d`. */
export function formatAge(seconds: number): string {
  if (seconds < 60) return `${Math.max(0, Math.floor(seconds))} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  const hours = seconds / 3600;
  return hours < 48 ? `${Math.floor(hours)} h` : `${Math.floor(hours / 24)} d`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const kilobytes = bytes / 1024;
  return kilobytes < 1024
    ? `${formatNumber(kilobytes, 1)} KB`
    : `${formatNumber(kilobytes / 1024, 1)} MB`;
}

/** `YYYY-MM-DD HH:mm` of a broker time; seconds on demand. */
export const formatBrokerTime = (value: string, withSeconds = false): string =>
  value.slice(0, withSeconds ? 19 : 16);

/** `2026-11-21 14:05` of an ISO time, in the reader's own zone. */
export function formatLocalTime(iso: string, withSeconds = false): string {
  const date = new Date(iso);
  const two = (part: number): string => String(part).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`;
  return `${day} ${time}${withSeconds ? `:${two(date.getSeconds())}` : ''}`;
}

/** Milliseconds of a broker time's wall clock, as if it were UTC; for axes only. */
export const brokerTimeMs = (value: string): number =>
  Date.parse(`${value.replace(' ', 'T')}${value.length > 10 ? '' : 'T00:00:00'}Z`);

/** The broker time of such milliseconds. */
export const toBrokerTime = (ms: number): string =>
  new Date(ms).toISOString().replace('T', ' ').slice(0, 23);
