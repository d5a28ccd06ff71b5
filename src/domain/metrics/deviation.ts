import { ratioOf, sumOf } from './ratio.ts';

export const meanOf = (values: readonly number[]): number | undefined =>
  ratioOf(
    sumOf(values, (value) => value),
    values.length,
  );

/** Standard deviation of the values themselves (dividing by n, not n − 1). */
export function standardDeviationOf(values: readonly number[]): number | undefined {
  const mean = meanOf(values);
  if (mean === undefined) return undefined;
  return Math.sqrt(sumOf(values, (value) => (value - mean) ** 2) / values.length);
}

/** Root of the mean square of the values below zero; the others count as 0. */
export function downsideDeviationOf(values: readonly number[]): number | undefined {
  const meanSquare = meanOf(values.map((value) => Math.min(value, 0) ** 2));
  return meanSquare === undefined ? undefined : Math.sqrt(meanSquare);
}
