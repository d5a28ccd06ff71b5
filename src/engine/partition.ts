import type { Claims } from '../claims/claims.ts';
import { kindOf } from '../domain/live/live-records.ts';
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
import { Checkpointer } from './checkpointer.ts';
import type { CommitStream, EntryOf } from './commit-stream.ts';
import type { EngineMetrics } from './engine-metrics.ts';
import { EventPublisher } from './event-publisher.ts';
import type { EventWriter } from './event-writer.ts';
import type { FoldTurns } from './fold-turns.ts';
import { type LoadedAccount, loadAccounts } from './load-accounts.ts';
import { PartitionFold } from './partition-fold.ts';
import { type EngineLogger, PartitionOver, Persistence } from './persistence.ts';
import { Quarantines } from './quarantines.ts';
import { seedHeld } from './seeding.ts';
import { SettlingBreaches } from './settling-breaches.ts';
import { AccountMemory, type TrackedAccount } from './tracked-account.ts';
import { missingAccounts, type Waiting, waitingEntry } from './waiting-entries.ts';

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
  /** Called when the log has commits that a newer version of Plimsoll must fold. */
  newerFormat: (error: NewerFormat) => void;
};

/** The most commits that wait to be folded; beyond that the partition reads the log by itself. */
const MAX_WAITING = 64;
const LOADED_AT_ONCE = 250;
/** Unstored records at which a checkpoint begins at once, and at which folding waits for it. */
const MANY_RECORDS = 10_000;
const MAX_RECORDS = 100_000;

/**
 * A partition that this process owns: takes the journal's entries in order, has them folded, and
 * knows how far it has come. `lost` is called when another process turns out to own it.
 */
export class Partition {
  readonly number: number;
  readonly claim: Claim;
  readonly #parts: PartitionParts;
  readonly #memory: AccountMemory;
  readonly #persistence: Persistence;
  readonly #checkpointer: Checkpointer;
  readonly #quarantines: Quarantines;
  readonly #fold: PartitionFold;
  readonly #settling: SettlingBreaches;
  readonly #waiting: Waiting[] = [];
  readonly #hopes: { position: number; resolve: () => void; reject: (error: unknown) => void }[] =
    [];
  /** The position up to which entries are folded. */
  #position: number;
  /** True while it reads the log by itself, until it has caught up with the stream. */
  #isBehind = true;
  /** True while it is being handed over: it takes nothing more. */
  #isLeaving = false;
  #pump: Promise<void> | undefined;

