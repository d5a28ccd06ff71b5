/**
 * Thrown inside this folder when the margin of a valid order cannot be known (no prices, a setting
 * of the symbol is missing), and turned into a value at its public functions.
 */
export class MarginUnavailable extends Error {}

/** A positive setting that a formula needs. Throws MarginUnavailable if there is none. */
export function required(value: number | undefined, what: string): number {
  if (value === undefined || !(value > 0) || value === Number.POSITIVE_INFINITY)
    throw new MarginUnavailable(`${what} is not known`);
  return value;
}
