import { sleep, type Timekeeper } from '../domain/timekeeper.ts';
import { trimChanges } from '../storage/change-store.ts';
import { type Database, DatabaseUnavailable } from '../storage/database.ts';
import { listSweepable, sweepSome } from '../storage/removed-account-store.ts';

const EVERY_MS = 1000;
const ACCOUNTS_PER_ROUND = 100;
/** Between two statements: whoever wants to write in between is not kept waiting. */
const PAUSE_MS = 5;

type Logger = { warn(fields: object, message: string): void };

/** Removes in the background what is left of deleted accounts, a few rows at a time. */
export class Sweeper {
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
        await trimChanges(this.#database);
      } catch (error) {
        if (error instanceof DatabaseUnavailable) continue;
        this.#logger.warn({ err: error }, 'rows of deleted accounts cannot be removed yet');
      }
    }
  }

  async #sweep(signal: AbortSignal): Promise<void> {
    for (const number of await listSweepable(this.#database, ACCOUNTS_PER_ROUND)) {
      while (!signal.aborted && (await sweepSome(this.#database, number))) {
        await sleep(this.#time, PAUSE_MS, signal);
      }
    }
  }
}
