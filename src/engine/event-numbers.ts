import { Rounds } from '../domain/rounds.ts';
import { sleep, type Timekeeper } from '../domain/timekeeper.ts';
import type { Database } from '../storage/database.ts';
import { numberEvents } from '../storage/event-number-store.ts';
import type { EngineLogger } from './persistence.ts';

/** How often to look for events of a process that died before it numbered them. */
const PATROL_MS = 1000;
const BUSY_RETRY_MS = 2;

/**
 * Numbers the stored events that have no number yet, because another process was assigning numbers
 * when they were stored, or because their process died. Many processes may run it.
 */
export class EventNumbers {
  readonly #database: Database;
  readonly #time: Timekeeper;
  readonly #rounds: Rounds;
  #announced = 0;

  constructor(database: Database, time: Timekeeper, logger: EngineLogger) {
    this.#database = database;
    this.#time = time;
    this.#rounds = new Rounds(
      () => this.#number(),
      (error) => logger.warn({ err: error }, 'events cannot be numbered yet'),
    );
  }

  start(): void {
    this.#rounds.patrol(this.#time, PATROL_MS);
  }

  /** Numbers everything stored so far, in the background. */
  wake(): void {
    this.#rounds.wake();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  async #number(): Promise<void> {
    let last = await numberEvents(this.#database);
    while (last === undefined) {
      await sleep(this.#time, BUSY_RETRY_MS);
      last = await numberEvents(this.#database);
    }
    if (last > this.#announced) this.#database.announce('plimsoll_events', String(last));
    this.#announced = Math.max(this.#announced, last);
  }
}
