import type { Timekeeper } from '../domain/timekeeper.ts';
import type { Sql, SqlValue } from '../storage/database.ts';
import { type DueWork, readFirstDue } from '../storage/due-store.ts';

/**
 * For how long each kind of background work stands still: what is due first is still there, and
 * nobody has tried it. It is seen from outside, by this process's stopwatch, so no cause can hide
 * it: no worker at all, one that fails before it tries, a wrong clock.
 */
export class StandingWork {
  readonly #database: Sql;
  readonly #time: Pick<Timekeeper, 'now' | 'elapsed'>;
  /** What was due first at the last look, and since when. */
  readonly #first = new Map<DueWork, { item: SqlValue; sinceMs: number }>();

  constructor(database: Sql, time: Pick<Timekeeper, 'now' | 'elapsed'>) {
    this.#database = database;
    this.#time = time;
  }

  /** Seconds since the first look at which each work was as it is; 0 if nothing is due. */
  async look(): Promise<[work: DueWork, seconds: number][]> {
    const due = await readFirstDue(this.#database, this.#time.now());
    const nowMs = this.#time.elapsed();
    return due.map(([work, item]) => {
      const before = this.#first.get(work);
      if (item === undefined) this.#first.delete(work);
      else if (before?.item !== item) this.#first.set(work, { item, sinceMs: nowMs });
      return [work, (nowMs - (this.#first.get(work)?.sinceMs ?? nowMs)) / 1000];
    });
  }
}
