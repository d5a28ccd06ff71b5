import {
  consistencyPath,
  type Hash,
  hashesOf,
  inclusionPath,
  type Leaves,
  subtreesOf,
} from '../../domain/evidence/merkle-tree.ts';
import type { Sql } from '../../storage/database.ts';
import { readSubtrees } from '../../storage/seal-store.ts';

/** Reads from a user's tree, about as many rows as its size has binary digits for each proof. */
export class TreeProofs {
  readonly #sql: Sql;
  readonly #userId: string;

  constructor(sql: Sql, userId: string) {
    this.#sql = sql;
    this.#userId = userId;
  }

  /** That a leaf, by its index, is in the tree of a size. */
  inclusion = (index: number, size: number): Promise<Hash[]> =>
    this.#read(inclusionPath(index, { from: 0, to: size }));

  /** That the tree of a size begins with that of an older one, which is not empty. */
  consistency = (oldSize: number, size: number): Promise<Hash[]> =>
    this.#read(consistencyPath(oldSize, { from: 0, to: size }));

  /** The hashes that a GrowingTree of a size begins with. */
  edge = (size: number): Promise<Hash[]> =>
    this.#read(
      subtreesOf({ from: 0, to: size }).map(({ level, index }) => ({
        from: index * 2 ** level,
        to: (index + 1) * 2 ** level,
      })),
    );

  async #read(path: Leaves[]): Promise<Hash[]> {
    return hashesOf(path, await readSubtrees(this.#sql, this.#userId, path.flatMap(subtreesOf)));
  }
}
