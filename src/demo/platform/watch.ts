/** A watch of any kind. */
export type Watched = {
  next(untilUtcMs: number): number | undefined;
  happen(): void;
};

/**
 * Something that may happen by itself, found by searching ahead. How the search is cut into
 * stretches makes no difference to what is found.
 */
export class Watch<T extends { utcMs: number }> implements Watched {
  readonly #search: (fromUtcMs: number, toUtcMs: number) => T | undefined;
  readonly #happen: (found: T) => void;
  #scannedUtcMs: number;
  #found: T | undefined;

  constructor(
    fromUtcMs: number,
    search: (fromUtcMs: number, toUtcMs: number) => T | undefined,
    happen: (found: T) => void,
  ) {
    this.#scannedUtcMs = fromUtcMs;
    this.#search = search;
    this.#happen = happen;
  }

  /** When it happens next, if that is known and not after the moment. */
  next(untilUtcMs: number): number | undefined {
    if (!this.#found && this.#scannedUtcMs < untilUtcMs) {
      this.#found = this.#search(this.#scannedUtcMs, untilUtcMs);
      this.#scannedUtcMs = untilUtcMs;
    }
    const utcMs = this.#found?.utcMs;
    return utcMs !== undefined && utcMs <= untilUtcMs ? utcMs : undefined;
  }

  /** Lets happen what `next` told; the search goes on from there. */
  happen(): void {
    const found = this.#found;
    if (!found) return;
    this.#found = undefined;
    this.#scannedUtcMs = found.utcMs;
    this.#happen(found);
  }
}
