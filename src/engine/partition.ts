import type { LiveAccount } from '../domain/live/live-account.ts';
import type { TrackerRules } from '../domain/live/tracker-rule.ts';
import { type SeededTracker, startsInPast } from '../domain/live/tracker-seeding.ts';
import { type Database, DatabaseUnavailable } from '../storage/database.ts';
import { type FoundEvent, insertEvent, numberEvents } from '../storage/event-store.ts';
import { readJournalHead } from '../storage/journal-store.ts';
import { PartitionLost, type PartitionRow, releasePartition } from '../storage/partition-store.ts';
import { type Checkpoint, writeCheckpoint } from './checkpoint.ts';
import type { EngineMetrics } from './engine-metrics.ts';
import type { JournalEntry } from './journal-entry.ts';
import { type ClockViews, loadCells } from './load-cells.ts';
import {
  type EntryCells,
  PartitionState,
  type PendingRecords,
  pendingOf,
} from './partition-state.ts';
import { seedTracker } from './seed-tracker.ts';
import { ENTRIES_PER_READ, EntryAccounts, readEntries } from './read-entries.ts';

export type PartitionParts = {
  database: Database;
  now: () => number;
  rules: TrackerRules;
  clocks: ClockViews;
  metrics: EngineMetrics;
  logger: {
    warn(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
  /** Time from a checkpoint to the next while snapshots come in. */
  checkpointMs: number;
  /** How long folded journal entries are kept. */
  keepJournalMs: number;
  /** How many partitions there are. */
  partitions: number;
  /** Called when events are stored that did not get their numbers with it. */
  numbersWanted: () => void;
};

/**
 * An account as it stands in memory. Its closed hours in the database are the same for as long as
 * `hoursVersion` is, and nothing is pending.
 */
export type AccountView = { account: LiveAccount; hoursVersion: number } & PendingRecords;

/** Entries handed over in memory that may wait; behind more the journal is read instead. */
const MAX_HANDED = 64;
const RETRY_MS = 250;
const STALLED_RETRY_MS = 5000;
/** A checkpoint that took long is followed by a pause so many times longer for each partition. */
const PAUSE_FACTOR = 20;
const MAX_PAUSE_MS = 10_000;

/**
 * A partition that this process owns: folds its journal in order, stores events at once and the
 * rest at checkpoints. `lost` is called when another process turns out to own it.
 */
export class Partition {
  readonly number: number;
  readonly epoch: number;
  readonly state: PartitionState;
  readonly #parts: PartitionParts;
  readonly #lost: (partition: Partition) => void;
  readonly #accounts = new EntryAccounts();
  readonly #handed: { position: number; entry: JournalEntry | undefined }[] = [];
  /** The position of the last entry handed over, or folded when none waits. */
  #tail: number;
  /** The newest position heard of. */
  #heard: number;
  #stored: number;
  #isBehind = true;
  #ended = false;
  #stall: 'none' | 'retrying' | 'final' = 'none';
  #pump: Promise<void> | undefined;
  #publication: Promise<void> | undefined;
  #checkpoint: Promise<void> | undefined;
  #writing: Checkpoint | undefined;
  #timer: NodeJS.Timeout | undefined;
  #nextCheckpointMs = 0;

  constructor(row: PartitionRow, parts: PartitionParts, lost: (partition: Partition) => void) {
    this.number = row.partition;
    this.epoch = row.epoch;
    this.#parts = parts;
    this.#lost = lost;
    this.#tail = row.position;
    this.#heard = row.position;
    this.#stored = row.position;
    this.state = new PartitionState(row.partition, row.position, parts.rules, parts.clocks);
    this.#run();
  }

  /** Whether something other than an outage of the database keeps it from going on. */
  get isStalled(): boolean {
    return this.#stall !== 'none';
  }

  /** Takes an entry that has just been committed, or the news that the commit had none for it. */
  hand(position: number, entry: JournalEntry | undefined): void {
    if (this.#isOver || position <= this.#tail) return;
    this.#heard = Math.max(this.#heard, position);
    if (this.#isBehind || position !== this.#tail + 1 || this.#handed.length >= MAX_HANDED) {
      this.#isBehind = true;
    } else {
      this.#tail = position;
      this.#handed.push({ position, entry });
    }
    this.#run();
  }

  /** Looks whether the journal has entries that were not handed over. */
  catchUp(headPosition: number): void {
    if (this.#isOver || headPosition <= this.#tail) return;
    this.#heard = Math.max(this.#heard, headPosition);
    this.#isBehind = true;
    this.#run();
  }

  /**
   * The account in memory, with what is on its way to the database; undefined when it is not there:
   * then nothing of it has changed since the checkpoint.
   */
  viewOf(accountId: string, createdAtMs: number): AccountView | undefined {
    const cell = this.state.cells.get(accountId);
    if (cell?.createdAtMs !== createdAtMs || this.#stall === 'final') return undefined;
    const { hoursVersion } = cell;
    const pending = this.state.pendingOf(accountId);
    const writing = this.#writing;
    if (!writing) return { account: cell, hoursVersion, ...pending };
    const { buckets, corrections, periods } = writing;
    const earlier = pendingOf(accountId, buckets, corrections, periods);
    return {
      account: cell,
      hoursVersion,
      buckets: [...earlier.buckets, ...pending.buckets],
      corrections: [...earlier.corrections, ...pending.corrections],
      periods: [...earlier.periods, ...pending.periods],
    };
  }

  /** Waits until everything up to a position is folded and its events are stored. */
  async settle(): Promise<void> {
    while (this.#pump || this.#publication) {
      await this.#pump;
      await this.#publication;
    }
  }

  /** Folds what was handed over, writes a last checkpoint and lets go. */
  async stop(): Promise<void> {
    await this.settle();
    await this.writeCheckpoint();
    this.#end();
    await releasePartition(this.#parts.database, this.number, this.epoch);
  }

  /** Stops at once and writes nothing any more. */
  abandon(): void {
    this.#end();
  }

  #end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
  }

  /** Another's by now, or stalled for good. */
  get #isOver(): boolean {
    return this.#ended || this.#stall === 'final';
  }

  #run(): void {
    if (this.#pump || this.#isOver || this.#foldAtOnce()) return;
    this.#pump = this.#pumpAll().finally(() => {
      this.#pump = undefined;
      if (this.#isBehind || this.#handed.length > 0) this.#run();
    });
  }

  /** The usual case: entries in memory, of accounts in memory. */
  #foldAtOnce(): boolean {
    while (!this.#isBehind) {
      const next = this.#handed[0];
      if (!next) return true;
      const { position, entry } = next;
      const cells = entry ? this.state.cellsOf(entry) : [];
      if (entry?.command || cells.includes(undefined)) return false;
      this.#handed.shift();
      this.#fold(position, entry, cells);
      if (this.#isOver) return true;
    }
    return false;
  }

  async #pumpAll(): Promise<void> {
    while (!this.#isOver) {
      try {
        const next = this.#handed[0];
        if (next) {
          await this.#foldNext(next.position, next.entry);
          this.#handed.shift();
        } else if (this.#isBehind) await this.#readMore();
        else return;
        if (!this.#isOver) this.#stall = 'none';
      } catch (error) {
        if (this.#ended) return;
        await this.#waitAfter(error, 'folding has to wait');
      }
    }
  }

  async #readMore(): Promise<void> {
    const { database } = this.#parts;
    const head = await readJournalHead(database);
    const from = this.state.position;
    const read = await readEntries(database, this.number, from, head.position, this.#accounts);
    for (const { position, entry } of read) {
      if (this.#isOver) return;
      await this.#foldNext(position, entry);
    }
    if (read.length === ENTRIES_PER_READ || this.#isOver) return;
    this.state.position = Math.max(this.state.position, head.position);
    this.#tail = this.state.position;
    this.#isBehind = this.#heard > this.#tail;
  }

  async #foldNext(position: number, entry: JournalEntry | undefined): Promise<void> {
    if (!entry) {
      this.#fold(position, entry, []);
      return;
    }
    const known = this.state.cellsOf(entry);
    const missing = entry.accounts.filter(
      ({ id }, place) => !known[place] && !this.state.cells.has(id),
    );
    if (missing.length > 0) {
      const { database, clocks, rules } = this.#parts;
      const { recent, rows } = this.state;
      const parts = { clocks, rules, recent, rows };
      const cells = await loadCells(database, missing, this.#stored, parts);
      for (const cell of cells) this.state.cells.set(cell.id, cell);
    }
    const seeded = await this.#seed(position, entry);
    if (!this.#isOver) this.#fold(position, entry, this.state.cellsOf(entry), seeded);
  }

  /** The tracker that the entry adds, as of its position, if it starts in the past. */
  async #seed(
    position: number,
    { command, accounts }: JournalEntry,
  ): Promise<SeededTracker | undefined> {
    const [first] = accounts;
    const cell = first && this.state.cells.get(first.id);
    if (command?.kind !== 'tracker-added' || !cell) return undefined;
    const { definition } = command;
    if (!startsInPast(cell, definition)) return undefined;
    await this.writeCheckpoint();
    const { database, rules } = this.#parts;
    return seedTracker(database, this.number, position, cell, definition, rules);
  }

  #fold(
    position: number,
    entry: JournalEntry | undefined,
    cells: EntryCells,
    seeded?: SeededTracker,
  ): void {
    const { state } = this;
    const { metrics } = this.#parts;
    if (entry) {
      try {
        metrics.snapshots.inc(state.fold(entry, cells, position, seeded));
      } catch (error) {
        this.#giveUp(position, error);
        return;
      }
      metrics.foldDelay.observe(Math.max(0, this.#parts.now() - entry.receivedUtcMs) / 1000);
    } else state.position = position;
    this.#tail = Math.max(this.#tail, position);
    if (state.hasEvents) this.#publish();
    if (entry) this.#planCheckpoint();
  }

  /**
   * An entry that can't be folded leaves its accounts half changed. Nothing is folded or stored from
   * here on: the journal keeps the entry and all after it for a process that can fold them.
   */
  #giveUp(position: number, error: unknown): void {
    this.#stall = 'final';
    clearTimeout(this.#timer);
    this.#handed.length = 0;
    this.#isBehind = false;
    this.#parts.logger.error(
      { err: error, partition: this.number, position },
      'a journal entry can not be folded: its partition stands still until a restart',
    );
  }

  /** Stores events as soon as they are found; those found meanwhile go together. */
  #publish(): void {
    this.#publication ??= this.#publishAll().finally(() => {
      this.#publication = undefined;
      if (this.state.hasEvents && !this.#isOver) this.#publish();
    });
  }

  async #publishAll(): Promise<void> {
    while (this.state.hasEvents && !this.#isOver) {
      const events = this.state.takeEvents();
      await this.#insist('events can not be stored', () => this.#storeEvents(events));
      if (this.#ended) return;
    }
  }

  /**
   * Events follow from the journal alone, so whoever stores one stores the same: unlike a checkpoint
   * this needs no fence.
   */
  async #storeEvents(events: readonly FoundEvent[]): Promise<void> {
    const areNumbered = await this.#parts.database.transaction(async (tx) => {
      for (const event of events) await insertEvent(tx, event);
      return numberEvents(tx);
    });
    if (!areNumbered) this.#parts.numbersWanted();
  }

  #planCheckpoint(): void {
    if (this.#timer || this.#isOver) return;
    const waitMs = Math.max(this.#parts.checkpointMs, this.#nextCheckpointMs - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.writeCheckpoint();
    }, waitMs);
  }

  /** Stores everything folded so far. Resolves without, once the partition is another's. */
  async writeCheckpoint(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#checkpoint) await this.#checkpoint;
    while (this.#publication) await this.#publication;
    if (this.#isOver || this.state.position === this.#stored) return;
    this.#checkpoint = this.#storeState().finally(() => {
      this.#checkpoint = undefined;
    });
    await this.#checkpoint;
  }

  async #storeState(): Promise<void> {
    const { database, now, keepJournalMs, metrics } = this.#parts;
    const checkpoint = this.state.capture();
    this.#writing = checkpoint;
    const keepFromMs = now() - keepJournalMs + 1;
    const startMs = performance.now();
    const stop = metrics.checkpointSeconds.startTimer();
    await this.#insist('a checkpoint can not be written', () =>
      database.transaction((tx) =>
        writeCheckpoint(tx, this.number, this.epoch, checkpoint, keepFromMs),
      ),
    );
    this.#writing = undefined;
    for (const account of checkpoint.accounts) account.release();
    stop();
    if (this.#ended) return;
    this.#stored = checkpoint.position;
    const endMs = performance.now();
    const pauseMs = (endMs - startMs) * PAUSE_FACTOR * this.#parts.partitions;
    this.#nextCheckpointMs = endMs + Math.min(pauseMs, MAX_PAUSE_MS);
  }

  /** Tries again until it works, or the partition is another's. */
  async #insist(failing: string, work: () => Promise<void>): Promise<void> {
    while (!this.#ended) {
      try {
        await work();
        if (this.#stall === 'retrying') this.#stall = 'none';
        return;
      } catch (error) {
        if (error instanceof PartitionLost) {
          this.#end();
          this.#lost(this);
          return;
        }
        await this.#waitAfter(error, failing);
      }
    }
  }

  /** What is no outage will hardly pass by itself: it shows as a stall, and is tried less often. */
  async #waitAfter(error: unknown, failing: string): Promise<void> {
    const isOutage = error instanceof DatabaseUnavailable;
    const { logger } = this.#parts;
    if (!isOutage) this.#stall = 'retrying';
    logger[isOutage ? 'warn' : 'error']({ err: error, partition: this.number }, failing);
    const waitMs = isOutage ? RETRY_MS : STALLED_RETRY_MS;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}
