import { encodeLiveAccount } from '../domain/live/live-account-codec.ts';
import { known } from '../domain/live/number-rows.ts';
import { standingFigures } from '../domain/live/standing-figures.ts';
import { nextTurn } from '../domain/loop-turns.ts';
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

/** The most that one transaction stores, so that others wait for it a few milliseconds at most. */
const ACCOUNTS_PER_SLICE = 250;
const RECORDS_PER_SLICE = 500;
/** Accounts whose records are counted in one turn of the event loop: their memory is cold. */
const COUNTED_AT_ONCE = 1000;
/**
 * The pause after a pass is this many times as long as the pass, times the partitions: so all of
 * them together spend a twentieth of the time on passes, unless MAX_PAUSE_MS cuts pauses short.
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
  /** The position up to which entries are folded now. */
  folded: () => number;
  /** A successor must read again what comes after this position; undefined if there is nothing. */
  floor: () => number | undefined;
  /** Records that folding has left and that are not stored, by its own count. */
  unstored: () => number;
  /** Called when a pass begins, with what is missing in that count: it grows inexact over time. */
  recounted: (difference: number) => void;
  /** Called with the number of records just stored. */
  wrote: (records: number) => void;
};

/**
 * Stores the changed accounts of a partition, pass after pass: a few at a time, each as it stands
 * then, with its position in the journal. So folding never has to stop, and transactions stay
 * short: a new owner loads each account as of its own position and continues from there. Once
 * everything that had changed when the pass began is stored, the partition's position moves up to
 * what was folded then.
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
  /** Resolves when the slice that is being stored is stored. */
  #progress = Promise.withResolvers<void>();
  #cancelTimer: (() => void) | undefined;
  #nextMs = 0;
  #storedAtMs: number | undefined;

  constructor(parts: CheckpointerParts, position: number) {
    this.#parts = parts;
    this.#stored = position;
  }

  /** The position up to which entries are folded and stored. */
  get stored(): number {
    return this.#stored;
  }

  /** When the last complete pass began, in UTC: what was folded by then is stored. */
  get storedAtMs(): number | undefined {
    return this.#storedAtMs;
  }

  /** Marks an account as changed. */
  mark(account: TrackedAccount): void {
    if (account.isDirty) return;
    account.isDirty = true;
    this.#changed.push(account);
  }

  markParked(quarantine: Quarantine): void {
    this.#parked.add(quarantine);
  }

  /** Marks an account that has left its quarantine. */
  markReleased(account: TrackedAccount, quarantine: Quarantine): void {
    this.#parked.delete(quarantine);
    this.#released.add(account);
    this.mark(account);
  }

  /** Marks an account as removed: nothing more of it will be stored. */
  markRemoved(accountNumber: number, quarantine: Quarantine | undefined): void {
    if (quarantine) this.#parked.delete(quarantine);
    this.#removed.push(accountNumber);
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
  hurry(): void {
    if (!this.#passing && !this.#parts.persistence.isOver) this.pass().catch(() => {});
  }

  /** Resolves when another slice is stored. Throws PartitionOver. */
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
    // Partitions begin together when an hour ends: each in a turn of the event loop of its own.
    await nextTurn();
    const { time, metrics, partitions, folded, floor } = this.#parts;
    const startMs = time.elapsed();
    const asOfMs = time.now();
    const stop = metrics.checkpointSeconds.startTimer();
    const upTo = Math.min(folded(), floor() ?? Number.POSITIVE_INFINITY);
    const removed = this.#removed.splice(0);
    const parked = [...this.#parked];
    const due = this.#changed;
    this.#changed = [];
    await this.#recount(due);
    while (due.length > 0) await this.#storeSome(due);
    for (const quarantine of parked) await this.#storeParked(quarantine);
    await this.#noteRemoved(removed);
    // An account that broke meanwhile is stored as of before: the entries since must be read again.
    await this.#advance(Math.min(upTo, floor() ?? upTo));
    stop();
    this.#storedAtMs = asOfMs;
    const endMs = time.elapsed();
    const pauseMs = (endMs - startMs) * PAUSE_FACTOR * partitions;
    this.#nextMs = endMs + Math.min(pauseMs, MAX_PAUSE_MS);
  }

  /** Records that are folded meanwhile may count twice, until the next pass. */
  async #recount(due: readonly TrackedAccount[]): Promise<void> {
    const { unstored, recounted } = this.#parts;
    const before = unstored();
    let records = 0;
    for (const [place, { pending }] of due.entries()) {
      if (place > 0 && place % COUNTED_AT_ONCE === 0) await nextTurn();
      records += recordsIn(pending);
    }
    recounted(records - before);
  }

  /** Takes the first slice of accounts out of `due` and stores it. */
  async #storeSome(due: TrackedAccount[]): Promise<void> {
    const { persistence, publisher, database, partition, epoch } = this.#parts;
    await nextTurn();
    const [first] = due;
    if (first) await this.#storeAhead(first);
    const taken = this.#takeSlice(due);
    // Should never fail; if it does, the position must not move past accounts that are not stored.
    const [accounts, slice] = await persistence.insist('encoding accounts', async () => {
      const storable = taken.filter((account) => this.#isStorable(account));
      return [storable, this.#encode(storable)] as const;
    });
    if (accounts.length === 0) return;
    // Events first: an owner that loads this state would not find them again.
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

  /** Takes out as many accounts as fit into one slice, and at least one. */
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
   * False for an account that was freed meanwhile, and for one that has left its quarantine while
   * entries still wait: only the quarantine's rows hold those. Folding them marks it again.
   */
  #isStorable(account: TrackedAccount): boolean {
    const isWaiting = account.hold !== undefined && this.#released.has(account);
    if (isWaiting) account.isDirty = false;
    return !account.isGone && !isWaiting;
  }

  /** While an account has more records than a slice takes, stores some of them before its state. */
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
   * The accounts as they stand; their bytes are valid until the next slice is encoded. All are
   * encoded before any is changed.
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
    const { lastUtcMs, settleDueUtcMs, brokerClock: clock } = account;
    return {
      lastUtcMs: known(lastUtcMs),
      settleDueUtcMs: known(settleDueUtcMs),
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

/** Adds the snapshots recorded after breaches, and drops the watches that are complete. */
function takeWatches(slice: Slice, account: TrackedAccount): void {
  if (!account.watches) return;
  for (const watch of account.watches) {
    if (!watch.isDirty) continue;
    watch.isDirty = false;
    const { isDirty, after, ...event } = watch;
    slice.watched.push({
      ...{ accountNumber: account.number, ...event },
      after: bytesOfNumbers(Float64Array.from(after)),
      isOpen: !isComplete(watch),
    });
  }
  const open = account.watches.filter((watch) => !isComplete(watch));
  account.watches = open.length > 0 ? open : undefined;
}
