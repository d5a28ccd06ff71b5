import { bytesHeld, type OwnBytes, ownBytes } from '../domain/own-bytes.ts';
import { RecentMap } from '../domain/recent-map.ts';

/** How many keys of pages requested once are remembered. */
const MAX_REMEMBERED = 20_000;

type Page = { version: string; bytes: OwnBytes };

/**
 * The bytes of pages requested more than once, within a bound of bytes. Clients that read each page
 * once, as most do, would only evict those and waste memory. A version identifies the data of a
 * page, so nothing goes stale, and a page of another version replaces it.
 */
export class PageCache {
  readonly #maxBytes: number;
  readonly #pages: RecentMap<string, Page>;
  readonly #askedOnce = new RecentMap<string, true>(MAX_REMEMBERED);

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#pages = new RecentMap(maxBytes, ({ bytes }, key) => bytesHeld(key, bytes.length));
  }

  get bytes(): number {
    return this.#pages.weight;
  }

  get(key: string, version: string): Buffer | undefined {
    const page = this.#pages.get(key);
    return page?.version === version ? page.bytes : undefined;
  }

  /** Takes a page in parts. */
  set(key: string, version: string, parts: readonly Buffer[]): void {
    const bytes = parts.reduce((sum, part) => sum + part.length, 0);
    if (bytes > this.#maxBytes / 8 || this.get(key, version)) return;
    if (this.#askedOnce.has(key) || this.#pages.has(key)) {
      this.#askedOnce.delete(key);
      this.#pages.set(key, { version, bytes: ownBytes(...parts) });
    } else this.#askedOnce.set(key, true);
  }
}
