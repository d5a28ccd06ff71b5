/** What an answer takes besides its own bytes and those of its key. */
const OVERHEAD_BYTES = 200;

/**
 * Answers that were made, and those that are being made: the same request gets the same answer. A
 * key names everything that an answer depends on, so nothing goes stale; the least recently used
 * answer goes first.
 */
export class SharedAnswers<T> {
  readonly #maxBytes: number;
  readonly #bytesOf: (answer: T) => number;
  readonly #answers = new Map<string, { answer: Promise<T>; bytes: number }>();
  #bytes = 0;

  /** An answer of 0 bytes is not kept. */
  constructor(maxBytes: number, bytesOf: (answer: T) => number) {
    this.#maxBytes = maxBytes;
    this.#bytesOf = bytesOf;
  }

  /** The answer known under the key, else the one that `make` makes; errors are not kept. */
  of(key: string, make: () => Promise<T>): Promise<T> {
    const known = this.#answers.get(key);
    if (known) {
      this.#answers.delete(key);
      this.#answers.set(key, known);
      return known.answer;
    }
    const entry = { answer: make(), bytes: 0 };
    this.#answers.set(key, entry);
    entry.answer.then(
      (answer) => {
        const bytes = this.#bytesOf(answer);
        if (bytes > 0) this.#keep(entry, bytes + 2 * key.length + OVERHEAD_BYTES);
        else this.#answers.delete(key);
      },
      () => this.#answers.delete(key),
    );
    return entry.answer;
  }

  #keep(entry: { bytes: number }, bytes: number): void {
    entry.bytes = bytes;
    this.#bytes += bytes;
    for (const [key, oldest] of this.#answers) {
      if (this.#bytes <= this.#maxBytes) return;
      // Those without bytes are being made.
      if (oldest.bytes === 0) continue;
      this.#answers.delete(key);
      this.#bytes -= oldest.bytes;
    }
  }
}
