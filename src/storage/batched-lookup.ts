import { SharedQuestion } from './shared-question.ts';

/**
 * Looks up values of concurrent requests with one question: see SharedQuestion. It holds as many
 * keys as there are waiting requests.
 */
export class BatchedLookup<K, V> {
  readonly #lookups: SharedQuestion<ReadonlyMap<K, V>>;
  #keys = new Set<K>();

  constructor(look: (keys: K[]) => Promise<ReadonlyMap<K, V>>) {
    this.#lookups = new SharedQuestion(() => {
      const keys = [...this.#keys];
      this.#keys = new Set();
      return look(keys);
    });
  }

  async find(key: K): Promise<V | undefined> {
    return (await this.findAll([key])).get(key);
  }

  /** The values of these keys, and of those of other requests. */
  findAll(keys: Iterable<K>): Promise<ReadonlyMap<K, V>> {
    for (const key of keys) this.#keys.add(key);
    return this.#lookups.ask();
  }
}
