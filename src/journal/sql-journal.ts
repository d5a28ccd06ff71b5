import { sleep, type Timekeeper } from '../domain/timekeeper.ts';
import { type Database, DatabaseUnavailable, type Transaction } from '../storage/database.ts';
import { readJournalPlace } from '../storage/journal-outbox-store.ts';
import {
  appendJournal,
  readJournal,
  settleJournal,
  stageJournal,
  trimJournal,
} from '../storage/journal-store.ts';
import { readPartitions } from '../storage/partition-store.ts';
import { SharedQuestion } from '../storage/shared-question.ts';
import { encodeCommit, StoredCommit } from './commit-codec.ts';
import type { Commit } from './entry.ts';
import { type Journal, type JournalListener, type Staged, WrongJournal } from './journal.ts';

const COMMITS_PER_READ = 20;
/** While another process assigns positions: how often to check, and for how long at most. */
const BUSY_RETRY_MS = 2;
const BUSY_PATIENCE_MS = 3000;

/**
 * The journal as a table of the database. Commits that two processes append at the same moment
 * don't wait for each other: one takes the next position, the other gets one a moment later.
 */
export class SqlJournal implements Journal {
  readonly partitions: number;
  readonly fullRead = COMMITS_PER_READ;
  readonly #database: Database;
  readonly #time: Timekeeper;
  /** Distinguishes this process' announcements from others'. */
  readonly #origin: string;
  readonly #listeners = new Set<JournalListener>();
  readonly #heads = new SharedQuestion(() => this.#settle());
  #unsubscribe: (() => void) | undefined;

  /** Throws WrongJournal if a stream holds the database's journal. */
  static async open(database: Database, time: Timekeeper, origin: string): Promise<SqlJournal> {
    const { stream } = await readJournalPlace(database);
    if (stream !== undefined) {
      const reason = 'The journal of this database is a stream of NATS JetStream';
      throw new WrongJournal(`${reason}: set NATS_URL, as for all other processes`);
    }
    const { length } = await readPartitions(database);
    return new SqlJournal(database, time, origin, length);
  }

  private constructor(database: Database, time: Timekeeper, origin: string, partitions: number) {
    this.#database = database;
    this.#time = time;
    this.#origin = origin;
    this.partitions = partitions;
  }

  async append(commit: Commit): Promise<void> {
    const body = encodeCommit(commit);
    this.#report(commit, await appendJournal(this.#database, commit.receivedUtcMs, body));
  }

  async stage(tx: Transaction, commit: Commit): Promise<Staged> {
    const place = await stageJournal(tx, commit.receivedUtcMs, encodeCommit(commit));
    return [{ commit, place }];
  }

  async release(staged: readonly Staged[]): Promise<void> {
    for (const { commit, place } of staged.flat()) this.#report(commit, place);
  }

  async settle(): Promise<void> {
    await this.head();
  }

  head(): Promise<number> {
    return this.#heads.ask();
  }

  /** Assigns positions to all commits left without one by a process. */
  look(): Promise<number> {
    return this.head();
  }

  async read(after: number): Promise<StoredCommit[]> {
    const rows = await readJournal(this.#database, after, COMMITS_PER_READ);
    return rows.map(({ position, body }) => new StoredCommit(position, body));
  }

  async trim(receivedBeforeMs: number): Promise<void> {
    await trimJournal(this.#database, receivedBeforeMs);
  }

  listen(listener: JournalListener): () => void {
    this.#listeners.add(listener);
    this.#unsubscribe ??= this.#database.listen('plimsoll_journal', (origin) => {
      if (origin === this.#origin) return;
      for (const each of this.#listeners) each.more();
    });
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#unsubscribe?.();
      this.#unsubscribe = undefined;
    };
  }

  async close(): Promise<void> {}

  /** Announces a commit once it has its position: before that, others would find nothing. */
  #report(commit: Commit, position: number | undefined): void {
    if (position !== undefined) {
      this.#announce();
      for (const listener of this.#listeners) listener.appended(position, commit);
      return;
    }
    // Reading the head assigns one. If that fails, the listeners' patrol does it.
    this.head().then(
      () => {
        this.#announce();
        for (const listener of this.#listeners) listener.more();
      },
      () => {},
    );
  }

  #announce(): void {
    if (this.#database.isShared) this.#database.announce('plimsoll_journal', this.#origin);
  }

  async #settle(): Promise<number> {
    const lastMs = this.#time.elapsed() + BUSY_PATIENCE_MS;
    for (;;) {
      const head = await settleJournal(this.#database);
      if (head !== undefined) return head;
      if (this.#time.elapsed() >= lastMs) throw new DatabaseUnavailable('The journal is busy');
      await sleep(this.#time, BUSY_RETRY_MS);
    }
  }
}
