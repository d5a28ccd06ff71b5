/** How many keys of pages that were asked for once are remembered. */
const MAX_REMEMBERED = 20_000;

/**
 * The bytes of pages that were asked for more than once, within a bound of bytes; the least
 * recently used page goes first. Clients that read each page once, as most do, would only drive
 * those out and fill memory that nobody uses. A key names the version of what the page was made
 * from, so nothing goes stale.
 */
export class PageCache {
  readonly #maxBytes: number;
  readonly #pages = new Map<string, Buffer>();
  readonly #askedOnce = new Set<string>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(key: string): Buffer | undefined {
    const page = this.#pages.get(key);
    if (page) {
      this.#pages.delete(key);
      this.#pages.set(key, page);
    }
    return page;
  }

  /** Takes a page in parts; keeps it as one piece, which holds nothing else in memory. */
  set(key: string, parts: readonly Buffer[]): void {
    const bytes = parts.reduce((sum, part) => sum + part.length, 0);
    if (bytes > this.#maxBytes / 8 || this.#pages.has(key)) return;
    if (!this.#askedOnce.delete(key)) {
      this.#remember(key);
      return;
    }
    this.#pages.set(key, Buffer.concat(parts));
    this.#bytes += bytes;
    for (const [oldest, page] of this.#pages) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#pages.delete(oldest);
      this.#bytes -= page.length;
    }
  }

  #remember(key: string): void {
    this.#askedOnce.add(key);
    if (this.#askedOnce.size <= MAX_REMEMBERED) return;
    for (const oldest of this.#askedOnce) {
      this.#askedOnce.delete(oldest);
      return;
    }
  }
}
