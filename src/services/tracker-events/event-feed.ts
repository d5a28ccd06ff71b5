import type { Database } from '../../storage/database.ts';
import {
  type EventFilter,
  readEvents,
  readFeed,
  readLastNumber,
  type StoredEvent,
} from '../../storage/event-store.ts';
import type { Logger } from '../context.ts';
import { unavailable } from '../errors.ts';

/** Newest events kept in memory, so that whoever is up to date costs no query. */
const MAX_RECENT = 5000;
const EVENTS_PER_READ = 1000;
const MAX_WAITING = 20_000;
const RETRY_AFTER_SECONDS = 5;
/** A notification that was lost costs this much delay. */
const PATROL_MS = 1000;

export type FeedQuery = { filter: EventFilter; after: number; limit: number };

type Waiter = FeedQuery & { answer: (events: StoredEvent[]) => void };

/**
 * The feed of events for those who wait for the next one. New events are read once, however many
 * wait, and are matched with the waiting in memory, those of the event's user only.
 */
export class EventFeed {
  readonly #database: Database;
  readonly #logger: Logger;
  readonly #maxWaiting: number;
  /** All events after #floor up to #last. */
  #recent: StoredEvent[] = [];
  #floor = 0;
  #last = 0;
  readonly #waiters = new Map<string, Set<Waiter>>();
  #waiting = 0;
  #pulling: Promise<void> | undefined;
  #isWanted = false;
  #timer: NodeJS.Timeout | undefined;
  #deafen: (() => void) | undefined;
  #isClosed = false;

  constructor(database: Database, logger: Logger, maxWaiting = MAX_WAITING) {
    this.#database = database;
    this.#logger = logger;
    this.#maxWaiting = maxWaiting;
  }

  get waiting(): number {
    return this.#waiting;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  async start(): Promise<void> {
    this.#deafen = this.#database.listen('plimsoll_events', () => this.#wake());
    this.#last = await readLastNumber(this.#database);
    this.#floor = this.#last;
    this.#timer = setInterval(() => this.#wake(), PATROL_MS);
  }

  /** Answers everybody who waits, with nothing. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#deafen?.();
    for (const waiters of this.#waiters.values()) for (const waiter of waiters) waiter.answer([]);
  }

  /**
   * Events that pass the filter after a number, in order. Where there is none it waits for one, up
   * to the time given or until the signal, and then answers with none. Throws `unavailable` when too
   * many wait.
   */
  async next(query: FeedQuery, waitMs: number, signal?: AbortSignal): Promise<StoredEvent[]> {
    const { filter, after, limit } = query;
    if (after < this.#floor) {
      const stored = await readEvents(this.#database, filter, after, limit);
      if (stored.length > 0) return stored;
    }
    const recent = this.#match(query, this.#recent);
    if (recent.length > 0 || waitMs <= 0 || this.#isClosed || signal?.aborted) return recent;
    if (this.#waiting >= this.#maxWaiting) {
      throw unavailable('Too many requests wait for events', RETRY_AFTER_SECONDS);
    }
    return this.#wait(query, waitMs, signal);
  }

  #wait(query: FeedQuery, waitMs: number, signal?: AbortSignal): Promise<StoredEvent[]> {
    const { userId } = query.filter;
    const waiters = this.#waiters.get(userId) ?? new Set();
    this.#waiters.set(userId, waiters);
    return new Promise((resolve) => {
      const giveUp = (): void => waiter.answer([]);
      const timer = setTimeout(giveUp, waitMs);
      const waiter: Waiter = {
        ...query,
        answer: (events) => {
          if (!waiters.delete(waiter)) return;
          this.#waiting -= 1;
          if (waiters.size === 0) this.#waiters.delete(userId);
          clearTimeout(timer);
          signal?.removeEventListener('abort', giveUp);
          resolve(events);
        },
      };
      waiters.add(waiter);
      this.#waiting += 1;
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  #match({ filter, after, limit }: FeedQuery, events: readonly StoredEvent[]): StoredEvent[] {
    const found: StoredEvent[] = [];
    for (const stored of events) {
      if (stored.sequenceNumber > after && passes(filter, stored)) found.push(stored);
      if (found.length >= limit) break;
    }
    return found;
  }

  #wake(): void {
    this.#isWanted = true;
    this.#pulling ??= this.#pull()
      .catch((error: unknown) => this.#logger.warn({ err: error }, 'events cannot be read yet'))
      .finally(() => {
        this.#pulling = undefined;
      });
  }

  async #pull(): Promise<void> {
    while (this.#isWanted && !this.#isClosed) {
      this.#isWanted = false;
      for (;;) {
        const events = await readFeed(this.#database, this.#last, EVENTS_PER_READ);
        const newest = events.at(-1);
        if (!newest) break;
        this.#keep(events);
        this.#last = newest.sequenceNumber;
        this.#tell(events);
        if (events.length < EVENTS_PER_READ) break;
      }
    }
  }

  #keep(events: readonly StoredEvent[]): void {
    this.#recent.push(...events);
    if (this.#recent.length <= MAX_RECENT) return;
    const dropped = this.#recent.splice(0, this.#recent.length - MAX_RECENT);
    this.#floor = dropped.at(-1)?.sequenceNumber ?? this.#floor;
  }

  #tell(events: readonly StoredEvent[]): void {
    const byUser = Map.groupBy(events, ({ userId }) => userId);
    for (const [userId, own] of byUser) {
      for (const waiter of [...(this.#waiters.get(userId) ?? [])]) {
        const found = this.#match(waiter, own);
        if (found.length > 0) waiter.answer(found);
      }
    }
  }
}

function passes(filter: EventFilter, { userId, event }: StoredEvent): boolean {
  return (
    userId === filter.userId &&
    (filter.accountId === undefined || filter.accountId === event.accountId) &&
    (filter.trackerId === undefined || filter.trackerId === event.trackerId) &&
    (filter.type === undefined || filter.type === event.exceededThresholdType) &&
    (!filter.accountIds || filter.accountIds.has(event.accountId))
  );
}
