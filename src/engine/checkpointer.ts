import { encodeLiveAccount } from '../domain/live/live-account-codec.ts';
import { standingFigures } from '../domain/live/standing-figures.ts';
import type { Timekeeper } from '../domain/timekeeper.ts';
import type { Database } from '../storage/database.ts';
import { advancePartition } from '../storage/journal-store.ts';
import { noteFolded } from '../storage/removed-account-store.ts';
import { Arena } from './arena.ts';
import type { EngineMetrics } from './engine-metrics.ts';
import type { EventPublisher } from './event-publisher.ts';
import type { Persistence } from './persistence.ts';
import type { Quarantine } from './quarantine.ts';
import { bytesOfNumbers, type RecentSnapshots } from './recent-snapshots.ts';
import {
  dropRecords,
  firstRecords,
  isComplete,
  type PendingRecords,
  recordsIn,
  type TrackedAccount,
} from './tracked-account.ts';
import { type Slice, writeParked, writeRecordsAhead, writeSlice } from './write-slice.ts';

/** So much is stored in one transaction: others wait for it no longer than some milliseconds. */
const ACCOUNTS_PER_SLICE = 250;
const RECORDS_PER_SLICE = 500;
/** A pass that took long is followed by a pause so many times longer, shared by all partitions. */
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
  /** Entries up to here are folded now. */
  folded: () => number;
  /** What a successor must read again begins after this position; undefined without any such. */
  floor: () => number | undefined;
  /** A pass begins, with so many records to store. */
  begins: (records: number) => void;
  /** So many records are stored. */
  wrote: (records: number) => void;
};

/**
 * Stores the accounts of a partition that have changed, again and again: some at a time, each as it
 * stands at that moment and with the position that it stands at. So nothing has to be held still,
 * and no transaction is long: whoever takes over loads an account as of its own position and goes
 * on from there. When all that had changed at the beginning of a pass are stored, the partition's
 * position moves up to what was folded then.
 */
export class Checkpointer {
  readonly #parts: CheckpointerParts;
  readonly #arena = new Arena();
  #changed: TrackedAccount[] = [];
  readonly #parked = new Set<Quarantine>();
  readonly #removed: number[] = [];
  readonly #released = new WeakSet<TrackedAccount>();
  #stored: number;
  #passing: Promise<void> | undefined;
  /** Of the slice that is being stored. */
  #progress = Promise.withResolvers<void>();
  #cancelTimer: (() => void) | undefined;
  #nextMs = 0;
  #storedAtMs: number | undefined;

  constructor(parts: CheckpointerParts, position: number) {
    this.#parts = parts;
    this.#stored = position;
  }

  /** Entries up to here are folded and stored. */
  get stored(): number {
    return this.#stored;
  }

  /** When all that was folded by then had been stored last, by the machine's clock. */
  get storedAtMs(): number | undefined {
    return this.#storedAtMs;
  }

  /** An account has changed. */
  mark(account: TrackedAccount): void {
    if (account.isDirty) return;
    account.isDirty = true;
    this.#changed.push(account);
  }

  markParked(quarantine: Quarantine): void {
    this.#parked.add(quarantine);
  }

  /** An account is in no quarantine any more. */
  markReleased(account: TrackedAccount, quarantine: Quarantine): void {
    this.#parked.delete(quarantine);
    this.#released.add(account);
    this.mark(account);
  }

  /** An account was removed: nothing of it is stored any more. */
  markRemoved(accountNumber: number, quarantine: Quarantine | undefined): void {
    if (quarantine) this.#parked.delete(quarantine);
    this.#removed.push(accountNumber);
  }

  /** Resolves when nothing is on its way that was encoded before the call. */
  async settle(): Promise<void> {
    await this.#passing?.catch(() => {});
  }

  /** Sees to it that a pass comes. */
  plan(): void {
    const { time, persistence, checkpointMs } = this.#parts;
    if (this.#cancelTimer || this.#passing || persistence.isOver) return;
    const waitMs = Math.max(checkpointMs, this.#nextMs - time.elapsed());
    this.#cancelTimer = time.after(waitMs, () => {
      this.#cancelTimer = undefined;
      this.pass().catch(() => {});
    });
  }

