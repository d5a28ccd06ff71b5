import { nextTurn } from '../domain/loop-turns.ts';
import type { Timekeeper } from '../domain/timekeeper.ts';
import type { Database } from '../storage/database.ts';
import { advancePartition } from '../storage/journal-store.ts';
import { noteFolded } from '../storage/removed-account-store.ts';
import type { Backlog } from './backlog.ts';
import { SliceEncoder } from './encode-slice.ts';
import type { EngineMetrics } from './engine-metrics.ts';
import type { EventPublisher } from './event-publisher.ts';
import type { Persistence } from './persistence.ts';
import type { Quarantine } from './quarantine.ts';
import type { RecentSnapshots } from './recent-snapshots.ts';
import { dropRecords, firstRecords, recordsIn, type TrackedAccount } from './tracked-account.ts';
import { writeMinutesAhead, writeParked, writeRecordsAhead, writeSlice } from './write-slice.ts';

/** The most that one transaction stores, so that others wait for it a few milliseconds at most. */
const ACCOUNTS_PER_SLICE = 250;
const RECORDS_PER_SLICE = 500;
/**
 * The pause after a pass is this factor times the pass, times the partitions: so all together spend
 * a twentieth of the time on passes, unless MAX_PAUSE_MS shortens pauses.
 */
const PAUSE_FACTOR = 20;
const MAX_PAUSE_MS = 10_000;

export type CheckpointerParts = {
  database: Database;
  time: Timekeeper;
  partition: number;
  epoch: number;
  persistence: Persistence;
  publisher: EventPublisher;
  recent: RecentSnapshots;
  metrics: EngineMetrics;
  checkpointMs: number;
  partitions: number;
  backlog: Backlog;
};

/**
 * Stores the changed accounts of a partition, pass after pass: a few at a time, each in its current
 * state, with its position in the journal. So folding never has to stop, and transactions stay
 * short: a new owner loads each account as of its own position and continues from there. Once
 * everything that had changed when the pass began is stored, the partition's position moves up to
 * the position folded then.
 */
export class Checkpointer {
  readonly #parts: CheckpointerParts;
  readonly #encoder: SliceEncoder;
  #passing: Promise<void> | undefined;
  /** Resolves when the current slice is stored. */
  #progress = Promise.withResolvers<void>();
  #cancelTimer: (() => void) | undefined;
  #nextMs = 0;

  constructor(parts: CheckpointerParts) {
    this.#parts = parts;
    this.#encoder = new SliceEncoder(parts.recent);
  }

  /** Resolves when everything encoded before the call has been written, or has failed. */
  async settle(): Promise<void> {
    await this.#passing?.catch(() => {});
  }

  /** Schedules a pass, unless one is scheduled or running. */
  plan(): void {
    const { time, persistence, checkpointMs } = this.#parts;
    if (this.#cancelTimer || this.#passing || persistence.isOver) return;
    const waitMs = Math.max(checkpointMs, this.#nextMs - time.elapsed());
    this.#cancelTimer = time.after(waitMs, () => {
      this.#cancelTimer = undefined;
      this.pass().catch(() => {});
    });
  }

