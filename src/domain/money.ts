/**
 * Money is held as an integer number of units of 10^-moneyDigits(currency), so that sums are exact
 * as long as they are safe integers. Two digits more than a currency prints keep commissions like
 * 0.0035 per lot. Currencies whose own smallest part is finer (crypto) have 8 digits, those with
 * large amounts have 2. Range: ±90 trillion (2), ±900 billion (4), ±90 million (8).
 */
export type Money = number;

/** Volume is held in units of 1e-8 lot, the platforms' own extended precision (VolumeExt). */
export type Volume = number;

const ZERO_DIGIT_CURRENCIES = new Set(
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '),
);
/** Two digits by ISO 4217, but a dollar is worth thousands of these. */
const SMALL_UNIT_CURRENCIES = new Set(
  'COP IDR IRR KHR LAK LBP MGA MMK MNT SYP TZS UZS VES ZWL'.split(' '),
);
const THREE_DIGIT_CURRENCIES = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '));
const EIGHT_DIGIT_CURRENCIES = new Set('BTC XBT ETH LTC BCH XMR DOT SOL BNB'.split(' '));

/** Digits that platforms print for a currency (ISO 4217; crypto 8): JPY 0, USD 2, KWD 3, BTC 8. */
export function currencyDigits(currency: string): 0 | 2 | 3 | 8 {
  if (ZERO_DIGIT_CURRENCIES.has(currency)) return 0;
  if (THREE_DIGIT_CURRENCIES.has(currency)) return 3;
  return EIGHT_DIGIT_CURRENCIES.has(currency) ? 8 : 2;
}

/** Decimal digits of one unit of Money in the currency. */
export function moneyDigits(currency: string): 2 | 4 | 8 {
  if (EIGHT_DIGIT_CURRENCIES.has(currency)) return 8;
  return currencyDigits(currency) === 0 || SMALL_UNIT_CURRENCIES.has(currency) ? 2 : 4;
}

/** Up to 10^15: raising to a power would take longer than all other work on a number. */
export const POWERS_OF_TEN = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);

/**
 * Rounds the decimal that the double prints as to a number of digits, half away from zero: 1.005
 * rounds to 1.01, although the double itself lies a little below. Returns the integer
 * `value × 10^digits`. Throws RangeError if that is not a safe integer.
 */
export function toUnits(value: number, digits: number): number {
  const scaled = Math.abs(value) * (POWERS_OF_TEN[digits] ?? 10 ** digits);
  // A double carries 15.95 digits: the nudge lifts 100.49999999999999 to the 100.5 that was meant.
  const nudge = scaled < 1e13 ? scaled * 4e-16 : 0;
  const units = Math.floor(scaled + 0.5 + nudge);
  if (!Number.isSafeInteger(units))
    throw new RangeError(`${value} is too large to be stored exactly`);
  return value < 0 && units !== 0 ? -units : units;
}

/** The number that an integer amount of 10^-digits units prints as. */
export function fromUnits(units: number, digits: number): number {
  return units === 0 ? 0 : units / 10 ** digits;
}

/** Rounds Money held with `digits` to the digits that the currency prints, half away from zero. */
export function roundMoney(units: Money, digits: number, toDigits: number): Money {
  if (toDigits >= digits) return units;
  const step = 10 ** (digits - toDigits);
  const steps = Math.floor(Math.abs(units) / step + 0.5);
  return steps === 0 ? 0 : Math.sign(units) * steps * step;
}

export const VOLUME_DIGITS = 8;

export const toVolume = (lots: number): Volume => toUnits(lots, VOLUME_DIGITS);
export const fromVolume = (volume: Volume): number => fromUnits(volume, VOLUME_DIGITS);
