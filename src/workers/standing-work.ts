import type { Timekeeper } from '../domain/timekeeper.ts';
import type { Sql, SqlValue } from '../storage/database.ts';
import { type DueWork, readFirstDue } from '../storage/due-store.ts';
import { SharedQuestion } from '../storage/shared-question.ts';

export type Standing = [work: DueWork, seconds: number][];

/**
 * For how long each kind of background work has stood still: its first due item is unchanged and
 * untried. Measured from outside, by this process's stopwatch, so no cause can hide it: no worker
 * at all, one that fails before it tries, a wrong clock.
 */
export class StandingWork {
  readonly #database: Sql;
  readonly #head: () => Promise<number>;
  readonly #time: Pick<Timekeeper, 'now' | 'elapsed'>;
  /** Concurrent callers get the same figures. */
  readonly #looks = new SharedQuestion(() => this.#look());
  /** The first due items at the last check, and since when. */
  readonly #first = new Map<DueWork, { item: SqlValue; sinceMs: number }>();

  /** `head` returns the end of the journal. */
  constructor(
    database: Sql,
    head: () => Promise<number>,
    time: Pick<Timekeeper, 'now' | 'elapsed'>,
  ) {
    this.#database = database;
    this.#head = head;
    this.#time = time;
  }

  /** Seconds since the first check at which each work was unchanged; 0 if nothing is due. */
  look(): Promise<Standing> {
    return this.#looks.ask();
  }

  async #look(): Promise<Standing> {
    const head = await this.#head();
    const due = await readFirstDue(this.#database, this.#time.now(), head);
    const nowMs = this.#time.elapsed();
    return due.map(([work, item]) => {
      const before = this.#first.get(work);
      if (item === undefined) this.#first.delete(work);
      else if (before?.item !== item) this.#first.set(work, { item, sinceMs: nowMs });
      return [work, (nowMs - (this.#first.get(work)?.sinceMs ?? nowMs)) / 1000];
    });
  }
}
