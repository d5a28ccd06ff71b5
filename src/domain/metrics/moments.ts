/** Count, mean and the sums of the second to fourth powers of the distances from the mean. */
export type Moments = { count: number; mean: number; m2: number; m3: number; m4: number };

export const noMoments = (): Moments => ({ count: 0, mean: 0, m2: 0, m3: 0, m4: 0 });

/**
 * Adds one value. Source: Pébay, "Formulas for robust, one-pass parallel computation of covariances
 * and arbitrary-order statistical moments", 2008, equations for one added value.
 */
export function addValue(moments: Moments, value: number): void {
  const before = moments.count;
  const count = before + 1;
  const distance = value - moments.mean;
  const step = distance / count;
  const term = distance * step * before;
  moments.m4 +=
    term * step * step * (count * count - 3 * count + 3) +
    6 * step * step * moments.m2 -
    4 * step * moments.m3;
  moments.m3 += term * step * (count - 2) - 3 * step * moments.m2;
  moments.m2 += term;
  moments.mean += step;
  moments.count = count;
}

/** Joins two sets of values; the equations for two sets of the same source. */
export function joinMoments(a: Moments, b: Moments): Moments {
  if (a.count === 0 || b.count === 0) return a.count === 0 ? b : a;
  const count = a.count + b.count;
  const distance = b.mean - a.mean;
  const [ofA, ofB] = [a.count / count, b.count / count];
  const term = distance ** 2 * ofA * b.count;
  return {
    count,
    mean: a.mean + distance * ofB,
    m2: a.m2 + b.m2 + term,
    m3: a.m3 + b.m3 + term * distance * (ofA - ofB) + 3 * distance * (ofA * b.m2 - ofB * a.m2),
    m4:
      a.m4 +
      b.m4 +
      term * distance ** 2 * (ofA ** 2 - ofA * ofB + ofB ** 2) +
      6 * distance ** 2 * (ofA ** 2 * b.m2 + ofB ** 2 * a.m2) +
      4 * distance * (ofA * b.m3 - ofB * a.m3),
  };
}

export function momentsOf(values: Iterable<number>): Moments {
  const moments = noMoments();
  for (const value of values) addValue(moments, value);
  return moments;
}

/** Standard deviation of the values themselves (dividing by n, not n − 1); undefined if none. */
export const deviationFrom = ({ count, m2 }: Moments): number | undefined =>
  count === 0 ? undefined : Math.sqrt(m2 / count);

/** Standard deviation of the sampled distribution (dividing by n − 1). */
export const sampleDeviationFrom = ({ count, m2 }: Moments): number | undefined =>
  count < 2 ? undefined : Math.sqrt(m2 / (count - 1));

/** g1 = √n·m3 / m2^1.5; undefined if the values hardly differ. */
export function skewnessFrom(moments: Moments): number | undefined {
  const { count, m2, m3 } = moments;
  return isSpread(moments) ? (Math.sqrt(count) * m3) / m2 ** 1.5 || 0 : undefined;
}

/** g2 = n·m4 / m2² − 3, so that a normal distribution has 0; undefined like the skewness. */
export function excessKurtosisFrom(moments: Moments): number | undefined {
  const { count, m2, m4 } = moments;
  return isSpread(moments) ? (count * m4) / m2 ** 2 - 3 || 0 : undefined;
}

/** Equal values deviate by less than this part of their mean in doubles. */
const LEAST_SPREAD = 1e-12;

function isSpread(moments: Moments): boolean {
  const deviation = deviationFrom(moments) ?? 0;
  return (
    moments.count > 1 && deviation > Math.abs(moments.mean) * LEAST_SPREAD && deviation > 1e-14
  );
}
