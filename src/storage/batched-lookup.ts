import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Looks values up so that all who ask in the same turn of the event loop, and all who ask while a
 * lookup runs, share the next one. Nobody is given the result of a lookup that began before they
 * asked: what was changed before is always seen. Holds as many keys as there are requests waiting.
 */
export class BatchedLookup<K, V> {
  readonly #look: (keys: K[]) => Promise<ReadonlyMap<K, V>>;
  #next: { keys: Set<K>; values: Promise<ReadonlyMap<K, V>> } | undefined;
  #running: Promise<unknown> = Promise.resolve();

  constructor(look: (keys: K[]) => Promise<ReadonlyMap<K, V>>) {
    this.#look = look;
  }

  async find(key: K): Promise<V | undefined> {
    return (await this.findAll([key])).get(key);
  }

  /** Values of these keys, among those that others have asked for. */
  findAll(some: Iterable<K>): Promise<ReadonlyMap<K, V>> {
    this.#next ??= this.#gather();
    const { keys, values } = this.#next;
    for (const key of some) keys.add(key);
    return values;
  }

  #gather() {
    const keys = new Set<K>();
    const values = this.#running
      .then(() => nextTurn())
      .then(() => {
        this.#next = undefined;
        return this.#look([...keys]);
      });
    this.#running = values.catch(() => {});
    return { keys, values };
  }
}
