import { RecentMap } from '../domain/recent-map.ts';
import { sleep, type Timekeeper } from '../domain/timekeeper.ts';
import { NewerFormat, type StoredCommit } from '../journal/commit-codec.ts';
import { type Commit, type JournalEntry, ROW_BYTES } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import { DatabaseUnavailable } from '../storage/database.ts';
import type { EngineLogger } from './persistence.ts';

/** Bytes of this process's commits kept until those before them are known; others are read. */
const MAX_RECEIVED_BYTES = 32 * 1024 * 1024;
const COMMIT_BYTES = 1000;
const DEAL_BYTES = 500;
/** Reads of the log that are kept for other partitions that are catching up. */
const MAX_READ = 6;
/** How long to wait for a commit of this process before reading the log instead. */
const HANDED_WITHIN_MS = 2;
const RETRY_MS = 250;

/** A partition's entry in the commit. Throws RangeError if it cannot be decoded. */
export type EntryOf = (partition: number) => JournalEntry | undefined;

/** Receives each commit when it is delivered. */
export type Follower = { offer(position: number, entryOf: EntryOf): void };

/** What is needed of the journal. */
type Log = Pick<Journal, 'read' | 'fullRead'>;

/** A commit that waits to be folded. It is decoded once, and only when needed: that takes time. */
export class WaitingEntry {
  readonly position: number;
  readonly #read: () => JournalEntry | undefined;
  #taken: { entry?: JournalEntry | undefined; damage?: unknown } | undefined;

  constructor(position: number, read: () => JournalEntry | undefined) {
    this.position = position;
    this.#read = read;
  }

  /** The partition's part of the commit: an entry, nothing, or why it cannot be read. */
  take(): { entry?: JournalEntry | undefined; damage?: unknown } {
    try {
      this.#taken ??= { entry: this.#read() };
    } catch (damage) {
      this.#taken = { damage };
    }
    return this.#taken;
  }

  /** From now on the partition has no part of the commit. */
  skip(): void {
    this.#taken = {};
  }
}

/**
 * Delivers the commits of all processes to the partitions of this one, in the order of the journal.
 * Its own commits come from memory, those of others are read from the log. A partition that is
 * behind reads the log itself until it has caught up.
 */
export class CommitStream {
  readonly #journal: Log;
  readonly #time: Timekeeper;
  readonly #logger: EngineLogger;
  readonly #followers: ReadonlyMap<number, Follower>;
  readonly #onNewerFormat: (error: NewerFormat) => void;
  readonly #received = new RecentMap<number, Commit>(MAX_RECEIVED_BYTES, bytesOf);
  /** Keyed by the position that was read after. */
  readonly #reads = new RecentMap<number, Promise<StoredCommit[]>>(MAX_READ);
  #position: number;
  /** The log may have commits up to here. */
  #wanted: number;
  /**
   * Counts calls of `#want`: a running read may have missed the commits that a later call asked
   * for.
   */
  #wants = 0;
  #reading: Promise<void> | undefined;
  #isPlanned = false;
  #isStopped = false;

  constructor(parts: {
    journal: Log;
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

  /** Everything up to this position was delivered. */
  get position(): number {
    return this.#position;
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Takes a commit appended by this process. */
  appended(position: number, commit: Commit): void {
    if (position <= this.#position) return;
    if (position === this.#position + 1) {
      this.#deliver(position, (partition) => commit.entries.get(partition));
      if (this.#received.size > 0) this.#deliverReceived();
      return;
    }
    this.#received.set(position, commit);
    this.#want(position);
    this.#plan();
  }

  /** The log may have commits not received here, mostly those of other processes. */
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
      // The end of the log changes soon.
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
    this.#wants += 1;
  }

  #deliverReceived(): void {
    for (;;) {
      const next = this.#position + 1;
      const commit = this.#received.get(next);
      if (!commit) return;
      this.#received.delete(next);
      this.#deliver(next, (partition) => commit.entries.get(partition));
    }
  }

  /**
   * Commits that arrive out of order are usually a moment apart, so the log is not read at once.
   */
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
      const wants = this.#wants;
      try {
        const commits = await this.#journal.read(this.#position);
        for (const commit of commits) this.#take(commit);
        if (this.#received.size > 0) this.#deliverReceived();
        if (commits.length >= this.#journal.fullRead) continue;
        // The log had no more at that time. If more was wanted since, another read is planned.
        if (this.#wants === wants) this.#wanted = this.#position;
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
    const ownCommit = this.#received.get(commit.position);
    this.#received.delete(commit.position);
    this.#deliver(commit.position, (partition) =>
      ownCommit ? ownCommit.entries.get(partition) : commit.entryOf(partition),
    );
  }
}

const bytesOf = ({ entries }: Commit): number =>
  entries
    .values()
    .reduce(
      (sum, { timeMs, deals }) => sum + timeMs.length * ROW_BYTES + deals.length * DEAL_BYTES,
      COMMIT_BYTES,
    );
