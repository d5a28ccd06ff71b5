/**
 * How long to wait after a number of failures in a row: `firstMs` after the first, twice as long
 * after each further one, at most `maxMs`. A `random` in [0, 1) shortens it by up to a half, so
 * that callers that failed together do not retry together.
 */
export const growingPause = (
  failures: number,
  { firstMs, maxMs }: { firstMs: number; maxMs: number },
  random: number = 0,
): number => Math.min(firstMs * 2 ** (failures - 1), maxMs) * (1 - random / 2);
