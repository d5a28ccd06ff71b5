import { Rounds } from '../domain/rounds.ts';
import { sleep, type Timekeeper } from '../domain/timekeeper.ts';
import type { Database } from '../storage/database.ts';
import { numberEvents } from '../storage/event-number-store.ts';
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
  readonly #rounds: Rounds;
  #told = 0;

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

  /** Numbers what is stored by now. */
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
    if (last > this.#told) this.#database.announce('plimsoll_events', String(last));
    this.#told = Math.max(this.#told, last);
  }
}
