/**
 * The bytes of pages that were read, kept within a bound of bytes; the page that was asked for
 * longest ago goes first. A key names the version of what it was made of, so nothing goes stale.
 */
export class PageCache {
  readonly #maxBytes: number;
  readonly #pages = new Map<string, Buffer>();
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

  set(key: string, page: Buffer): void {
    if (page.length > this.#maxBytes / 8 || this.#pages.has(key)) return;
    this.#pages.set(key, page);
    this.#bytes += page.length;
    for (const [oldest, bytes] of this.#pages) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#pages.delete(oldest);
      this.#bytes -= bytes.length;
    }
  }
}
