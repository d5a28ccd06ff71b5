import { DAY_MS, HOUR_MS } from '../domain/broker-time.ts';
import { sleep, type Timekeeper } from '../domain/timekeeper.ts';
import { type Database, DatabaseUnavailable } from '../storage/database.ts';
import {
  type AgingKind,
  listAged,
  listNumbersAfter,
  removeAged,
  removeAgedAudit,
} from '../storage/old-data-store.ts';
import type { Worker } from './worker.ts';

/** From the end of a round to the beginning of the next. */
const PAUSE_BETWEEN_ROUNDS_MS = 3_600_000;
/** Between two statements: other writers run in between. */
const PAUSE_MS = 5;
/** A clock that differs by more from the stopwatch was set, or the machine slept. */
const SET_BY_MS = HOUR_MS;
/** Data removed by mistake is lost: a clock that was set counts only after this long. */
const BELIEVED_AFTER_MS = DAY_MS;
/** With a day of hours each they fit into one transaction. */
const ACCOUNTS_AT_ONCE = 20;

/** For how many days data are kept; 0 means for ever. */
export type KeptDays = Record<AgingKind | 'audit', number>;

type Logger = { warn(fields: object, message: string): void };

/**
 * Removes data older than the operator's limits, hour by hour: for some accounts, some rows at a
 * time. Several processes that do it at once remove nothing twice.
 */
export class Retention implements Worker {
  readonly #database: Database;
  readonly #time: Timekeeper;
  readonly #logger: Logger;
  readonly #kept: KeptDays;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  /** The clock's lead over the stopwatch, and when it was last set, by the stopwatch. */
  #aheadMs: number;
  #setAtMs = Number.NEGATIVE_INFINITY;

  constructor(database: Database, time: Timekeeper, logger: Logger, kept: KeptDays) {
    this.#database = database;
    this.#time = time;
    this.#logger = logger;
    this.#kept = kept;
    this.#aheadMs = time.now() - time.elapsed();
  }

  start(): void {
    if (Object.values(this.#kept).some((days) => days > 0)) this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.removeOld();
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) {
          this.#logger.warn({ err: error }, 'old data cannot be removed yet');
        }
      }
      await sleep(this.#time, PAUSE_BETWEEN_ROUNDS_MS, signal);
    }
  }

  /** One round over all accounts; none while the clock may be wrong. */
  async removeOld(): Promise<void> {
    if (!this.#isClockTrusted()) return;
    const { signal } = this.#stopping;
    const { audit, ...kinds } = this.#kept;
    const limits = (Object.entries(kinds) as [AgingKind, number][])
      .filter(([, days]) => days > 0)
      .map(([kind, days]) => ({ kind, before: this.#startOfDay(days) }));
    for (let after = 0; limits.length > 0 && !signal.aborted; ) {
      const numbers = await listNumbersAfter(this.#database, after, ACCOUNTS_AT_ONCE);
      for (const { kind, before } of limits) await this.#removeOf(numbers, kind, before);
      if (numbers.length < ACCOUNTS_AT_ONCE) break;
      after = numbers.at(-1) ?? after;
    }
    if (audit === 0) return;
    while (!signal.aborted && (await removeAgedAudit(this.#database, this.#startOfDay(audit)))) {
      await sleep(this.#time, PAUSE_MS, signal);
    }
  }

  async #removeOf(numbers: readonly number[], kind: AgingKind, before: number): Promise<void> {
    const { signal } = this.#stopping;
    const aged = await listAged(this.#database, kind, numbers, before);
    for (let isMore = aged.length > 0; isMore && !signal.aborted; ) {
      const beganMs = this.#time.elapsed();
      isMore = await removeAged(this.#database, kind, aged, before);
      // If the machine or the disk is short, others get an equal time.
      const tookMs = this.#time.elapsed() - beganMs;
      await sleep(this.#time, Math.max(PAUSE_MS, tookMs), signal);
    }
  }

  #isClockTrusted(): boolean {
    const elapsedMs = this.#time.elapsed();
    const aheadMs = this.#time.now() - elapsedMs;
    if (Math.abs(aheadMs - this.#aheadMs) > SET_BY_MS) {
      this.#setAtMs = elapsedMs;
      this.#logger.warn({}, 'the clock was set: no old data are removed for a day');
    }
    this.#aheadMs = aheadMs;
    return elapsedMs - this.#setAtMs >= BELIEVED_AFTER_MS;
  }

  /** Complete days are removed, so that no day of a chart remains in part. */
  #startOfDay(days: number): number {
    return Math.floor(this.#time.now() / DAY_MS - days) * DAY_MS;
  }
}