  /** Begins a pass, unless one runs. */
  hurry(): void {
    if (!this.#passing && !this.#parts.persistence.isOver) this.pass().catch(() => {});
  }

  /** Resolves when some more is stored. Throws PartitionOver. */
  async progress(): Promise<void> {
    if (this.#passing) await this.#progress.promise;
    else await this.pass();
  }

  #goOn(records: number): void {
    this.#parts.wrote(records);
    const { resolve } = this.#progress;
    this.#progress = Promise.withResolvers();
    resolve();
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
      this.#goOn(0);
      if (this.#changed.length > 0 || this.#parts.folded() > this.#stored) this.plan();
    });
    await this.#passing;
  }

  async #pass(): Promise<void> {
    const { time, metrics, partitions, folded, floor, begins } = this.#parts;
    const startMs = time.elapsed();
    const asOfMs = time.now();
    const stop = metrics.checkpointSeconds.startTimer();
    const upTo = Math.min(folded(), floor() ?? Number.POSITIVE_INFINITY);
    const removed = this.#removed.splice(0);
    const parked = [...this.#parked];
    const due = this.#changed;
    this.#changed = [];
    begins(due.reduce((sum, { pending }) => sum + recordsIn(pending), 0));
    while (due.length > 0) await this.#storeSome(due);
    for (const quarantine of parked) await this.#storeParked(quarantine);
    await this.#noteRemoved(removed);
    // One that broke meanwhile is stored as of before: what follows must be read again.
    await this.#advance(Math.min(upTo, floor() ?? upTo));
    stop();
    this.#storedAtMs = asOfMs;
    const endMs = time.elapsed();
    const pauseMs = (endMs - startMs) * PAUSE_FACTOR * partitions;
    this.#nextMs = endMs + Math.min(pauseMs, MAX_PAUSE_MS);
  }

  /** Stores the first of the accounts that are due, and takes them out. */
  async #storeSome(due: TrackedAccount[]): Promise<void> {
    const { persistence, publisher, database, partition, epoch } = this.#parts;
    const [first] = due;
    if (first) await this.#storeAhead(first);
    const taken = this.#takeSlice(due);
    // It cannot fail; if it does, the position must not move past accounts that are not stored.
    const [accounts, slice] = await persistence.insist('encoding accounts', async () => {
      const storable = taken.filter((account) => this.#isStorable(account));
      return [storable, this.#encode(storable)] as const;
    });
    if (accounts.length === 0) return;
    // Whoever loads the state must not find these events again.
    await publisher.settle();
    await persistence.insist('storing accounts', () =>
      writeSlice(database, partition, epoch, slice),
    );
    accounts.forEach((account, index) => {
      account.writing = undefined;
      account.storedPosition = slice.accounts[index]?.position ?? account.storedPosition;
    });
    for (const account of accounts) this.#released.delete(account);
    this.#goOn(slice.hours.length + slice.corrections.length + slice.periods.length);
  }

  /** Takes out accounts that fit together. */
  #takeSlice(due: TrackedAccount[]): TrackedAccount[] {
    let records = 0;
    let count = 0;
    for (const account of due) {
      if (!account.isGone) records += recordsIn(account.pending);
      if (count > 0 && (count >= ACCOUNTS_PER_SLICE || records > RECORDS_PER_SLICE)) break;
      count += 1;
    }
    return due.splice(0, count);
  }

