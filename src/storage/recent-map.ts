/** A map of at most so many entries: the one that was set or found longest ago makes room. */
export class RecentMap<K, V> {
  readonly #max: number;
  /** What was used since the last turn-over, and what was used before it. */
  #recent = new Map<K, V>();
  #older = new Map<K, V>();

  /** Holds `max` entries at most; at least half as many are never forgotten while they are used. */
  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#recent.size + this.#older.size;
  }

  get(key: K): V | undefined {
    const known = this.#recent.get(key);
    if (known !== undefined) return known;
    const old = this.#older.get(key);
    if (old === undefined) return undefined;
    this.#older.delete(key);
    this.#keep(key, old);
    return old;
  }

  has(key: K): boolean {
    return this.#recent.has(key) || this.#older.has(key);
  }

  set(key: K, value: V): void {
    this.#older.delete(key);
    this.#keep(key, value);
  }

  delete(key: K): void {
    this.#recent.delete(key);
    this.#older.delete(key);
  }

  clear(): void {
    this.#recent.clear();
    this.#older.clear();
  }

  *values(): Generator<V> {
    yield* this.#recent.values();
    yield* this.#older.values();
  }

  /** Moving an entry at each use would cost more than what it saves: halves are turned over. */
  #keep(key: K, value: V): void {
    if (this.#recent.size >= this.#max / 2 && !this.#recent.has(key)) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(key, value);
  }
}
