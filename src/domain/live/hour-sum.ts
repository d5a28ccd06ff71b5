import type { Money } from '../money.ts';

/*
 * Sums of large amounts × milliseconds outgrow safe integers, so each is held in two numbers, sum =
 * high × 2^26 + low: both are exact for 18 hours of any amount.
 */
const SPLIT = 2 ** 26;
/** Below this, a quotient of doubles lies on the right side of every half. */
const PLAIN_SUM = 2 ** 51;

export const highPart = (amount: Money): number => Math.trunc(amount / SPLIT);
export const lowPart = (amount: Money): number => amount % SPLIT;

/** The sum as one number, rounded if it is no safe integer. */
export const sumOf = (high: number, low: number): number => high * SPLIT + low;

/** The sum divided by a duration > 0, rounded to units, halves up. */
export function averageAbove(high: number, low: number, durationMs: number): Money {
  const sum = sumOf(high, low);
  if (Math.abs(sum) < PLAIN_SUM) return Math.round(sum / durationMs);
  const duration = BigInt(durationMs);
  const doubled = 2n * (BigInt(high) * BigInt(SPLIT) + BigInt(low)) + duration;
  const rest = doubled % (2n * duration);
  // Division of BigInts truncates towards 0.
  return Number(doubled / (2n * duration) - (rest < 0n ? 1n : 0n));
}
