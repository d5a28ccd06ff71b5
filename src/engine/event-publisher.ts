import type { Database } from '../storage/database.ts';
import { type FoundEvent, storeEvents } from '../storage/event-store.ts';
import type { Persistence } from './persistence.ts';

/** Events of one statement. */
const EVENTS_AT_ONCE = 1000;

/**
 * Stores the events of a partition as soon as they are found, in their order; those that are found
 * meanwhile go together. An account's state is stored only when its events are: whoever takes the
 * partition over finds again what is not stored.
 */
export class EventPublisher {
  readonly #database: Database;
  readonly #partition: number;
  readonly #epoch: number;
  readonly #persistence: Persistence;
  /** Called when events are stored without their numbers, as somebody else was giving numbers. */
  readonly #numbersWanted: () => void;
  readonly #stored: (events: readonly FoundEvent[]) => void;
  readonly #waiting: FoundEvent[] = [];
  #publishing: Promise<void> | undefined;

  constructor(parts: {
    database: Database;
    partition: number;
    epoch: number;
    persistence: Persistence;
    numbersWanted: () => void;
    /** Hears of what was stored. */
    stored?: (events: readonly FoundEvent[]) => void;
  }) {
    this.#database = parts.database;
    this.#partition = parts.partition;
    this.#epoch = parts.epoch;
    this.#persistence = parts.persistence;
    this.#numbersWanted = parts.numbersWanted;
    this.#stored = parts.stored ?? (() => {});
  }

  add(found: FoundEvent): void {
    this.#waiting.push(found);
    if (this.#publishing) return;
    this.#publishing = this.#publish().finally(() => {
      this.#publishing = undefined;
    });
    // Whoever waits for it hears of its end; a partition that is over has nobody waiting.
    this.#publishing.catch(() => {});
  }

  /** Resolves when everything added so far is stored. Throws PartitionOver. */
  async settle(): Promise<void> {
    while (this.#publishing) await this.#publishing;
  }

  async #publish(): Promise<void> {
    // What one commit brings is found at once: it is stored together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const events = this.#waiting.slice(0, EVENTS_AT_ONCE);
      const last = await this.#persistence.insist('storing events', () =>
        storeEvents(this.#database, this.#partition, this.#epoch, events),
      );
      this.#waiting.splice(0, events.length);
      this.#stored(events);
      if (last === undefined) this.#numbersWanted();
      else this.#database.announce('plimsoll_events', String(last));
    }
  }
}
