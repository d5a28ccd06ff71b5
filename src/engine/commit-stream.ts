import { sleep, type Timekeeper } from '../domain/timekeeper.ts';
import { NewerFormat, type StoredCommit } from '../journal/commit-codec.ts';
import type { Commit, JournalEntry } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import { DatabaseUnavailable } from '../storage/database.ts';
import { RecentMap } from '../storage/recent-map.ts';
import type { EngineLogger } from './persistence.ts';

/** Commits of this process that are kept until those before them are known. */
const MAX_HANDED = 1000;
/** Answers of the log that another partition that catches up may want as well. */
const MAX_READ = 6;
/** Time that a commit of this process has to get here before the log is read. */
const HANDED_WITHIN_MS = 2;
const RETRY_MS = 250;

/** A partition's entry in the commit. Throws RangeError when it cannot be read. */
export type EntryOf = (partition: number) => JournalEntry | undefined;

/**
 * The commits of all processes in the one order of the journal, for the partitions of this one: its
 * own as they come, in memory, those of others read from the log. A partition that is behind reads
 * by itself until it has caught up.
 */
export class CommitStream {
  readonly #journal: Journal;
  readonly #time: Timekeeper;
  readonly #logger: EngineLogger;
  readonly #deliver: (position: number, entryOf: EntryOf) => void;
  readonly #onNewerFormat: (error: NewerFormat) => void;
  readonly #handed = new Map<number, Commit>();
  /** By the position of the commit before the first of them. */
  readonly #reads = new RecentMap<number, Promise<StoredCommit[]>>(MAX_READ);
  #position: number;
  /** There may be commits up to here. */
  #wanted: number;
  /** How often that was told: what is told during a read may have missed it. */
  #told = 0;
  #reading: Promise<void> | undefined;
  #isPlanned = false;
  #isStopped = false;

  constructor(parts: {
    journal: Journal;
    time: Timekeeper;
    logger: EngineLogger;
    /** Commits after it are delivered. */
    position: number;
    deliver: (position: number, entryOf: EntryOf) => void;
    onNewerFormat: (error: NewerFormat) => void;
  }) {
    this.#journal = parts.journal;
    this.#time = parts.time;
    this.#logger = parts.logger;
    this.#position = parts.position;
    this.#wanted = parts.position;
    this.#deliver = parts.deliver;
    this.#onNewerFormat = parts.onNewerFormat;
  }

  /** Everything up to here was delivered. */
  get position(): number {
    return this.#position;
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** A commit of this process. */
  appended(position: number, commit: Commit): void {
    if (position <= this.#position) return;
    if (position === this.#position + 1) {
      this.#position = position;
      this.#deliver(position, (partition) => commit.entries.get(partition));
      if (this.#handed.size > 0) this.#deliverHanded();
      return;
    }
    if (this.#handed.size < MAX_HANDED) this.#handed.set(position, commit);
    this.#want(position);
    this.#plan();
  }

  /** Somebody has appended something. */
  more(): void {
    this.#want(Number.POSITIVE_INFINITY);
    this.#plan();
  }

  /** Delivers at least what the log has up to a position. */
  reach(position: number): void {
    if (position <= this.#position) return;
    this.#want(position);
    this.#read();
  }

  /** Commits after a position, for a partition that is behind; those that catch up share them. */
  async read(after: number): Promise<StoredCommit[]> {
    const known = this.#reads.get(after);
    if (known) return known;
    const read = this.#journal.read(after);
    this.#reads.set(after, read);
    try {
      const commits = await read;
      // What is at the end now is not for long.
      if (commits.length === 0) this.#reads.delete(after);
      return commits;
    } catch (error) {
      this.#reads.delete(after);
      throw error;
    }
  }

  #want(position: number): void {
    this.#wanted = Math.max(this.#wanted, position);
    this.#told += 1;
  }

  #deliverHanded(): void {
    for (;;) {
      const next = this.#position + 1;
      const commit = this.#handed.get(next);
      if (!commit) return;
      this.#handed.delete(next);
      this.#position = next;
      this.#deliver(next, (partition) => commit.entries.get(partition));
    }
  }

  /** What is handed over out of order is mostly a moment apart. */
  #plan(): void {
    if (this.#isPlanned || this.#isStopped) return;
    this.#isPlanned = true;
    this.#time.after(HANDED_WITHIN_MS, () => {
      this.#isPlanned = false;
      if (this.#wanted > this.#position) this.#read();
    });
  }

  #read(): void {
    if (this.#reading || this.#isStopped) return;
    this.#reading = this.#readAll().finally(() => {
      this.#reading = undefined;
      if (this.#wanted > this.#position && !this.#isStopped) this.#plan();
    });
  }

  async #readAll(): Promise<void> {
    while (!this.#isStopped) {
      const told = this.#told;
      try {
        const commits = await this.#journal.read(this.#position);
        for (const commit of commits) this.#take(commit);
        if (this.#handed.size > 0) this.#dropOld();
        if (commits.length >= this.#journal.fullRead) continue;
        // There was no more when it was asked for. What was told since is looked for in a moment.
        if (this.#told === told) this.#wanted = this.#position;
        return;
      } catch (error) {
        if (error instanceof NewerFormat) {
          this.#isStopped = true;
          this.#onNewerFormat(error);
          return;
        }
        const level = error instanceof DatabaseUnavailable ? 'warn' : 'error';
        this.#logger[level]({ err: error }, 'the journal cannot be read and is asked again');
        await sleep(this.#time, RETRY_MS);
      }
    }
  }

  /** After a gap, which a process meets that was paused for long, partitions find out by themselves. */
  #take(commit: StoredCommit): void {
    if (commit.position <= this.#position) return;
    this.#position = commit.position;
    const handed = this.#handed.get(commit.position);
    this.#handed.delete(commit.position);
    this.#deliver(commit.position, (partition) =>
      handed ? handed.entries.get(partition) : commit.entryOf(partition),
    );
  }

  #dropOld(): void {
    for (const position of this.#handed.keys()) {
      if (position <= this.#position) this.#handed.delete(position);
    }
    this.#deliverHanded();
  }
}
