import type { Database } from '../storage/database.ts';
import { hasUnnumberedEvents, numberEvents } from '../storage/event-store.ts';

/** Numbers of a process that died before it woke its sequencer are given after this. */
const PATROL_MS = 1000;
const BUSY_RETRY_MS = 3;

/**
 * Gives stored events their numbers, in whatever processes it runs: those that could not get theirs
 * where they were stored, because somebody else was numbering, and those of a process that died.
 */
export class Sequencer {
  readonly #database: Database;
  readonly #logger: { warn(fields: object, message: string): void };
  #running: Promise<void> | undefined;
  #isWanted = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database, logger: { warn(fields: object, message: string): void }) {
    this.#database = database;
    this.#logger = logger;
  }

  start(): void {
    this.#timer = setInterval(() => {
      hasUnnumberedEvents(this.#database).then(
        (has) => has && this.wake(),
        () => {},
      );
    }, PATROL_MS);
  }

  wake(): void {
    this.#isWanted = true;
    this.#running ??= this.#run()
      .catch((error: unknown) => {
        this.#logger.warn({ err: error }, 'events can not be numbered yet');
      })
      .finally(() => {
        this.#running = undefined;
      });
  }

  async settle(): Promise<void> {
    this.wake();
    while (this.#running) await this.#running;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.settle();
  }

  async #run(): Promise<void> {
    while (this.#isWanted) {
      this.#isWanted = false;
      while (!(await this.#database.transaction(numberEvents))) {
        // The other numbering may have begun before our events were there.
        await new Promise((resolve) => setTimeout(resolve, BUSY_RETRY_MS));
        if (!(await hasUnnumberedEvents(this.#database))) break;
      }
    }
  }
}
