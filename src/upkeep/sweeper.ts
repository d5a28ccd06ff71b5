import { sleep, type Timekeeper } from '../domain/timekeeper.ts';
import { trimChanges } from '../storage/change-store.ts';
import { type Database, DatabaseUnavailable } from '../storage/database.ts';
import { listLeaving, sweepImport } from '../storage/import-store.ts';
import { listSweepable, sweepSome } from '../storage/removed-account-store.ts';

const EVERY_MS = 1000;
const ACCOUNTS_PER_ROUND = 100;
const IMPORTS_PER_ROUND = 100;
/** An import that is being stored shows it with every thousand deals. */
const LEFT_BEHIND_MS = 120_000;
/** Between two statements: whoever wants to write in between is not kept waiting. */
const PAUSE_MS = 5;

type Logger = { warn(fields: object, message: string): void };

/** Removes in the background what is left of deleted accounts and of imports, a few rows at a time. */
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
        await this.#sweepImports(signal);
        await trimChanges(this.#database);
      } catch (error) {
        if (error instanceof DatabaseUnavailable) continue;
        this.#logger.warn({ err: error }, 'deleted rows cannot be removed yet');
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

  async #sweepImports(signal: AbortSignal): Promise<void> {
    const untouchedSinceMs = this.#time.now() - LEFT_BEHIND_MS;
    const leaving = await listLeaving(this.#database, untouchedSinceMs, IMPORTS_PER_ROUND);
    for (const each of leaving) {
      while (!signal.aborted && (await sweepImport(this.#database, each))) {
        await sleep(this.#time, PAUSE_MS, signal);
      }
    }
  }
}
