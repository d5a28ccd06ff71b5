import { sleep, type Timekeeper } from '../../domain/timekeeper.ts';
import type { Database, Transaction } from '../../storage/database.ts';
import { deleteSettled } from '../../storage/journal-outbox-store.ts';
import { readPartitions } from '../../storage/partition-store.ts';
import { encodeCommit, StoredCommit } from '../commit-codec.ts';
import type { Commit } from '../entry.ts';
import type { Journal, JournalListener, Staged } from '../journal.ts';
import { encodeWithin } from '../split-commit.ts';
import { bindJournal, checkHead } from './bind-journal.ts';
import { Outbox } from './outbox.ts';
import { Publisher } from './publisher.ts';
import { lastReceivedBefore } from './received.ts';
import { JournalUnavailable, type Stream, type StreamMessage } from './stream.ts';

const COMMITS_PER_READ = 20;
/** The replica that answers may be a few moments behind. */
const LAGGING_RETRY_MS = 10;
const LAGGING_PATIENCE_MS = 2000;
const NO_ENTRIES: Commit['entries'] = new Map();

export type JetStreamParts = {
  /** Holds the partitions' positions and the outbox. */
  database: Database;
  stream: Stream;
  time: Timekeeper;
  /** Identifies this process; new at each start. */
  origin: string;
};

/**
 * The journal as a stream of NATS JetStream: each commit is one message, whose sequence number is
 * its position. Snapshots alone never touch the database. Commits staged in a transaction go
 * through the outbox. Among the commits are marks: empty ones, appended to find out where the
 * stream ends.
 */
export class JetStreamJournal implements Journal {
  readonly partitions: number;
  readonly fullRead = 1;
  readonly #database: Database;
  readonly #stream: Stream;
  readonly #time: Timekeeper;
  readonly #publisher: Publisher;
  readonly #outbox: Outbox;
  readonly #listeners = new Set<JournalListener>();
  /** Commits of this process that wait in the outbox, by row. */
  readonly #released = new Map<number, Commit>();
  /** The stream reaches at least this position. */
  #reached = 0;
  #purged = 0;

  /** Throws JournalUnavailable, or WrongJournal if the database belongs to another journal. */
  static async open(parts: JetStreamParts): Promise<JetStreamJournal> {
    const { database, stream } = parts;
    await bindJournal(database, stream.identity);
    const partitions = await readPartitions(database);
    const journal = new JetStreamJournal(parts, partitions.length);
    checkHead(await journal.head(), partitions);
    return journal;
  }

