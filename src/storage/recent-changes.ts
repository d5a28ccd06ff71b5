import type { Change } from './change-store.ts';

/** Far more than the changes during one read. */
const MAX_CHANGES = 10_000;

/**
 * The newest changes known to a process: they tell whether a row changed while it was being read.
 * Changes that were forgotten here count for all rows.
 */
export class RecentChanges {
  readonly #max: number;
  /** The version that changed each row last, oldest first. */
  readonly #versions = new Map<string, number>();
  /** Changes up to this version are forgotten. */
  #floor = -1;
  /** The newest version: no row is known to have changed after it. */
  #newest = -1;

  constructor(max = MAX_CHANGES) {
    this.#max = max;
  }

  add({ kind, key }: Change, version: number): void {
    const row = rowOf(kind, key);
    this.#newest = Math.max(this.#newest, version);
    this.#versions.delete(row);
    this.#versions.set(row, version);
    if (this.#versions.size <= this.#max) return;
    const [[oldest, floor] = ['', version]] = this.#versions;
    this.#versions.delete(oldest);
    this.#floor = floor;
  }

  /** Changes up to a version are unknown. */
  forgetUpTo(version: number): void {
    this.#versions.clear();
    this.#floor = version;
  }

  /** Whether a row was changed after a version, or may have been. */
  isChanged(kind: Change['kind'], key: string | number, since: number): boolean {
    if (since < this.#floor) return true;
    // Fast path: at a start this is asked for a hundred thousand accounts.
    if (since >= this.#newest) return false;
    const changed = (of: Change['kind']) =>
      (this.#versions.get(rowOf(of, String(key))) ?? -1) > since;
    return changed(kind) || (kind === 'account' && changed('removed'));
  }
}

const rowOf = (kind: Change['kind'], key: string): string => `${kind} ${key}`;
