import { nextTurn } from '../domain/loop-turns.ts';
import { type Database, DatabaseUnavailable } from '../storage/database.ts';
import { type OwnEvents, storeEvents, storeTogether } from '../storage/event-store.ts';

/** Events of one statement. */
export const EVENTS_AT_ONCE = 1000;

type Request = OwnEvents & { resolve: () => void; reject: (error: unknown) => void };

/**
 * Stores the events that all partitions of a process find, those that come while a statement is
 * under way together in the next one: so each gets its number as it is stored, as long as no other
 * process is giving numbers. Nothing of one partition keeps the others': what cannot be stored
 * beside them is stored by itself.
 */
export class EventWriter {
  readonly #database: Database;
  /** Called when events are stored without their numbers, as somebody else was giving numbers. */
  readonly #numbersWanted: () => void;
  readonly #waiting: Request[] = [];
  #isWriting = false;

  constructor(database: Database, numbersWanted: () => void) {
    this.#database = database;
    this.#numbersWanted = numbersWanted;
  }

  /** Resolves when they are stored. Throws PartitionLost where the epoch does not own it any more. */
  store(partition: number, epoch: number, events: OwnEvents['events']): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ partition, epoch, events, resolve, reject });
      if (!this.#isWriting) void this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    // What a commit brings to several partitions is found at once.
    await Promise.resolve();
    for (let next = this.#take(); next.length > 0; next = this.#take()) {
      await this.#storeTogether(next);
      // Whoever hears of that may have more to store at once.
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
      const { lastNumber, left } = await storeTogether(this.#database, requests);
      if (left.length < requests.length) this.#tell(lastNumber);
      for (const request of requests) if (!left.includes(request)) request.resolve();
      alone = left;
    } catch (error) {
      if (error instanceof DatabaseUnavailable) {
        for (const { reject } of requests) reject(error);
        return;
      }
    }
    // The next statement does not wait for these: the taking of a partition may last.
    for (const request of alone) void this.#storeAlone(request);
  }

  async #storeAlone({ partition, epoch, events, resolve, reject }: Request): Promise<void> {
    try {
      this.#tell(await storeEvents(this.#database, partition, epoch, events));
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