  private constructor({ database, stream, time, origin }: JetStreamParts, partitions: number) {
    this.partitions = partitions;
    this.#database = database;
    this.#stream = stream;
    this.#time = time;
    this.#publisher = new Publisher({
      ...{ stream, time, origin },
      mark: () => this.#publish({ receivedUtcMs: time.now(), entries: NO_ENTRIES }),
    });
    this.#outbox = new Outbox({
      ...{ database, time, publisher: this.#publisher },
      landed: (row, position) => this.#landed(row, position),
    });
    stream.onNews((sequence) => {
      this.#hasReached(sequence);
      this.#reportMore();
    });
  }

  async append(commit: Commit): Promise<void> {
    // A snapshot must not overtake deals of its account that were stored before.
    if (this.#outbox.hasLeftovers) await this.#outbox.drain();
    for (const part of encodeWithin(commit, this.#stream.maxBytes)) {
      await this.#publish(part.commit, part.body);
    }
  }

  async stage(tx: Transaction, commit: Commit): Promise<Staged> {
    const staged = [];
    for (const part of encodeWithin(commit, this.#stream.maxBytes)) {
      staged.push({ commit: part.commit, place: await this.#outbox.add(tx, part.body) });
    }
    return staged;
  }

  async release(staged: readonly Staged[]): Promise<void> {
    const own = staged.flat();
    for (const { commit, place } of own) {
      if (place !== undefined) this.#released.set(place, commit);
    }
    try {
      await this.#outbox.drain();
    } finally {
      // Rows that another process has published are read from the stream.
      const others = own.filter(({ place = 0 }) => this.#released.delete(place));
      if (others.length > 0) this.#reportMore();
    }
  }

  settle(): Promise<void> {
    return this.#outbox.drain();
  }

  async head(): Promise<number> {
    const head = await this.#publisher.head();
    this.#hasReached(head);
    return head;
  }

  async look(): Promise<number> {
    await this.#outbox.drain();
    this.#hasReached((await this.#stream.state()).last);
    return this.#reached;
  }

  async read(after: number): Promise<StoredCommit[]> {
    const messages = await this.#messagesAfter(after);
    const copies = await this.#outbox.copiesAmong(messages);
    return messages.map((message) => {
      const body = copies.has(message) ? nothing() : message.body;
      return new StoredCommit(message.sequence, body);
    });
  }

  async trim(receivedBeforeMs: number): Promise<void> {
    const rows = await readPartitions(this.#database);
    const folded = Math.min(...rows.map(({ position }) => position));
    const last = await lastReceivedBefore(this.#stream, this.#purged, folded, receivedBeforeMs);
    if (last > this.#purged) {
      await this.#stream.purge(last);
      this.#purged = last;
    }
    await deleteSettled(this.#database, folded);
  }

  listen(listener: JournalListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#outbox.close();
    await this.#stream.close();
  }

  async #publish(commit: Commit, body = encodeCommit(commit)): Promise<void> {
    const position = await this.#publisher.append(body);
    this.#hasReached(position);
    this.#stream.announce(position);
    for (const listener of this.#listeners) listener.appended(position, commit);
  }

  #landed(row: number, position: number): void {
    this.#hasReached(position);
    this.#stream.announce(position);
    const commit = this.#released.get(row);
    if (!commit) {
      this.#reportMore();
      return;
    }
    this.#released.delete(row);
    for (const listener of this.#listeners) listener.appended(position, commit);
  }

  #hasReached(position: number): void {
    if (position > this.#reached) this.#reached = position;
  }

  #reportMore(): void {
    for (const listener of this.#listeners) listener.more();
  }

  /** The next messages after a position: those known to exist and available, up to a limit. */
  async #messagesAfter(after: number): Promise<StreamMessage[]> {
    const first = await this.#firstAfter(after);
    if (!first) return [];
    const last = Math.min(this.#reached, first.sequence + COMMITS_PER_READ - 1);
    const others = Array.from({ length: Math.max(0, last - first.sequence) }, (_, index) =>
      this.#stream.get(first.sequence + 1 + index),
    );
    const messages = [first];
    for (const message of await Promise.all(others)) {
      // The replica is behind: the rest is read the next time.
      if (message?.sequence !== (messages.at(-1)?.sequence ?? 0) + 1) break;
      messages.push(message);
    }
    return messages;
  }

  /** The first message after a position; undefined at the end. Skips purged messages only. */
  async #firstAfter(after: number): Promise<StreamMessage | undefined> {
    const untilMs = this.#time.elapsed() + LAGGING_PATIENCE_MS;
    for (;;) {
      const found = await this.#stream.next(after);
      if (found?.sequence === after + 1) return found;
      if (!found && this.#reached <= after) return undefined;
      const { first } = await this.#stream.state();
      if (first > after + 1) {
        if (found && found.sequence >= first) return found;
        if (!found && first > this.#reached) return undefined;
      }
      if (this.#time.elapsed() >= untilMs) {
        throw new JournalUnavailable('The stream does not return what it has accepted');
      }
      await sleep(this.#time, LAGGING_RETRY_MS);
    }
  }
}

const nothing = (): Uint8Array => encodeCommit({ receivedUtcMs: 0, entries: NO_ENTRIES });