  /** Begins a pass at once, unless one is running. */
  startPass(): void {
    if (!this.#passing && !this.#parts.persistence.isOver) this.pass().catch(() => {});
  }

  /** Resolves when another slice is stored. Throws PartitionOver. */
  async progress(): Promise<void> {
    if (this.#passing) await this.#progress.promise;
    else await this.pass();
  }

  stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  /** Stores everything folded so far. Throws PartitionOver. */
  async pass(): Promise<void> {
    this.stop();
    while (this.#passing) await this.#passing;
    this.#passing = this.#pass().finally(() => {
      this.#passing = undefined;
      this.#proceed(0);
      if (!this.#parts.backlog.isEmpty) this.plan();
    });
    await this.#passing;
  }

  async #pass(): Promise<void> {
    // Partitions begin together when an hour ends: each in its own turn of the event loop.
    await nextTurn();
    const { time, metrics, partitions, backlog } = this.#parts;
    const startMs = time.elapsed();
    const asOfMs = time.now();
    const stop = metrics.checkpointSeconds.startTimer();
    const upTo = backlog.floor;
    const { accounts, parked, removed } = backlog.take();
    while (accounts.length > 0) await this.#storeSome(accounts);
    for (const quarantine of parked) await this.#storeParked(quarantine);
    await this.#noteRemoved(removed);
    // An account that broke since is stored in its earlier state: later entries must be read again.
    await this.#advance(Math.min(upTo, backlog.floor));
    stop();
    backlog.storedAtMs = asOfMs;
    const endMs = time.elapsed();
    const pauseMs = (endMs - startMs) * PAUSE_FACTOR * partitions;
    this.#nextMs = endMs + Math.min(pauseMs, MAX_PAUSE_MS);
  }

  /** Takes the first slice of accounts out of `due` and stores it. */
  async #storeSome(due: TrackedAccount[]): Promise<void> {
    const { persistence, publisher, database, partition, epoch, backlog } = this.#parts;
    const { minutes } = backlog;
    await nextTurn();
    const [first] = due;
    if (first) await this.#storeAhead(first);
    while (minutes.size > ACCOUNTS_PER_SLICE) {
      const some = minutes.take(ACCOUNTS_PER_SLICE);
      await persistence.retry('storing minutes', () =>
        writeMinutesAhead(database, partition, epoch, some),
      );
      this.#proceed(0);
    }
    const taken = takeSlice(due);
    // Never fails in theory; if it does, the position must not move past unstored accounts.
    const [accounts, slice] = await persistence.retry('encoding accounts', async () => {
      const storable = taken.filter((account) => this.#isStorable(account));
      const slice = this.#encoder.encode(storable, backlog);
      // All that these states are folded beyond, with those of other accounts.
      slice.minutes = minutes.take();
      return [storable, slice] as const;
    });
    if (accounts.length + slice.minutes.length === 0) return;
    // Events first: an owner that loads this state would not find them again.
    await publisher.settle();
    await persistence.retry('storing accounts', () =>
      writeSlice(database, partition, epoch, slice),
    );
    accounts.forEach((account, index) => {
      account.writing = undefined;
      account.storedPosition = slice.accounts[index]?.position ?? account.storedPosition;
      backlog.released.delete(account);
    });
    this.#proceed(slice.hours.length + slice.corrections.length + slice.periods.length);
  }

  /** Notes that records were stored. */
  #proceed(records: number): void {
    this.#parts.backlog.records -= records;
    const { resolve } = this.#progress;
    this.#progress = Promise.withResolvers();
    resolve();
  }

  /**
   * False for an account that was freed meanwhile, and for one that has left its quarantine while
   * entries still wait: only the quarantine's rows hold those. Folding them marks it again.
   */
  #isStorable(account: TrackedAccount): boolean {
    const isWaiting = account.hold !== undefined && this.#parts.backlog.released.has(account);
    if (isWaiting) account.isDirty = false;
    return !account.isGone && !isWaiting;
  }

  /** While an account has more records than fit into a slice, stores some before its state. */
  async #storeAhead(account: TrackedAccount): Promise<void> {
    const { persistence, database, partition, epoch } = this.#parts;
    const { pending } = account;
    while (pending && !account.isGone && recordsIn(pending) > RECORDS_PER_SLICE) {
      const some = firstRecords(pending, RECORDS_PER_SLICE);
      if (some.hours.length + some.corrections.length > 0) account.hoursHaveChanged();
      await persistence.retry('storing records', () =>
        writeRecordsAhead(database, partition, epoch, account.number, some),
      );
      const dropped = dropRecords(pending, some);
      this.#proceed(account.isGone ? 0 : dropped);
    }
  }

  async #storeParked(quarantine: Quarantine): Promise<void> {
    const { persistence, database, partition, epoch, backlog } = this.#parts;
    const parked = quarantine.toStore();
    if (!parked) return;
    backlog.parked.delete(quarantine);
    await persistence.retry('storing a quarantine', () =>
      writeParked(database, partition, epoch, parked),
    );
    quarantine.hasStored(parked);
  }

  async #noteRemoved(removed: readonly number[]): Promise<void> {
    if (removed.length === 0) return;
    const { persistence, database, partition, epoch } = this.#parts;
    await persistence.retry('noting removed accounts', () =>
      noteFolded(database, partition, epoch, removed),
    );
  }

  async #advance(position: number): Promise<void> {
    const { persistence, database, partition, epoch, backlog } = this.#parts;
    if (position <= backlog.stored) return;
    await persistence.retry('moving a partition on', () =>
      advancePartition(database, partition, epoch, position),
    );
    backlog.stored = position;
  }
}

/** Takes out as many accounts as fit into one slice, and at least one. */
function takeSlice(due: TrackedAccount[]): TrackedAccount[] {
  let records = 0;
  let count = 0;
  for (const account of due) {
    if (!account.isGone) records += recordsIn(account.pending);
    if (count > 0 && (count >= ACCOUNTS_PER_SLICE || records > RECORDS_PER_SLICE)) break;
    count += 1;
  }
  return due.splice(0, count);
}
