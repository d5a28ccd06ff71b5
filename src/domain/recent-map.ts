/**
 * A map with a bound on the weight of its entries, by default one each: those set or found longest
 * ago make room. The project's only cache.
 */
export class RecentMap<K, V> {
  readonly #half: number;
  readonly #weightOf: (value: V, key: K) => number;
  /** Entries used since the halves were last swapped, and those used before. */
  #recent = new Half<K, V>();
  #older = new Half<K, V>();

  /**
   * Holds at most `max`; the half used most recently is never forgotten. The weight of an entry
   * must not change, and an entry heavier than a half is not kept.
   */
  constructor(max: number, weightOf: (value: V, key: K) => number = () => 1) {
    this.#half = Math.max(max / 2, 1);
    this.#weightOf = weightOf;
  }

  get size(): number {
    return this.#recent.entries.size + this.#older.entries.size;
  }

  get weight(): number {
    return this.#recent.weight + this.#older.weight;
  }

  get(key: K): V | undefined {
    const known = this.#recent.entries.get(key);
    if (known !== undefined) return known;
    const old = this.#older.entries.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  has(key: K): boolean {
    return this.#recent.entries.has(key) || this.#older.entries.has(key);
  }

  /** Ordering entries at each use would cost more than it saves, so the older half goes at once. */
  set(key: K, value: V): void {
    this.delete(key);
    const weight = this.#weightOf(value, key);
    if (weight > this.#half) return;
    if (this.#recent.weight + weight > this.#half) {
      this.#older = this.#recent;
      this.#recent = new Half();
    }
    this.#recent.entries.set(key, value);
    this.#recent.weight += weight;
  }

  delete(key: K): void {
    for (const half of [this.#recent, this.#older]) {
      const value = half.entries.get(key);
      if (value !== undefined) half.weight -= this.#weightOf(value, key);
      half.entries.delete(key);
    }
  }

  clear(): void {
    this.#recent = new Half();
    this.#older = new Half();
  }

  *values(): Generator<V> {
    yield* this.#recent.entries.values();
    yield* this.#older.entries.values();
  }
}

class Half<K, V> {
  readonly entries = new Map<K, V>();
  weight = 0;
}
