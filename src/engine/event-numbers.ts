import { sleep, type Timekeeper } from '../domain/timekeeper.ts';
import type { Database } from '../storage/database.ts';
import { numberEvents } from '../storage/event-store.ts';
import type { EngineLogger } from './persistence.ts';

/** Numbers of a process that died before it asked for them are given after this. */
const PATROL_MS = 1000;
const BUSY_RETRY_MS = 2;

/**
 * Sees to it that stored events get their numbers, in whatever processes it runs: those that could
 * not get theirs when they were stored, as somebody else was giving numbers, and those of a process
 * that died.
 */
export class EventNumbers {
  readonly #database: Database;
  readonly #time: Timekeeper;
  readonly #logger: EngineLogger;
  #running: Promise<void> | undefined;
  #isWanted = false;
  #told = 0;
  #isStopped = false;
  #cancelPatrol = (): void => {};

  constructor(database: Database, time: Timekeeper, logger: EngineLogger) {
    this.#database = database;
    this.#time = time;
    this.#logger = logger;
  }

  start(): void {
    this.#cancelPatrol = this.#time.after(PATROL_MS, () => {
      this.wake();
      if (!this.#isStopped) this.start();
    });
  }

  /** Numbers what is stored by now. */
  wake(): void {
    this.#isWanted = true;
    this.#running ??= this.#run()
      .catch((error: unknown) => {
        this.#logger.warn({ err: error }, 'events cannot be numbered yet');
      })
      .finally(() => {
        this.#running = undefined;
        if (this.#isWanted && !this.#isStopped) this.wake();
      });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelPatrol();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#isWanted) {
      this.#isWanted = false;
      for (;;) {
        const last = await numberEvents(this.#database);
        if (last !== undefined) {
          if (last > this.#told) this.#database.announce('plimsoll_events', String(last));
          this.#told = Math.max(this.#told, last);
          break;
        }
        await sleep(this.#time, BUSY_RETRY_MS);
      }
    }
  }
}
