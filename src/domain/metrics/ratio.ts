import { type Money, toUnits } from '../money.ts';

/** a / b, or undefined if that is no finite number. Never -0. */
export function ratioOf(a: number, b: number): number | undefined {
  const ratio = a / b;
  return Number.isFinite(ratio) ? ratio || 0 : undefined;
}

/** a in percent of b, or undefined if that is no finite number. */
export const percentOf = (a: number, b: number): number | undefined => ratioOf(a * 100, b);

/** The average of money, rounded half away from zero to a whole unit; undefined if count is 0. */
export const averageMoney = (sum: Money, count: number): Money | undefined =>
  count === 0 ? undefined : toUnits(sum / count, 0);

export const totalOf = <T>(items: readonly T[], numberOf: (item: T) => number): number => {
  let sum = 0;
  for (const item of items) sum += numberOf(item);
  return sum;
};

export const meanOf = (values: readonly number[]): number | undefined =>
  ratioOf(
    totalOf(values, (value) => value),
    values.length,
  );
