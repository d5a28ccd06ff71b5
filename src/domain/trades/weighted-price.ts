import { toUnits, type Volume } from '../money.ts';

/** Prices are summed in integer units of 1e-10, finer than any platform quotes. */
const PRICE_DIGITS = 10;
/** Smaller prices fit all 10 digits into a safe integer. */
const EXACT_BELOW = 900_000;
/** 0.01: averages of smaller prices keep all 10 digits. */
const FINE_BELOW = 100_000_000n;

/** Volume-weighted sum of prices, exact: `sum` is Σ volume × price in units of 1e-8 lot × 1e-10. */
export type WeightedPrice = { volume: Volume; sum: bigint };

export const noPrice = (): WeightedPrice => ({ volume: 0, sum: 0n });

/** The price in units of 1e-10. Above 900 000 the last digits are those a double holds. */
export function priceUnits(price: number): bigint {
  const size = Math.abs(price);
  if (size < EXACT_BELOW) return BigInt(toUnits(price, PRICE_DIGITS));
  if (size < 9_000_000_000) return BigInt(toUnits(price, 6)) * 10_000n;
  return BigInt(Math.round(price)) * 10_000_000_000n;
}

/** Decimal digits that the price is written with, at most 10; noise of doubles does not count. */
export function priceDecimals(price: number): number {
  if (Math.abs(price) >= EXACT_BELOW) return Number.isInteger(price) ? 0 : 2;
  let digits = PRICE_DIGITS;
  let units = toUnits(price, PRICE_DIGITS);
  for (; digits > 0 && units % 10 === 0; units /= 10) digits -= 1;
  return digits;
}

export function addPrice(into: WeightedPrice, volume: Volume, price: number): void {
  into.volume += volume;
  into.sum += BigInt(volume) * priceUnits(price);
}

/**
 * The average in units of 1e-10, rounded half away from zero to 1e-8; from 0.01 down to 1e-10, for
 * coins. Undefined when nothing was priced.
 */
export function averageUnits({ volume, sum }: WeightedPrice): bigint | undefined {
  if (volume === 0) return undefined;
  const size = sum < 0n ? -sum : sum;
  const step = size >= BigInt(volume) * FINE_BELOW ? 100n : 1n;
  const divisor = BigInt(volume) * step;
  const average = ((size + divisor / 2n) / divisor) * step;
  return sum < 0n ? -average : average;
}

/** Price units as a number: the double nearest to the decimal value. */
export function priceOf(units: bigint): number {
  const whole = Number(units);
  if (Number.isSafeInteger(whole)) return whole / 10 ** PRICE_DIGITS;
  return Number(units / 10_000n) / 10 ** (PRICE_DIGITS - 4);
}
