/**
 * Looks values up so that those who ask for the same key at the same time share a lookup. Nobody is
 * given the result of one that began before they asked: what was changed before is always seen.
 * Holds as many keys as are being looked up.
 */
export class SharedLookups<V> {
  readonly #look: (key: string) => Promise<V>;
  readonly #running = new Map<string, { lookup: Promise<V>; next: Promise<V> | undefined }>();

  constructor(look: (key: string) => Promise<V>) {
    this.#look = look;
  }

  find(key: string): Promise<V> {
    const running = this.#running.get(key);
    if (!running) return this.#start(key);
    const start = (): Promise<V> => this.#start(key);
    running.next ??= running.lookup.then(start, start);
    return running.next;
  }

  #start(key: string): Promise<V> {
    const lookup = this.#look(key).finally(() => this.#running.delete(key));
    this.#running.set(key, { lookup, next: undefined });
    return lookup;
  }
}
