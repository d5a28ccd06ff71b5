import { hash as digest } from 'node:crypto';

/*
 * The Merkle tree of RFC 6962, section 2.1, with SHA-256. It grows to the right only. A complete
 * subtree of 2^level leaves never changes again, so its hash is stored once; a proof needs about as
 * many of them as the size of the tree has binary digits.
 */

/** 32 bytes. */
export type Hash = Buffer;
/** Leaves `from` to before `to`, counted from 0. */
export type Leaves = { from: number; to: number };
/** A complete subtree; `index` counts those of its level from the left. */
export type Subtree = { level: number; index: number };

export const HASH_BYTES = 32;
const [LEAF, NODE] = [Buffer.of(0), Buffer.of(1)];
const sha256 = (...parts: Uint8Array[]): Hash => digest('sha256', Buffer.concat(parts), 'buffer');

export const leafHash = (leaf: string): Hash => sha256(LEAF, Buffer.from(leaf));
const nodeHash = (left: Hash, right: Hash): Hash => sha256(NODE, left, right);

/** The root over neighbouring subtrees, each larger than the next; of none: the empty tree's. */
const rootOver = (hashes: readonly Hash[]): Hash =>
  hashes.length === 0 ? sha256() : hashes.reduceRight((right, left) => nodeHash(left, right));

/** The complete subtrees, largest first, of leaves that a proof has or a tree begins with. */
export function subtreesOf({ from, to }: Leaves): Subtree[] {
  const found: Subtree[] = [];
  for (let start = from; start < to; ) {
    let level = 0;
    while (start + 2 ** (level + 1) <= to) level += 1;
    found.push({ level, index: start / 2 ** level });
    start += 2 ** level;
  }
  return found;
}

/** A tree that leaves are added to, by the hashes of the subtrees it consists of. */
export class GrowingTree {
  #size: number;
  #hashes: Hash[];

  /** @param hashes those of `subtreesOf({ from: 0, to: size })`. RangeError: not as many. */
  constructor(size: number, hashes: readonly Hash[]) {
    if (hashes.length !== subtreesOf({ from: 0, to: size }).length)
      throw new RangeError(`the hashes are not those of ${size} records`);
    this.#size = size;
    this.#hashes = [...hashes];
  }

  get size(): number {
    return this.#size;
  }

  get root(): Hash {
    return rootOver(this.#hashes);
  }

  /** Returns the hashes of the subtrees that the leaf completes, itself first, by their level. */
  add(leaf: Hash): Hash[] {
    const completed = [leaf];
    this.#size += 1;
    let last = leaf;
    for (let width = 2; this.#size % width === 0; width *= 2) {
      last = nodeHash(this.#hashes.pop() ?? last, last);
      completed.push(last);
    }
    this.#hashes.push(last);
    return completed;
  }
}

/** The leaves under each hash of a proof that a leaf is in a tree: PATH of RFC 6962. */
export function inclusionPath(index: number, { from, to }: Leaves): Leaves[] {
  if (to - from === 1) return [];
  const middle = from + largestPowerBelow(to - from);
  const [left, right] = [
    { from, to: middle },
    { from: middle, to },
  ];
  return index < middle
    ? [...inclusionPath(index, left), right]
    : [...inclusionPath(index, right), left];
}

/** The root that follows from a leaf and its path; undefined if the path has another length. */
export function rootByInclusion(
  leaf: Hash,
  index: number,
  size: number,
  path: readonly Hash[],
): Hash | undefined {
  const sides = inclusionPath(index, { from: 0, to: size });
  if (sides.length !== path.length) return undefined;
  return path.reduce(
    (own, other, place) =>
      (sides[place]?.from ?? 0) > index ? nodeHash(own, other) : nodeHash(other, own),
    leaf,
  );
}

/**
 * The leaves under each hash of a proof that a tree begins with its first `size` leaves, which are
 * one or more: PROOF of RFC 6962. `isOld`: these are the whole old tree, whose root is known.
 */
export function consistencyPath(size: number, { from, to }: Leaves, isOld = true): Leaves[] {
  if (size === to - from) return isOld ? [] : [{ from, to }];
  const width = largestPowerBelow(to - from);
  const [left, right] = [
    { from, to: from + width },
    { from: from + width, to },
  ];
  return size <= width
    ? [...consistencyPath(size, left, isOld), right]
    : [...consistencyPath(size - width, right, false), left];
}

/** Whether a proof shows that the tree of `size` and `root` begins with the one of `old`. */
export function isConsistent(
  old: { size: number; root: Hash },
  { size, root }: { size: number; root: Hash },
  proof: readonly Hash[],
): boolean {
  if (old.size < 1 || old.size > size) return false;
  let used = 0;
  const next = (): Hash => proof[used++] ?? Buffer.alloc(0);
  /** The roots of a part of both trees, by the hashes in the order of the proof. */
  const rootsOf = (oldSize: number, newSize: number, isOld: boolean): [Hash, Hash] => {
    if (oldSize === newSize) {
      const same = isOld ? old.root : next();
      return [same, same];
    }
    const width = largestPowerBelow(newSize);
    if (oldSize <= width) {
      const [before, now] = rootsOf(oldSize, width, isOld);
      return [before, nodeHash(now, next())];
    }
    const [before, now] = rootsOf(oldSize - width, newSize - width, false);
    const left = next();
    return [nodeHash(left, before), nodeHash(left, now)];
  };
  const [before, now] = rootsOf(old.size, size, true);
  return used === proof.length && before.equals(old.root) && now.equals(root);
}

/** The hashes of a proof, from those of complete subtrees. */
export const hashesOf = (path: readonly Leaves[], hashOf: (subtree: Subtree) => Hash): Hash[] =>
  path.map((leaves) => rootOver(subtreesOf(leaves).map(hashOf)));

function largestPowerBelow(size: number): number {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}
