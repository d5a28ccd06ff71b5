import { bytesHeld } from '../domain/own-bytes.ts';
import { RecentMap } from '../domain/recent-map.ts';

export { type OwnBytes, ownBytes } from '../domain/own-bytes.ts';

type Entry<T> = { version: string; answer: Promise<T>; bytes: number };

/**
 * Finished answers, and those being made: equal requests share one. A version identifies everything
 * that the answer to a key depends on, so nothing goes stale, and an answer of another version
 * replaces it.
 */
export class SharedAnswers<T> {
  readonly #bytesOf: (answer: T) => number;
  readonly #made: RecentMap<string, Entry<T>>;
  /** One for each waiting request. */
  readonly #making = new Map<string, Entry<T>>();

  /** An answer of 0 bytes is not kept. Bytes counted by `bytesOf` are owned: see `ownBytes`. */
  constructor(maxBytes: number, bytesOf: (answer: T) => number) {
    this.#bytesOf = bytesOf;
    this.#made = new RecentMap(maxBytes, ({ bytes }, key) => bytesHeld(key, bytes));
  }

  get bytes(): number {
    return this.#made.weight;
  }

  /** The known answer of the key, or else that of `make`; errors are not kept. */
  of(key: string, version: string, make: () => Promise<T>): Promise<T> {
    const known = this.#making.get(key) ?? this.#made.get(key);
    if (known?.version === version) return known.answer;
    const entry = { version, answer: make(), bytes: 0 };
    this.#making.set(key, entry);
    const end = (): void => {
      if (this.#making.get(key) === entry) this.#making.delete(key);
    };
    entry.answer.then((answer) => {
      end();
      entry.bytes = this.#bytesOf(answer);
      if (entry.bytes > 0) this.#made.set(key, entry);
    }, end);
    return entry.answer;
  }
}
