import type { TrackerDefinition } from '../../src/domain/live/tracker-definition.ts';

const SCALE = 10_000_000n;

const parts = (fraction: number): bigint => BigInt(Math.round(fraction * Number(SCALE)));

export type Thresholds = {
  absolute: number | undefined;
  fraction: number | undefined;
  inclusive: boolean;
};

export const lossesOf = (definition: TrackerDefinition): Thresholds => ({
  absolute: definition.absoluteDrawdownThreshold,
  fraction: definition.relativeDrawdownThreshold,
  inclusive: definition.inclusive ?? false,
});

export const gainsOf = (definition: TrackerDefinition): Thresholds => ({
  absolute: definition.absoluteProfitThreshold,
  fraction: definition.relativeProfitThreshold,
  inclusive: definition.inclusive ?? false,
});

/** Beyond either threshold, or at it where they are inclusive, in exact arithmetic. */
export function isOver(
  amount: number,
  base: number,
  { absolute, fraction, inclusive }: Thresholds,
): boolean {
  if (amount === 0) return false;
  const isBeyond = (left: bigint, right: bigint) => (inclusive ? left >= right : left > right);
  if (absolute !== undefined && isBeyond(BigInt(amount), BigInt(absolute))) return true;
  if (fraction === undefined || !(base > 0)) return false;
  return isBeyond(BigInt(amount) * SCALE, BigInt(base) * parts(fraction));
}

/** The largest amount that is over neither threshold; inclusive, the least that is over one. */
export function limitOf(base: number, { absolute, fraction, inclusive }: Thresholds): number {
  const limits = [absolute ?? Infinity];
  if (fraction !== undefined && base > 0) {
    const product = BigInt(base) * parts(fraction);
    limits.push(Number(inclusive ? (product + SCALE - 1n) / SCALE : product / SCALE));
  }
  return Math.min(...limits);
}

/** The highest baseline whose floor is not above the lock. */
export function baselineCapOf(definition: TrackerDefinition): number {
  const { lockAt, limitBase, initialCapital = 0 } = definition;
  if (lockAt === undefined) return Infinity;
  const { absolute, fraction, inclusive } = lossesOf(definition);
  const floorOf = (baseline: number, relative: number | undefined) => {
    const base = limitBase === 'initialCapital' ? initialCapital : baseline;
    return baseline - limitOf(base, { absolute: undefined, fraction: relative, inclusive });
  };
  const caps = [absolute === undefined ? Infinity : lockAt + absolute];
  if (fraction !== undefined && parts(fraction) < SCALE) {
    const guess =
      limitBase === 'initialCapital'
        ? lockAt + initialCapital * fraction
        : lockAt / (1 - Number(parts(fraction)) / Number(SCALE));
    let cap = Math.floor(guess) - 3;
    while (floorOf(cap + 1, fraction) <= lockAt) cap += 1;
    caps.push(cap);
  }
  return Math.min(...caps);
}
