import type { Money } from '../../domain/money.ts';

/** What of an account's statistics is the same until a deal or an hour is added. */
export type LastingPart = {
  balance: Money;
  credit: Money;
  /** The answer's JSON but for its first fields. */
  json: Buffer;
};

const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Statistics that were computed, and those that are being computed: whoever asks for the same gets
 * the same. A key names the versions of what they are made of, so nothing goes stale; what was asked
 * for longest ago goes first.
 */
export class LastingMetrics {
  readonly #maxBytes: number;
  readonly #parts = new Map<string, { part: Promise<LastingPart | undefined>; bytes: number }>();
  #bytes = 0;

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** What is known under the key, else what `make` makes; undefined, or an error, is not kept. */
  of(key: string, make: () => Promise<LastingPart | undefined>): Promise<LastingPart | undefined> {
    const known = this.#parts.get(key);
    if (known) {
      this.#parts.delete(key);
      this.#parts.set(key, known);
      return known.part;
    }
    const entry = { part: make(), bytes: 0 };
    this.#parts.set(key, entry);
    entry.part.then(
      (part) => (part ? this.#keep(entry, part.json.length) : this.#parts.delete(key)),
      () => this.#parts.delete(key),
    );
    return entry.part;
  }

  #keep(entry: { bytes: number }, bytes: number): void {
    entry.bytes = bytes;
    this.#bytes += bytes;
    for (const [key, oldest] of this.#parts) {
      if (this.#bytes <= this.#maxBytes) return;
      // Those without bytes are being computed.
      if (oldest.bytes === 0) continue;
      this.#parts.delete(key);
      this.#bytes -= oldest.bytes;
    }
  }
}
