import { meanOf, ratioOf, totalOf } from './ratio.ts';

export type LinearFit = {
  /** Correlation of the values with the fitted line, −1 to 1. */
  correlation?: number | undefined;
  /** √(sum of squared distances from the line / (n − 2)), in the unit of the values. */
  standardError?: number | undefined;
};

/**
 * Least-squares line through the values by their index; it shows how steadily balances grew.
 * Source: MetaTrader 5 help, Testing report, LR Correlation and LR Standard Error.
 */
export function linearFitOf(values: readonly number[]): LinearFit {
  const middle = (values.length - 1) / 2;
  const mean = meanOf(values);
  if (mean === undefined) return {};
  let covariance = 0;
  let spread = 0;
  values.forEach((value, index) => {
    covariance += (index - middle) * (value - mean);
    spread += (index - middle) ** 2;
  });
  const squares = totalOf(values, (value) => (value - mean) ** 2);
  const distances = Math.max(0, squares - (ratioOf(covariance ** 2, spread) ?? 0));
  return {
    correlation: ratioOf(covariance, Math.sqrt(spread * squares)),
    standardError: values.length > 2 ? Math.sqrt(distances / (values.length - 2)) : undefined,
  };
}
