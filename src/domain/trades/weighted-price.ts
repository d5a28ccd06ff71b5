import { toUnits, type Volume } from '../money.ts';

/** Prices are summed in integer units of 1e-10, finer than any platform quotes. */
const PRICE_DIGITS = 10;
/** Prices below this are safe integers in units of 1e-10. */
const EXACT_BELOW = 900_000;
/** 0.01 in units of 1e-10: averages below it keep all 10 digits. */
const FINE_BELOW = 100_000_000n;

/** Prices weighted by volume: `sum` is the exact Σ volume × price in units of 1e-8 lot × 1e-10. */
export type WeightedPrice = { volume: Volume; sum: bigint };

export const noPrice = (): WeightedPrice => ({ volume: 0, sum: 0n });

/** The price in units of 1e-10; rounded to 1e-6 from 900 000 on, and to 1 from 9 000 000 000 on. */
export function priceUnits(price: number): bigint {
  const size = Math.abs(price);
  if (size < EXACT_BELOW) return BigInt(toUnits(price, PRICE_DIGITS));
  if (size < 9_000_000_000) return BigInt(toUnits(price, 6)) * 10_000n;
  return BigInt(Math.round(price)) * 10_000_000_000n;
}

/** The decimals of a price, at most 10, without the noise of doubles; 2 or 0 from 900 000 on. */
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
 * The average in units of 1e-10, rounded half away from zero: to 1e-8, or to 1e-10 below 0.01, for
 * coins. Undefined if no volume had a price.
 */
export function averageUnits({ volume, sum }: WeightedPrice): bigint | undefined {
  if (volume === 0) return undefined;
  const size = sum < 0n ? -sum : sum;
  const step = size >= BigInt(volume) * FINE_BELOW ? 100n : 1n;
  const divisor = BigInt(volume) * step;
  const average = ((size + divisor / 2n) / divisor) * step;
  return sum < 0n ? -average : average;
}

/** The price: the nearest double, or cut to 1e-6 if the units are no safe integer. */
export function priceOf(units: bigint): number {
  const whole = Number(units);
  if (Number.isSafeInteger(whole)) return whole / 10 ** PRICE_DIGITS;
  return Number(units / 10_000n) / 10 ** (PRICE_DIGITS - 4);
}
