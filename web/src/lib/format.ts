const MINUS = '−';
const moneyFormats = new Map<string, Intl.NumberFormat>();

function moneyFormat(currency: string): Intl.NumberFormat {
  let format = moneyFormats.get(currency);
  if (!format) {
    const digits = /^[A-Z]{3}$/.test(currency)
      ? new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
      : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
    format = new Intl.NumberFormat('en', {
      minimumFractionDigits: digits.minimumFractionDigits ?? 2,
      maximumFractionDigits: digits.maximumFractionDigits ?? 2,
    });
    moneyFormats.set(currency, format);
  }
  return format;
}

const withSign = (value: number, text: string, isSigned: boolean): string =>
  value < 0 ? `${MINUS}${text}` : isSigned && value > 0 ? `+${text}` : text;

/** An amount with its currency's own number of digits, without the currency's name. */
export const formatAmount = (value: number, currency: string, isSigned = false): string =>
  withSign(value, moneyFormat(currency).format(Math.abs(value)), isSigned);

/** `10,250.00 USD` */
export const formatMoney = (value: number, currency: string, isSigned = false): string =>
  `${formatAmount(value, currency, isSigned)} ${currency}`;

export function formatNumber(value: number, maxDigits = 2, isSigned = false): string {
  const text = Math.abs(value).toLocaleString('en', { maximumFractionDigits: maxDigits });
  return withSign(value, text, isSigned);
}

/** A number of percent as the API states it (12.5 → `12.5 %`). */
export const formatPercent = (percent: number, maxDigits = 2, isSigned = false): string =>
  `${formatNumber(percent, maxDigits, isSigned)} %`;

/** A fraction of 1 as percent (0.125 → `12.5 %`). */
export const formatFraction = (fraction: number, maxDigits = 2, isSigned = false): string =>
  formatPercent(fraction * 100, maxDigits, isSigned);

export function formatDuration(minutes: number): string {
  if (minutes < 60) return `${Math.round(minutes)} min`;
  const hours = minutes / 60;
  if (hours < 48) return `${Math.floor(hours)} h ${Math.round(minutes % 60)} min`;
  return `${Math.floor(hours / 24)} d ${Math.round(hours % 24)} h`;
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
export function formatLocalTime(iso: string): string {
  const date = new Date(iso);
  const two = (part: number): string => String(part).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Milliseconds of the wall clock that a broker time shows, as if it were UTC; for axes only. */
export const brokerTimeMs = (value: string): number =>
  Date.parse(`${value.replace(' ', 'T')}${value.length > 10 ? '' : 'T00:00:00'}Z`);

/** The broker time of such milliseconds. */
export const toBrokerTime = (ms: number): string =>
  new Date(ms).toISOString().replace('T', ' ').slice(0, 23);
