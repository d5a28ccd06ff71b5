import { kindOf } from '../domain/live/live-records.ts';
import { Rounds } from '../domain/rounds.ts';
import type { Timekeeper } from '../domain/timekeeper.ts';
import type { Catalogue } from '../storage/catalogue.ts';
import { type Database, DatabaseUnavailable } from '../storage/database.ts';
import { readEvents, readFeed, type StoredEvent } from '../storage/event-feed-store.ts';
import type { EventFilter } from '../storage/event-filter.ts';
import { readLastNumber } from '../storage/event-number-store.ts';
import { subjectOf } from '../storage/event-store.ts';

/** Newest events kept in memory, so that up-to-date readers need no query. */
const MAX_RECENT = 5000;
const EVENTS_PER_READ = 1000;
/** Requests that may wait for events, of all users and of one user. */
const MAX_WAITING = 20_000;
const MAX_WAITING_EACH = 5000;
/** A lost notification delays events by this time. */
const PATROL_MS = 1000;

export type FeedQuery = { filter: EventFilter; after: number; limit: number };

type Waiter = FeedQuery & { answer: (events: StoredEvent[]) => void };
type FeedCatalogue = Pick<Catalogue, 'onChange' | 'version' | 'isChanged'>;
type Logger = { warn(fields: object, message: string): void };

/** Too many requests are waiting for events. */
export class TooManyWaiting extends Error {
  override readonly name = 'TooManyWaiting';
}

/**
 * The feed of events for requests that wait for the next one. New events are read once, however
 * many requests wait, and matched in memory with the waiting requests of the event's user. Answers
 * from memory have no gaps: memory holds every event after some number, and requests from before
 * that number are answered from the database.
 */
export class EventFeed {
  readonly #database: Database;
  readonly #catalogue: FeedCatalogue;
  readonly #time: Timekeeper;
  readonly #rounds: Rounds;
  readonly #maxWaiting: number;
  readonly #maxRecent: number;
  /** All events after #floor up to #last, except those of deleted accounts. */
  #recent: StoredEvent[] = [];
  #floor = 0;
  #last = 0;
  readonly #waiters = new Map<string, Set<Waiter>>();
  readonly #listeners: ((events: readonly StoredEvent[]) => void)[] = [];
  #waiting = 0;
  #unsubscribe = (): void => {};
  #isClosed = false;