  /**
   * Not one that was removed meanwhile, nor one whose quarantine has ended while entries of it still
   * wait: only the quarantine's rows have those. It is marked again when they are folded.
   */
  #isStorable(account: TrackedAccount): boolean {
    const isWaiting = account.hold !== undefined && this.#released.has(account);
    if (isWaiting) account.isDirty = false;
    return !account.isGone && !isWaiting;
  }

  /** An account may have more records than a slice takes. None of them must wait for its state. */
  async #storeAhead(account: TrackedAccount): Promise<void> {
    const { persistence, database, partition, epoch } = this.#parts;
    const { pending } = account;
    while (pending && !account.isGone && recordsIn(pending) > RECORDS_PER_SLICE) {
      const some = firstRecords(pending, RECORDS_PER_SLICE);
      if (some.hours.length + some.corrections.length > 0) account.hoursHaveChanged();
      await persistence.insist('storing records', () =>
        writeRecordsAhead(database, partition, epoch, account.number, some),
      );
      dropRecords(pending, some);
      this.#goOn(RECORDS_PER_SLICE);
    }
  }

  /**
   * The accounts as they stand; their bytes are good until the next slice is encoded. All are encoded
   * before any is changed.
   */
  #encode(accounts: readonly TrackedAccount[]): Slice {
    const position = this.#parts.folded();
    const slice: Slice = {
      ...{ accounts: [], hours: [], corrections: [], periods: [], watched: [] },
      ...{ removedTrackers: [], released: [] },
    };
    this.#arena.reuse();
    const encoded = accounts.map((account) => ({ account, state: this.#stateOf(account) }));
    for (const { account, state } of encoded) {
      const { number: accountNumber, pending } = account;
      account.isDirty = false;
      account.pending = undefined;
      account.writing = pending;
      const hasHours = pending !== undefined && pending.hours.size + pending.corrections.length > 0;
      if (hasHours) account.hoursHaveChanged();
      slice.accounts.push({
        accountNumber,
        position: account.hold ? account.hold.position - 1 : position,
        hoursVersion: hasHours ? 1 : 0,
        park: undefined,
        ...state,
      });
      if (pending) addRecords(slice, accountNumber, pending);
      takeWatches(slice, account);
      if (this.#released.has(account)) slice.released.push(accountNumber);
    }
    return slice;
  }

  #stateOf(account: TrackedAccount) {
    const { lastUtcMs, brokerClock: clock } = account;
    return {
      lastUtcMs: Number.isNaN(lastUtcMs) ? undefined : lastUtcMs,
      ...standingFigures(account),
      clock,
      state: encodeLiveAccount(account, this.#arena.take),
      recent: this.#parts.recent.encode(account, this.#arena.take),
    };
  }

  async #storeParked(quarantine: Quarantine): Promise<void> {
    const { persistence, database, partition, epoch } = this.#parts;
    const parked = quarantine.toStore();
    if (!parked) return;
    this.#parked.delete(quarantine);
    await persistence.insist('storing a quarantine', () =>
      writeParked(database, partition, epoch, parked),
    );
    quarantine.hasStored(parked);
  }

  async #noteRemoved(removed: readonly number[]): Promise<void> {
    if (removed.length === 0) return;
    const { persistence, database, partition, epoch } = this.#parts;
    await persistence.insist('noting removed accounts', () =>
      noteFolded(database, partition, epoch, removed),
    );
  }

  async #advance(position: number): Promise<void> {
    if (position <= this.#stored) return;
    const { persistence, database, partition, epoch } = this.#parts;
    await persistence.insist('moving a partition on', () =>
      advancePartition(database, partition, epoch, position),
    );
    this.#stored = position;
  }
}

function addRecords(slice: Slice, accountNumber: number, pending: PendingRecords): void {
  const { hours, corrections, periods } = firstRecords(pending, Number.POSITIVE_INFINITY);
  for (const hour of hours) slice.hours.push({ ...hour, accountNumber });
  for (const correction of corrections) slice.corrections.push({ ...correction, accountNumber });
  for (const period of periods) slice.periods.push({ accountNumber, period });
  for (const trackerId of pending.removedTrackers) {
    slice.removedTrackers.push({ accountNumber, trackerId });
  }
}

/** Snapshots that came after breaches; those of which all are there are not waited for any more. */
function takeWatches(slice: Slice, account: TrackedAccount): void {
  if (!account.watches) return;
  for (const watch of account.watches) {
    if (!watch.isDirty) continue;
    watch.isDirty = false;
    slice.watched.push({
      accountNumber: account.number,
      trackerId: watch.trackerId,
      startTimeMs: watch.startTimeMs,
      after: bytesOfNumbers(Float64Array.from(watch.after)),
      isOpen: !isComplete(watch),
    });
  }
  const open = account.watches.filter((watch) => !isComplete(watch));
  account.watches = open.length > 0 ? open : undefined;
}
