import { DAY_MS } from '../domain/broker-time.ts';
import { sleep, type Timekeeper } from '../domain/timekeeper.ts';
import { trimChanges } from '../storage/change-store.ts';
import { type Database, DatabaseUnavailable } from '../storage/database.ts';
import { listLeft, sweepImport } from '../storage/import-store.ts';
import { deleteOldReceipts } from '../storage/receipt-store.ts';
import { AccountSweep, listSweepable } from '../storage/removed-account-store.ts';
import { deleteEndedSessions } from '../storage/token-store.ts';
import type { Worker } from './worker.ts';

const EVERY_MS = 1000;
const ACCOUNTS_PER_ROUND = 100;
const IMPORTS_PER_ROUND = 100;
/** For this long, a request with a key may be sent again. */
const RECEIPTS_KEPT_MS = DAY_MS;
/** Between two statements: other writers run in between. */
const PAUSE_MS = 5;

type Logger = { warn(fields: object, message: string): void };

/**
 * Removes the remains of deleted accounts and imports, the answers to old keys, and ended sessions,
 * in the background, a few rows at a time.
 */
export class Sweeper implements Worker {
  readonly #database: Database;
  readonly #time: Timekeeper;
  readonly #logger: Logger;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(database: Database, time: Timekeeper, logger: Logger) {
    this.#database = database;
    this.#time = time;
    this.#logger = logger;
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await sleep(this.#time, EVERY_MS, signal);
      try {
        await this.#sweep(signal);
        await this.#sweepImports(signal);
        await this.#sweepReceipts(signal);
        await this.#sweepSessions(signal);
        await trimChanges(this.#database);
      } catch (error) {
        if (error instanceof DatabaseUnavailable) continue;
        this.#logger.warn({ err: error }, 'deleted rows cannot be removed yet');
      }
    }
  }

  async #sweep(signal: AbortSignal): Promise<void> {
    for (const number of await listSweepable(this.#database, ACCOUNTS_PER_ROUND)) {
      const sweep = new AccountSweep(this.#database, this.#time, number);
      for (let beganMs = this.#time.elapsed(); !signal.aborted; beganMs = this.#time.elapsed()) {
        if (!(await sweep.removeSome())) break;
        // If the machine or the disk is short, others get an equal time.
        const tookMs = this.#time.elapsed() - beganMs;
        await sleep(this.#time, Math.max(PAUSE_MS, tookMs), signal);
      }
    }
  }

  async #sweepImports(signal: AbortSignal): Promise<void> {
    for (const each of await listLeft(this.#database, IMPORTS_PER_ROUND)) {
      while (!signal.aborted && (await sweepImport(this.#database, each))) {
        await sleep(this.#time, PAUSE_MS, signal);
      }
    }
  }

  async #sweepSessions(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await deleteEndedSessions(this.#database, this.#time.now()))) {
      await sleep(this.#time, PAUSE_MS, signal);
    }
  }

  async #sweepReceipts(signal: AbortSignal): Promise<void> {
    const beforeMs = this.#time.now() - RECEIPTS_KEPT_MS;
    while (!signal.aborted && (await deleteOldReceipts(this.#database, beforeMs))) {
      await sleep(this.#time, PAUSE_MS, signal);
    }
  }
}