  constructor(parts: {
    database: Database;
    catalogue: FeedCatalogue;
    time: Timekeeper;
    logger: Logger;
    maxWaiting?: number;
    maxRecent?: number;
  }) {
    this.#database = parts.database;
    this.#catalogue = parts.catalogue;
    this.#time = parts.time;
    this.#rounds = new Rounds(
      () => this.#readOn(),
      (error) => {
        const isOutage = error instanceof DatabaseUnavailable;
        if (!isOutage) parts.logger.warn({ err: error }, 'events cannot be read yet');
      },
    );
    this.#maxWaiting = parts.maxWaiting ?? MAX_WAITING;
    this.#maxRecent = parts.maxRecent ?? MAX_RECENT;
    parts.catalogue.onChange((change) => {
      if (!change) this.#forgetAll();
      else if (change.kind === 'removed') this.#forget(Number(change.key));
    });
  }

  get waiting(): number {
    return this.#waiting;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  async start(): Promise<void> {
    // The number first: a listener before it would take all existing events for new.
    this.#last = await readLastNumber(this.#database);
    this.#floor = this.#last;
    this.#unsubscribe = this.#database.listen('plimsoll_events', () => this.#rounds.wake());
    this.#rounds.patrol(this.#time, PATROL_MS);
  }

  /** Has `heard` called with the new events of all users. */
  listen(heard: (events: readonly StoredEvent[]) => void): void {
    this.#listeners.push(heard);
  }

  /** Answers all waiting requests, without events. */
  close(): void {
    this.#isClosed = true;
    void this.#rounds.stop();
    this.#unsubscribe();
    for (const waiters of this.#waiters.values()) for (const waiter of waiters) waiter.answer([]);
  }

  /**
   * Events that pass the filter after a number, in order. If there is none, it waits for one, up to
   * the given time or the signal, and then returns none. Throws TooManyWaiting.
   */
  async next(query: FeedQuery, waitMs: number, signal?: AbortSignal): Promise<StoredEvent[]> {
    let { after } = query;
    for (;;) {
      // Nothing is awaited between this check of the memory and waiting for other events.
      if (after >= this.#floor) {
        const recent = match({ ...query, after }, this.#recent);
        if (recent.length > 0 || waitMs <= 0 || this.#isClosed || signal?.aborted) return recent;
        return this.#wait({ ...query, after }, waitMs, signal);
      }
      // Everything up to here was in the database before the query.
      const known = this.#last;
      const stored = await readEvents(this.#database, query.filter, after, query.limit);
      if (stored.length > 0) return stored;
      after = known;
    }
  }

  #wait(query: FeedQuery, waitMs: number, signal?: AbortSignal): Promise<StoredEvent[]> {
    const { userId } = query.filter;
    const waiters = this.#waiters.get(userId) ?? new Set();
    if (this.#waiting >= this.#maxWaiting || waiters.size >= MAX_WAITING_EACH) {
      throw new TooManyWaiting('Too many requests are waiting for events');
    }
    this.#waiters.set(userId, waiters);
    return new Promise((resolve) => {
      const giveUp = (): void => waiter.answer([]);
      const cancel = this.#time.after(waitMs, giveUp);
      const waiter: Waiter = {
        ...query,
        answer: (events) => {
          if (!waiters.delete(waiter)) return;
          this.#waiting -= 1;
          if (waiters.size === 0) this.#waiters.delete(userId);
          cancel();
          signal?.removeEventListener('abort', giveUp);
          resolve(events);
        },
      };
      waiters.add(waiter);
      this.#waiting += 1;
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** Delivers all events after the last. */
  async #readOn(): Promise<void> {
    for (;;) {
      const { version } = this.#catalogue;
      const page = await readFeed(this.#database, this.#last, EVENTS_PER_READ);
      const { events, lastNumber } = page;
      // A database restored to an earlier state gives out numbers again from there.
      if (lastNumber < this.#last) this.#startFrom(lastNumber);
      // Events of an account that has just been deleted may have been read before.
      if (this.#isOutdated(events, version)) continue;
      const newest = events.at(-1)?.sequenceNumber ?? 0;
      const isMore = events.length === EVENTS_PER_READ;
      this.#keep(events);
      // Numbers of deleted accounts are skipped.
      this.#last = isMore ? newest : lastNumber;
      this.#deliver(events);
      if (!isMore) return;
    }
  }

  #isOutdated(events: readonly StoredEvent[], since: number): boolean {
    const catalogue = this.#catalogue;
    return events.some(({ accountNumber }) => catalogue.isChanged('removed', accountNumber, since));
  }

  #startFrom(last: number): void {
    this.#recent = [];
    this.#floor = last;
    this.#last = last;
  }

  #keep(events: readonly StoredEvent[]): void {
    this.#recent.push(...events);
    if (this.#recent.length <= this.#maxRecent) return;
    const dropped = this.#recent.splice(0, this.#recent.length - this.#maxRecent);
    this.#floor = dropped.at(-1)?.sequenceNumber ?? this.#floor;
  }

  #deliver(events: readonly StoredEvent[]): void {
    for (const heard of this.#listeners) heard(events);
    const byUser = Map.groupBy(events, ({ userId }) => userId);
    for (const [userId, own] of byUser) {
      for (const waiter of [...(this.#waiters.get(userId) ?? [])]) {
        const found = match(waiter, own);
        if (found.length > 0) waiter.answer(found);
      }
    }
  }

  /** A deleted account has no events. No other change of an account changes its events. */
  #forget(accountNumber: number): void {
    if (!this.#recent.some((event) => event.accountNumber === accountNumber)) return;
    this.#recent = this.#recent.filter((event) => event.accountNumber !== accountNumber);
  }

  #forgetAll(): void {
    this.#recent = [];
    this.#floor = this.#last;
  }
}

function match({ filter, after, limit }: FeedQuery, events: readonly StoredEvent[]): StoredEvent[] {
  const found: StoredEvent[] = [];
  for (const stored of events) {
    if (stored.sequenceNumber > after && passes(filter, stored)) found.push(stored);
    if (found.length >= limit) break;
  }
  return found;
}

function passes(filter: EventFilter, { userId, accountNumber, event }: StoredEvent): boolean {
  return (
    userId === filter.userId &&
    (filter.accountNumber === undefined || filter.accountNumber === accountNumber) &&
    (filter.subjectId === undefined || filter.subjectId === subjectOf(event)[0]) &&
    (filter.kind === undefined || filter.kind === kindOf(event)) &&
    (!filter.accountNumbers || filter.accountNumbers.has(accountNumber))
  );
}
