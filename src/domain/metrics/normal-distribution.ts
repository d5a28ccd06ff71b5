/** erf of x ≥ 0 by Abramowitz and Stegun, 7.1.26; off by at most 1.5e-7. */
export function errorFunction(x: number): number {
  const t = 1 / (1 + 0.3275911 * x);
  const series =
    t *
    (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return 1 - series * Math.exp(-x * x);
}

/** The share of a normal distribution below z standard deviations. */
export function normalShareBelow(z: number): number {
  const half = errorFunction(Math.abs(z) / Math.SQRT2) / 2;
  return z < 0 ? 0.5 - half : 0.5 + half;
}
