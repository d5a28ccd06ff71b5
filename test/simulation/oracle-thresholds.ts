import type { TrackerDefinition } from '../../src/domain/live/tracker-definition.ts';

const SCALE = 10_000_000n;

const parts = (fraction: number): bigint => BigInt(Math.round(fraction * Number(SCALE)));

/** Strictly more than either threshold, in exact arithmetic. */
export function isOver(
  amount: number,
  base: number,
  absolute: number | undefined,
  fraction: number | undefined,
): boolean {
  if (absolute !== undefined && amount > absolute) return true;
  if (fraction === undefined || !(base > 0)) return false;
  return BigInt(amount) * SCALE > BigInt(base) * parts(fraction);
}

/** The largest amount that is over neither threshold. */
export function allowedBy(
  base: number,
  absolute: number | undefined,
  fraction: number | undefined,
): number {
  const limits = [absolute ?? Infinity];
  if (fraction !== undefined && base > 0) {
    limits.push(Number((BigInt(base) * parts(fraction)) / SCALE));
  }
  return Math.min(...limits);
}

/** The highest baseline whose floor is not above the lock. */
export function baselineCapOf(definition: TrackerDefinition): number {
  const { lockAt, absoluteDrawdownThreshold, relativeDrawdownThreshold, initialCapital } =
    definition;
  if (lockAt === undefined) return Infinity;
  const caps = [Infinity];
  if (absoluteDrawdownThreshold !== undefined) caps.push(lockAt + absoluteDrawdownThreshold);
  if (relativeDrawdownThreshold !== undefined) {
    const fraction = parts(relativeDrawdownThreshold);
    caps.push(
      definition.limitBase === 'initialCapital'
        ? lockAt + Number((BigInt(initialCapital ?? 0) * fraction) / SCALE)
        : Number((BigInt(lockAt) * SCALE) / (SCALE - fraction)),
    );
  }
  return Math.min(...caps);
}
