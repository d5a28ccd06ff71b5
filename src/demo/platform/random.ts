/**
 * Randomness as a function: the same seed and keys always give the same number, in any order of
 * calls, so any moment of the simulated world can be computed without earlier ones.
 */

/** A 32-bit number of a text (FNV-1a). */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1)
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash;
}

/** Stirs a key into a 32-bit state (the finaliser of MurmurHash3). */
export function mix(state: number, key: number): number {
  let hash = (state ^ Math.imul(key | 0, 0x9e3779b1)) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** A number in [0, 1). */
export function chance(state: number, key: number): number {
  return mix(mix(state, key), 0x5bd1e995) / 0x1_0000_0000;
}

/** One of the items. Throws RangeError if there are none. */
export function pick<T>(items: readonly T[], state: number, key: number): T {
  const item = items[Math.floor(chance(state, key) * items.length)];
  if (item === undefined) throw new RangeError('Nothing to pick from');
  return item;
}
