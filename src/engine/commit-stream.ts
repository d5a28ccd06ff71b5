import { RecentMap } from '../domain/recent-map.ts';
import { sleep, type Timekeeper } from '../domain/timekeeper.ts';
import { NewerFormat, type StoredCommit } from '../journal/commit-codec.ts';
import type { Commit, JournalEntry } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import { DatabaseUnavailable } from '../storage/database.ts';
import type { EngineLogger } from './persistence.ts';

/** Commits of this process kept in memory until those before them are known. */
const MAX_HANDED = 1000;
/** Reads of the log that are kept for other partitions that are catching up. */
const MAX_READ = 6;
/** How long to wait for a commit of this process before the log is read instead. */
const HANDED_WITHIN_MS = 2;
const RETRY_MS = 250;

/** A partition's entry in the commit. Throws RangeError if it cannot be decoded. */
export type EntryOf = (partition: number) => JournalEntry | undefined;

/** Takes each commit as it is delivered. */
export type Follower = { offer(position: number, entryOf: EntryOf): void };

/** A commit that waits to be folded. It is decoded once, when that is needed: it takes time. */
export class WaitingEntry {
  readonly position: number;
  readonly #read: () => JournalEntry | undefined;
  #taken: { entry?: JournalEntry | undefined; damage?: unknown } | undefined;

  constructor(position: number, read: () => JournalEntry | undefined) {
    this.position = position;
    this.#read = read;
  }

  /** What the commit has for the partition: an entry, nothing, or why it cannot be read. */
  take(): { entry?: JournalEntry | undefined; damage?: unknown } {
    try {
      this.#taken ??= { entry: this.#read() };
    } catch (damage) {
      this.#taken = { damage };
    }
    return this.#taken;
  }

  /** From now on there is nothing for the partition. */
  skip(): void {
    this.#taken = {};
  }
}

/**
 * Delivers the commits of all processes to the partitions of this one, in the order of the journal.
 * Its own commits come from memory, those of others are read from the log. A partition that is
 * behind reads by itself until it has caught up.
 */
export class CommitStream {
  readonly #journal: Journal;
  readonly #time: Timekeeper;
  readonly #logger: EngineLogger;
  readonly #followers: ReadonlyMap<number, Follower>;
  readonly #onNewerFormat: (error: NewerFormat) => void;
  readonly #handed = new Map<number, Commit>();
  /** Keyed by the position that was read after. */
  readonly #reads = new RecentMap<number, Promise<StoredCommit[]>>(MAX_READ);
  #position: number;
  /** The log may have commits up to here. */
  #wanted: number;
  /** Counts calls of `#want`: a read that was under way may have missed what one asked for. */
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
    followers: ReadonlyMap<number, Follower>;
    onNewerFormat: (error: NewerFormat) => void;
  }) {
    this.#journal = parts.journal;
    this.#time = parts.time;
    this.#logger = parts.logger;
    this.#position = parts.position;
    this.#wanted = parts.position;
    this.#followers = parts.followers;
    this.#onNewerFormat = parts.onNewerFormat;
  }

  /** The position up to which everything was delivered. */
  get position(): number {
    return this.#position;
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Takes a commit that this process has appended. */
  appended(position: number, commit: Commit): void {
    if (position <= this.#position) return;
    if (position === this.#position + 1) {
      this.#deliver(position, (partition) => commit.entries.get(partition));
      if (this.#handed.size > 0) this.#deliverHanded();
      return;
    }
    if (this.#handed.size < MAX_HANDED) this.#handed.set(position, commit);
    this.#want(position);
    this.#plan();
  }

  /** The log may have commits that were not handed over here, mostly those of other processes. */
  more(): void {
    this.#want(Number.POSITIVE_INFINITY);
    this.#plan();
  }

  /** Starts reading the log, unless everything up to a position was delivered. */
  reach(position: number): void {
    if (position <= this.#position) return;
    this.#want(position);
    this.#read();
  }

  /** Commits after a position, for a partition that is behind; partitions share these reads. */
  async read(after: number): Promise<StoredCommit[]> {
    const known = this.#reads.get(after);
    if (known) return known;
    const read = this.#journal.read(after);
    this.#reads.set(after, read);
    try {
      const commits = await read;
      // The end of the log now is not its end for long.
      if (commits.length === 0) this.#reads.delete(after);
      return commits;
    } catch (error) {
      this.#reads.delete(after);
      throw error;
    }
  }

  #deliver(position: number, entryOf: EntryOf): void {
    this.#position = position;
    for (const follower of this.#followers.values()) follower.offer(position, entryOf);
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
      this.#deliver(next, (partition) => commit.entries.get(partition));
    }
  }

  /** Commits that arrive out of order are mostly a moment apart, so the log is not read at once. */
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
        // Nothing more when we asked. If more was wanted since, another read is planned.
        if (this.#told === told) this.#wanted = this.#position;
        return;
      } catch (error) {
        if (error instanceof NewerFormat) {
          this.#isStopped = true;
          this.#onNewerFormat(error);
          return;
        }
        const level = error instanceof DatabaseUnavailable ? 'warn' : 'error';
        this.#logger[level]({ err: error }, 'the journal cannot be read; trying again');
        await sleep(this.#time, RETRY_MS);
      }
    }
  }

  /** A process that was paused for long may meet a gap; its partitions detect that themselves. */
  #take(commit: StoredCommit): void {
    if (commit.position <= this.#position) return;
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
