import type { Claims } from '../claims/claims.ts';
import type { TrackerRules } from '../domain/live/tracker-rule.ts';
import { nextTurn } from '../domain/loop-turns.ts';
import type { Timekeeper } from '../domain/timekeeper.ts';
import { NewerFormat } from '../journal/commit-codec.ts';
import { type JournalEntry, partitionOf } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import type { Claim } from '../storage/claim-store.ts';
import { writeDamagedEntry } from '../storage/damaged-entry-store.ts';
import type { Database } from '../storage/database.ts';
import { readSettling } from '../storage/live-store.ts';
import { checkOwner, PartitionLost, type PartitionRow } from '../storage/partition-store.ts';
import { Backlog, type SideWork } from './backlog.ts';
import { Checkpointer } from './checkpointer.ts';
import { type CommitStream, type EntryOf, WaitingEntry } from './commit-stream.ts';
import type { EngineMetrics } from './engine-metrics.ts';
import { EventPublisher } from './event-publisher.ts';
import type { EventWriter } from './event-writer.ts';
import type { FoldTurns } from './fold-entry.ts';
import { type LoadedAccount, loadAccounts } from './load-accounts.ts';
import { PartitionFold } from './partition-fold.ts';
import { type EngineLogger, PartitionOver, Persistence } from './persistence.ts';
import { collect, type QuarantineParts, refold } from './quarantine-work.ts';
import { Quarantines } from './quarantines.ts';
import { seedHeld } from './seeding.ts';
import { SettlingBreaches } from './settling-breaches.ts';
import { AccountMemory, type TrackedAccount } from './tracked-account.ts';

export type PartitionParts = {
  database: Database;
  claims: Claims;
  claim: Claim;
  journal: Journal;
  stream: CommitStream;
  time: Timekeeper;
  rules: TrackerRules;
  metrics: EngineMetrics;
  logger: EngineLogger;
  /** Shared by all partitions of the process. */
  turns: FoldTurns;
  /** Time from one checkpoint to the next while snapshots arrive. */
  checkpointMs: number;
  /** Stores the events of all partitions of the process. */
  eventWriter: EventWriter;
  /** Called for each account that an entry has changed. */
  folded: (accountNumber: number) => void;
  /** Called when the log has commits that a newer version of Plimsoll must fold. */
  newerFormat: (error: NewerFormat) => void;
};

/** The most commits that wait to be folded; beyond that the partition reads the log itself. */
const MAX_WAITING = 64;
const LOADED_AT_ONCE = 250;
/** Unstored records at which a checkpoint begins at once, and at which folding waits for it. */
const MANY_RECORDS = 10_000;
const MAX_RECORDS = 100_000;

/**
 * A partition that this process owns: takes the journal's entries in order, folds and stores them,
 * and does slow work beside. `lost` is called when another process turns out to own it.
 * ARCHITECTURE.md has a diagram of its states.
 */
export class Partition {
  readonly number: number;
  readonly claim: Claim;
  readonly #parts: PartitionParts;
  readonly #persistence: Persistence;
  readonly #backlog: Backlog;
  readonly #checkpointer: Checkpointer;
  readonly #quarantines: Quarantines;
  readonly #settling: SettlingBreaches;
  readonly #fold: PartitionFold;
  readonly #side: QuarantineParts;
  /** The next commits, in order. */
  readonly #waiting: WaitingEntry[] = [];
  /** True while it reads the log itself, until it has caught up with the stream. */
  #isBehind = true;
  /** True while it is being handed over: it takes no more commits. */
  #isLeaving = false;
  /** To be awaited before folding continues. */
  #awaited: Promise<void> | undefined;

