import type { Money } from '../money.ts';
import { RELATIVE_DIGITS } from './tracker-definition.ts';

/** Fractions are held as whole ten-millionths, so that comparing amounts with them is exact. */
export const RELATIVE_SCALE = 10 ** RELATIVE_DIGITS;

/** NaN without a fraction. */
export const partsOf = (fraction: number | undefined): number =>
  fraction === undefined ? Number.NaN : Math.round(fraction * RELATIVE_SCALE);

/**
 * The most whole units that are not above `parts` ten-millionths of an amount ≥ 0 or, with
 * `unitsBelow` 1, that are below them. Exact for `parts` ≤ 9e8 if the result is a safe integer; a
 * result beyond that is beyond every amount.
 */
export function portionOf(amount: Money, parts: number, unitsBelow: 0 | 1 = 0): Money {
  const whole = Math.floor(amount / RELATIVE_SCALE);
  const rest = amount - whole * RELATIVE_SCALE;
  return whole * parts + Math.floor((rest * parts - unitsBelow) / RELATIVE_SCALE);
}

/** The least whole units that are not below `parts` ten-millionths of an amount ≥ 0. */
export const leastPortionOf = (amount: Money, parts: number): Money =>
  portionOf(amount, parts, 1) + 1;
