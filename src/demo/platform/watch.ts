/** Any kind of watch. */
export type Watched = {
  next(untilUtcMs: number): number | undefined;
  happen(): void;
};

/**
 * A possible automatic event, found by searching ahead. The splitting of the search into stretches
 * makes no difference.
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

  /** When it happens next, if known and not after the moment. */
  next(untilUtcMs: number): number | undefined {
    if (!this.#found && this.#scannedUtcMs < untilUtcMs) {
      this.#found = this.#search(this.#scannedUtcMs, untilUtcMs);
      this.#scannedUtcMs = untilUtcMs;
    }
    const utcMs = this.#found?.utcMs;
    return utcMs !== undefined && utcMs <= untilUtcMs ? utcMs : undefined;
  }

  /** Carries out the event returned by `next`; the search continues from there. */
  happen(): void {
    const found = this.#found;
    if (!found) return;
    this.#found = undefined;
    this.#scannedUtcMs = found.utcMs;
    this.#happen(found);
  }
}