  constructor(
    { partition, position }: Pick<PartitionRow, 'partition' | 'position'>,
    parts: PartitionParts,
    lost: (partition: Partition) => void,
  ) {
    const { database, journal, time, logger, metrics, claim, checkpointMs } = parts;
    const epoch = claim.fence;
    this.number = partition;
    this.claim = claim;
    this.#parts = parts;
    const memory = new AccountMemory(parts.rules);
    const backlog = new Backlog(position, memory.minutes);
    const persistence = new Persistence(partition, time, logger, () => lost(this));
    const own = {
      database,
      journal,
      time,
      partition,
      epoch,
      persistence,
      backlog,
      memory,
      metrics,
    };
    const publisher = new EventPublisher({ ...own, writer: parts.eventWriter });
    const { partitions } = journal;
    const { recent } = memory;
    const checkpointer = new Checkpointer({ ...own, publisher, recent, checkpointMs, partitions });
    const quarantines = new Quarantines(backlog, logger);
    const settling = new SettlingBreaches(own);
    const fold = new PartitionFold({
      ...{ memory, backlog, publisher, quarantines, settling },
      folded: parts.folded,
    });
    this.#persistence = persistence;
    this.#backlog = backlog;
    this.#checkpointer = checkpointer;
    this.#quarantines = quarantines;
    this.#settling = settling;
    this.#fold = fold;
    this.#side = { ...own, checkpointer, quarantines, fold };
    this.#run();
    this.#findSettling().catch(() => {});
  }

