/** A small seeded generator (mulberry32), so that samples come out the same on every machine. */
export type Random = {
  /** 0 ≤ x < 1. */
  next(): number;
  /** Whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number;
  /** Normal with mean 0 and deviation 1, roughly (sum of twelve). */
  normal(): number;
  pick<Item>(items: readonly Item[]): Item;
};

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    whole: (low, high) => low + Math.floor(next() * (high - low + 1)),
    normal: () => Array.from({ length: 12 }, next).reduce((sum, x) => sum + x, -6),
    pick: (items) => items[Math.floor(next() * items.length)] as (typeof items)[number],
  };
}