  constructor(
    { partition, position }: Pick<PartitionRow, 'partition' | 'position'>,
    parts: PartitionParts,
    lost: (partition: Partition) => void,
  ) {
    const { database, journal, time, logger, metrics, rules, claim } = parts;
    const epoch = claim.fence;
    this.number = partition;
    this.claim = claim;
    this.#parts = parts;
    this.#position = position;
    this.#memory = new AccountMemory(rules);
    const memory = this.#memory;
    const persistence = new Persistence(partition, time, logger, () => lost(this));
    this.#persistence = persistence;
    const publisher = new EventPublisher({
      ...{ partition, epoch, persistence },
      writer: parts.eventWriter,
      stored: (events) => {
        for (const { event } of events) metrics.events.labels(kindOf(event)).inc();
      },
    });
    this.#checkpointer = new Checkpointer(
      {
        ...{ database, time, partition, epoch, persistence, publisher, metrics },
        recent: memory.recent,
        checkpointMs: parts.checkpointMs,
        partitions: journal.partitions,
        folded: () => this.#position,
        floor: () => this.#floor,
        unstored: () => this.#fold.records,
        recounted: (difference) => {
          this.#fold.records += difference;
        },
        wrote: (records) => {
          this.#fold.records -= records;
        },
      },
      position,
    );
    const checkpointer = this.#checkpointer;
    this.#quarantines = new Quarantines({
      ...{ database, journal, partition, persistence, memory, logger },
      checkpointer,
      fold: () => this.#fold,
    });
    const seeding = {
      ...{ database, journal, persistence, memory },
      fold: () => this.#fold,
      reached: (until: number) => this.reached(until),
    };
    this.#settling = new SettlingBreaches({
      ...{ journal, time, persistence },
      find: (accountNumber) => this.#fold.find(accountNumber),
    });
    const settling = this.#settling;
    this.#fold = new PartitionFold({
      ...{ memory, publisher, checkpointer, quarantines: this.#quarantines, settling },
      seed: (account, hold) => void seedHeld(seeding, account, hold).catch(() => {}),
    });
    this.#run();
    this.#findSettling().catch(() => {});
  }

  /** Takes over the breaches that wait by what is stored; folding finds those since. */
  async #findSettling(): Promise<void> {
    const { database, journal } = this.#parts;
    const stored = await this.#persistence.insist('finding what settles', () =>
      readSettling(database),
    );
    for (const { accountNumber, settleDueUtcMs } of stored) {
      const isOwn = partitionOf(accountNumber, journal.partitions) === this.number;
      if (isOwn) this.#settling.note(accountNumber, settleDueUtcMs);
    }
  }

  /** Fences all that follows from the fold. */
  get epoch(): number {
    return this.claim.fence;
  }

  /** The position up to which entries are folded. */
  get position(): number {
    return this.#position;
  }

  /** The position up to which entries are folded and stored. */
  get storedPosition(): number {
    return this.#checkpointer.stored;
  }

  /** When the last complete checkpoint began, in UTC: what was folded by then is stored. */
  get storedAtMs(): number | undefined {
    return this.#checkpointer.storedAtMs;
  }

  get accounts(): number {
    return this.#fold.size;
  }

  get quarantined(): number {
    return this.#quarantines.size;
  }

  /** What keeps failing for another reason than an outage of the database. */
  get failing(): readonly string[] {
    return this.#persistence.failing;
  }

  /** Takes the stream's next commit. */
  offer(position: number, entryOf: EntryOf): void {
    if (this.#isBehind || this.#persistence.isOver) return;
    const last = this.#waiting.at(-1)?.position ?? this.#position;
    if (position !== last + 1 || this.#waiting.length >= MAX_WAITING) {
      this.#isBehind = true;
    } else this.#waiting.push(waitingEntry(position, this.number, entryOf));
    this.#run();
  }

  /** Resolves when everything up to a position is folded. Throws PartitionOver. */
  reached(position: number): Promise<void> {
    if (this.#position >= position) return Promise.resolve();
    if (this.#persistence.isOver) return Promise.reject(new PartitionOver(this.number));
    return new Promise((resolve, reject) => this.#hopes.push({ position, resolve, reject }));
  }

  /**
   * The account as folded so far; undefined if it is not in memory: then it has not changed since
   * it was stored. Throws PartitionOver, as what was folded here may never be stored then.
   */
  find(accountNumber: number): TrackedAccount | undefined {
    if (this.#persistence.isOver) throw new PartitionOver(this.number);
    return this.#fold.find(accountNumber);
  }

  /** Stores what is folded and releases the partition. */
  async release(): Promise<void> {
    try {
      // The first pass stores most of it while folding goes on, the second what has changed since.
      await this.#checkpointer.pass();
      this.#isBehind = true;
      this.#waiting.length = 0;
      this.#isLeaving = true;
      await this.#pump;
      await this.#checkpointer.pass();
    } catch (error) {
      if (!(error instanceof PartitionOver)) throw error;
      return;
    }
    this.abandon();
    await this.#parts.claims.release(this.claim);
  }

  /** Stops at once and writes nothing more. */
  abandon(): void {
    this.#persistence.end();
    this.#checkpointer.stop();
    this.#settling.stop();
    for (const { reject } of this.#hopes.splice(0)) reject(new PartitionOver(this.number));
  }

  get #floor(): number | undefined {
    const floors = [this.#fold.floor, this.#quarantines.floor].filter((at) => at !== undefined);
    return floors.length > 0 ? Math.min(...floors) : undefined;
  }

  #run(): void {
    if (this.#pump || this.#isLeaving || this.#persistence.isOver || this.#foldAtOnce()) return;
    this.#pump = this.#pumpAll()
      .catch((error: unknown) => {
        if (!(error instanceof PartitionOver)) throw error;
      })
      .finally(() => {
        this.#pump = undefined;
        if (this.#isBehind || this.#waiting.length > 0) this.#run();
      });
  }

  /** The usual case: the entries and their accounts are in memory, so nothing is awaited. */
  #foldAtOnce(): boolean {
    while (!this.#isBehind) {
      const next = this.#waiting[0];
      if (!next) return true;
      if (this.#parts.turns.isOver) return false;
      const { entry, damage } = next.take();
      if (damage !== undefined || this.#fold.records > MAX_RECORDS) return false;
      if (entry && this.#fold.missing(entry).length > 0) return false;
      this.#waiting.shift();
      this.#apply(next.position, entry);
    }
    return false;
  }

  async #pumpAll(): Promise<void> {
    while (!this.#isLeaving && !this.#persistence.isOver) {
      if (this.#parts.turns.isOver) {
        await this.#parts.turns.next();
        continue;
      }
      const next = this.#waiting[0];
      if (next) {
        await this.#foldNext(this.#waiting);
        // Only now, as commits that the stream brings meanwhile must follow this one.
        if (this.#waiting[0] === next) this.#waiting.shift();
      } else if (this.#isBehind) await this.#readMore();
      else return;
    }
  }

  async #readMore(): Promise<void> {
    const { stream } = this.#parts;
    const from = this.#position;
    const commits = await this.#persistence.insist('reading the journal', async () => {
      const read = await stream.read(from).catch((error: unknown) => {
        if (error instanceof NewerFormat) this.#parts.newerFormat(error);
        throw error;
      });
      // The next commits were trimmed, so another owner has folded and stored them.
      if (read[0] && read[0].position > from + 1) throw new PartitionLost(this.number);
      return read;
    });
    const waiting = commits.map((commit) =>
      waitingEntry(commit.position, this.number, (partition) => commit.entryOf(partition)),
    );
    while (waiting.length > 0) {
      while (this.#parts.turns.isOver) await this.#parts.turns.next();
      if (this.#isLeaving) return;
      await this.#foldNext(waiting);
      waiting.shift();
    }
    // Safe: nothing is awaited between this check and the stream's next commit.
    if (this.#position >= stream.position) this.#isBehind = false;
    else if (commits.length === 0) stream.reach(this.#position + 1);
  }

  /** Folds the first of the waiting commits. */
  async #foldNext(waiting: readonly Waiting[]): Promise<void> {
    const [next] = waiting;
    if (!next) return;
    const { position } = next;
    const { entry, damage } = next.take();
    if (damage !== undefined) await this.#setAside(position, damage);
    while (this.#fold.records > MAX_RECORDS) {
      await this.#checkpointer.progress();
      if (this.#persistence.isOver) throw new PartitionOver(this.number);
    }
    const missing = missingAccounts(waiting, this.#fold, LOADED_AT_ONCE);
    if (missing.size > 0) {
      const numbers = [...missing.keys()];
      const loaded = await this.#persistence.insist('loading accounts', () => this.#load(numbers));
      this.#fold.admit(missing, loaded);
    }
    this.#apply(position, entry);
  }

  /** Loads accounts, some at a time: on SQLite each read blocks the event loop. */
  async #load(numbers: readonly number[]): Promise<LoadedAccount[]> {
    const { database } = this.#parts;
    const loaded: LoadedAccount[] = [];
    try {
      for (let start = 0; start < numbers.length; start += LOADED_AT_ONCE) {
        if (start > 0) await nextTurn();
        const some = numbers.slice(start, start + LOADED_AT_ONCE);
        loaded.push(...(await loadAccounts(database, some, this.#memory)));
      }
      // Another owner may have written what was read.
      await checkOwner(database, this.number, this.epoch);
      return loaded;
    } catch (error) {
      for (const { account } of loaded) account?.free();
      throw error;
    }
  }

  #apply(position: number, entry: JournalEntry | undefined): void {
    if (entry) {
      this.#fold.apply(position, entry);
      const { metrics, time, turns } = this.#parts;
      turns.took(entry.rowCount);
      metrics.snapshots.inc(entry.rowCount);
      metrics.foldDelay.observe(Math.max(0, time.now() - entry.receivedUtcMs) / 1000);
    }
    this.#position = position;
    if (this.#fold.records > MANY_RECORDS) this.#checkpointer.hurry();
    else this.#checkpointer.plan();
    if (this.#hopes.length > 0) this.#fulfil();
  }

  #fulfil(): void {
    for (const hope of this.#hopes.splice(0)) {
      if (hope.position <= this.#position) hope.resolve();
      else this.#hopes.push(hope);
    }
  }

  /** Keeps an unreadable entry for an operator; nobody can tell which accounts it is for. */
  async #setAside(position: number, damage: unknown): Promise<void> {
    const { database, journal, logger } = this.#parts;
    const fields = { err: damage, partition: this.number, position };
    logger.error(fields, 'an entry of the journal cannot be read and is set aside');
    await this.#persistence.insist('setting an entry aside', async () => {
      const [commit] = await journal.read(position - 1);
      if (commit?.position !== position) return;
      const reason = damage instanceof Error ? damage.message : String(damage);
      await writeDamagedEntry(database, this.number, this.epoch, {
        position,
        reason,
        body: commit.body,
      });
    });
  }
}