  /** Loads the stored waiting breaches; folding finds later ones. */
  async #findSettling(): Promise<void> {
    const { database, journal } = this.#parts;
    const stored = await this.#persistence.retry('finding what settles', () =>
      readSettling(database),
    );
    for (const { accountNumber, settleDueUtcMs } of stored) {
      const isOwn = partitionOf(accountNumber, journal.partitions) === this.number;
      if (isOwn) this.#settling.note(accountNumber, settleDueUtcMs);
    }
  }

  /** Fences everything after the fold. */
  get epoch(): number {
    return this.claim.fence;
  }

  /** The folded state, and how much of it is stored. */
  get backlog(): Pick<Backlog, 'position' | 'stored' | 'storedAtMs' | 'reached'> {
    return this.#backlog;
  }

  get accounts(): number {
    return this.#fold.size;
  }

  get quarantined(): number {
    return this.#quarantines.size;
  }

  /** Work that keeps failing for another reason than an outage of the database. */
  get failing(): readonly string[] {
    return this.#persistence.failing;
  }

  /** Takes the stream's next commit. */
  offer(position: number, entryOf: EntryOf): void {
    if (this.#isBehind || this.#persistence.isOver) return;
    const last = this.#waiting.at(-1)?.position ?? this.#backlog.position;
    if (position !== last + 1 || this.#waiting.length >= MAX_WAITING) {
      this.#isBehind = true;
    } else this.#waiting.push(new WaitingEntry(position, () => entryOf(this.number)));
    this.#run();
  }

  /**
   * The account as folded so far; undefined if it is not in memory: then it is unchanged since it
   * was stored. Throws PartitionOver, as the state folded here may never be stored then.
   */
  find(accountNumber: number): TrackedAccount | undefined {
    if (this.#persistence.isOver) throw new PartitionOver(this.number);
    return this.#fold.find(accountNumber);
  }

  /** Stores everything folded and releases the partition. */
  async release(): Promise<void> {
    try {
      // The first pass stores most while folding continues, the second all changes since.
      await this.#checkpointer.pass();
      this.#isLeaving = true;
      await this.#awaited;
      await this.#checkpointer.pass();
    } catch (error) {
      if (!(error instanceof PartitionOver)) throw error;
      return;
    }
    this.abandon();
    await this.#parts.claims.release(this.claim);
  }

  /** Stops at once and writes no more. */
  abandon(): void {
    this.#persistence.end();
    this.#checkpointer.stop();
    this.#settling.stop();
    this.#backlog.end(new PartitionOver(this.number));
  }

  /** Folds, awaits what blocks it, and repeats this until everything is folded. */
  #run(): void {
    if (this.#awaited) return;
    this.#awaited = this.#foldOn()
      ?.catch((error: unknown) => {
        if (!(error instanceof PartitionOver)) throw error;
      })
      .finally(() => {
        this.#awaited = undefined;
        this.#run();
      });
  }

  /**
   * Folds waiting commits, usually without an await: entries and accounts are in memory. Returns a
   * promise to await before continuing; undefined if everything is folded.
   */
  #foldOn(): Promise<void> | undefined {
    const { turns, stream } = this.#parts;
    while (!this.#isLeaving && !this.#persistence.isOver) {
      const [next] = this.#waiting;
      if (!next) {
        // Safe: the stream's next commit comes after this check.
        this.#isBehind &&= this.#backlog.position < stream.position;
        return this.#isBehind ? this.#readMore() : undefined;
      }
      if (turns.isOver) return turns.next();
      const { entry, damage } = next.take();
      if (damage !== undefined) return this.#setAside(next, damage);
      if (this.#backlog.size > MAX_RECORDS) return this.#checkpointer.progress();
      if (entry && this.#fold.missing(entry).length > 0) return this.#load();
      this.#waiting.shift();
      this.#apply(next.position, entry);
    }
    return undefined;
  }

  #apply(position: number, entry: JournalEntry | undefined): void {
    this.#fold.apply(position, entry);
    if (entry) {
      const { metrics, time, turns } = this.#parts;
      turns.took(entry.rowCount);
      metrics.snapshots.inc(entry.rowCount);
      metrics.foldDelay.observe(Math.max(0, time.now() - entry.receivedUtcMs) / 1000);
    }
    this.#resume();
  }

  /** Handles the results of folding: begins work beside the fold, schedules storing. */
  #resume(): void {
    for (const work of this.#backlog.takeBegun()) {
      this.#workBeside(work).then(
        () => this.#resume(),
        () => {},
      );
    }
    if (this.#backlog.size > MANY_RECORDS) this.#checkpointer.startPass();
    else this.#checkpointer.plan();
  }

  #workBeside(work: SideWork): Promise<void> {
    switch (work.kind) {
      case 'seed':
        return seedHeld(this.#side, work.account, work.hold);
      case 'collect':
        return collect(this.#side, work.quarantine, work.account);
      case 'refold':
        return refold(this.#side, work.quarantine);
    }
  }

  /** Reads the log's next commits. */
  async #readMore(): Promise<void> {
    const { stream } = this.#parts;
    const from = this.#backlog.position;
    const commits = await this.#persistence.retry('reading the journal', async () => {
      const read = await stream.read(from).catch((error: unknown) => {
        if (error instanceof NewerFormat) this.#parts.newerFormat(error);
        throw error;
      });
      // The next commits were trimmed, so another owner has folded and stored them.
      if (read[0] && read[0].position > from + 1) throw new PartitionLost(this.number);
      return read;
    });
    for (const commit of commits) {
      this.#waiting.push(new WaitingEntry(commit.position, () => commit.entryOf(this.number)));
    }
  }

  /**
   * Loads the accounts of the first waiting commit, and those of later ones while they are few:
   * otherwise a new owner would query the database for every single commit of its backlog.
   */
  async #load(): Promise<void> {
    /** By account number: the position of its first entry. */
    const wanted = new Map<number, number>();
    for (const waiting of this.#waiting) {
      const { entry } = waiting.take();
      const missing = entry ? this.#fold.missing(entry) : [];
      if (wanted.size > 0 && wanted.size + missing.length > LOADED_AT_ONCE) break;
      for (const number of missing) if (!wanted.has(number)) wanted.set(number, waiting.position);
    }
    const numbers = [...wanted.keys()];
    const loaded = await this.#persistence.retry('loading accounts', () => this.#read(numbers));
    this.#fold.admit(wanted, loaded);
  }

  /** Reads accounts, a few at a time: on SQLite each read blocks the event loop. */
  async #read(numbers: readonly number[]): Promise<LoadedAccount[]> {
    const { database } = this.#parts;
    const loaded: LoadedAccount[] = [];
    try {
      for (let start = 0; start < numbers.length; start += LOADED_AT_ONCE) {
        if (start > 0) await nextTurn();
        const some = numbers.slice(start, start + LOADED_AT_ONCE);
        loaded.push(...(await loadAccounts(database, some, this.#side.memory)));
      }
      // Another owner may have written the rows read.
      await checkOwner(database, this.number, this.epoch);
      return loaded;
    } catch (error) {
      for (const { account } of loaded) account?.free();
      throw error;
    }
  }

  /** Keeps an unreadable entry for an operator; its accounts are unknown. */
  async #setAside(unreadable: WaitingEntry, damage: unknown): Promise<void> {
    const { database, journal, logger } = this.#parts;
    const { position } = unreadable;
    const fields = { err: damage, partition: this.number, position };
    logger.error(fields, 'an entry of the journal cannot be read and is set aside');
    await this.#persistence.retry('setting an entry aside', async () => {
      const [commit] = await journal.read(position - 1);
      if (commit?.position !== position) return;
      const reason = damage instanceof Error ? damage.message : String(damage);
      const { body } = commit;
      await writeDamagedEntry(database, this.number, this.epoch, { position, reason, body });
    });
    unreadable.skip();
  }
}
