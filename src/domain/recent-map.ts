/** A map with a bound on its entries: those set or found longest ago make room. */
export class RecentMap<K, V> {
  readonly #max: number;
  /** Entries used since the halves last changed places, and those used before. */
  #recent = new Map<K, V>();
  #older = new Map<K, V>();

  /** Holds at most `max` entries; the `max / 2` used most recently are never forgotten. */
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

  /** Ordering entries at each use would cost more than it saves, so the older half goes at once. */
  #keep(key: K, value: V): void {
    if (this.#recent.size >= this.#max / 2 && !this.#recent.has(key)) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(key, value);
  }
}
