import { nextTurn } from '../domain/loop-turns.ts';
import { type Database, DatabaseUnavailable } from '../storage/database.ts';
import { type OwnEvents, storeEvents, storeTogether } from '../storage/event-store.ts';

/** The most events in one statement. */
export const EVENTS_AT_ONCE = 1000;

type Request = OwnEvents & { resolve: () => void; reject: (error: unknown) => void };

/**
 * Stores the events of all partitions of a process, one statement at a time; events that arrive
 * during it go into the next. So each event gets its number as it is stored, unless another process
 * is assigning numbers. No partition holds up the others: events that cannot be stored together are
 * stored separately.
 */
export class EventWriter {
  readonly #database: Database;
  readonly #now: () => number;
  /** Called when events were stored unnumbered because another process was assigning numbers. */
  readonly #numbersWanted: () => void;
  readonly #waiting: Request[] = [];
  #isWriting = false;

  constructor(database: Database, now: () => number, numbersWanted: () => void) {
    this.#database = database;
    this.#now = now;
    this.#numbersWanted = numbersWanted;
  }

  /** Resolves when they are stored. Throws PartitionLost if the epoch is no longer the owner's. */
  store(partition: number, epoch: number, events: OwnEvents['events']): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ partition, epoch, events, resolve, reject });
      if (!this.#isWriting) void this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    // Lets all partitions that a commit touches add their events.
    await Promise.resolve();
    for (let next = this.#take(); next.length > 0; next = this.#take()) {
      await this.#storeTogether(next);
      // Callers that were waiting may have more to store right away.
      await nextTurn();
    }
    this.#isWriting = false;
  }

  #take(): Request[] {
    let count = 0;
    const next = this.#waiting.findIndex(({ events }, place) => {
      count += events.length;
      return place > 0 && count > EVENTS_AT_ONCE;
    });
    return this.#waiting.splice(0, next < 0 ? this.#waiting.length : next);
  }

  async #storeTogether(requests: readonly Request[]): Promise<void> {
    let alone = requests;
    try {
      const { lastNumber, left } = await storeTogether(this.#database, requests, this.#now());
      if (left.length < requests.length) this.#tell(lastNumber);
      for (const request of requests) if (!left.includes(request)) request.resolve();
      alone = left;
    } catch (error) {
      if (error instanceof DatabaseUnavailable) {
        for (const { reject } of requests) reject(error);
        return;
      }
    }
    // The next statement does not wait for these: a takeover of their partition may last a while.
    for (const request of alone) void this.#storeAlone(request);
  }

  async #storeAlone({ partition, epoch, events, resolve, reject }: Request): Promise<void> {
    try {
      this.#tell(await storeEvents(this.#database, partition, epoch, events, this.#now()));
      resolve();
    } catch (error) {
      reject(error);
    }
  }

  #tell(lastNumber: number | undefined): void {
    if (lastNumber === undefined) this.#numbersWanted();
    else this.#database.announce('plimsoll_events', String(lastNumber));
  }
}
