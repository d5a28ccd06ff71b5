import type { BrokerClock } from '../domain/broker-time.ts';
import { foldDeals } from '../domain/live/fold-deals.ts';
import { foldSnapshot } from '../domain/live/fold-snapshot.ts';
import { LiveRows } from '../domain/live/live-account.ts';
import { FoldEffects, type LiveDeal, type PeriodStatistics } from '../domain/live/live-records.ts';
import type { LiveTracker } from '../domain/live/live-tracker.ts';
import { addTracker, attachTracker } from '../domain/live/tracker-changes.ts';
import type { TrackerRules } from '../domain/live/tracker-rule.ts';
import type { SeededTracker } from '../domain/live/tracker-seeding.ts';
import type { FoundEvent } from '../storage/event-store.ts';
import { ByteBlocks } from './byte-blocks.ts';
import { CapturedAccount } from './captured-account.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { EntryAccount } from './entry-account.ts';
import {
  type Command,
  type EntryDeal,
  type JournalEntry,
  liveDealOf,
  WITHOUT_SNAPSHOT,
} from './journal-entry.ts';
import { bytesOfNumbers, type LiveCell, RecentSnapshots, SNAPSHOTS_AFTER } from './live-cell.ts';
import type { ClockViews } from './load-cells.ts';

const NO_DEALS: readonly LiveDeal[] = [];

/** A block of accounts takes 150 KB, one of trackers 190. */
const ROWS_PER_BLOCK = 1024;

export type EntryCells = readonly (LiveCell | undefined)[];

/** The accounts of a partition in memory, and what folding them left to be stored. */
export class PartitionState {
  readonly cells = new Map<string, LiveCell>();
  readonly recent = new RecentSnapshots();
  readonly rows = new LiveRows(ROWS_PER_BLOCK);
  /** Events found and not yet handed on by takeEvents. */
  readonly #events: FoundEvent[] = [];
  readonly #partition: number;
  readonly #rules: TrackerRules;
  readonly #clocks: ClockViews;
  readonly #effects = new FoldEffects();
  readonly #passing = new ByteBlocks();
  #dirty: LiveCell[] = [];
  #removedAccounts: string[] = [];
  #removedTrackers: string[] = [];
  #ordinal = 0;
  /** Entries up to here are folded. */
  position: number;

  constructor(partition: number, position: number, rules: TrackerRules, clocks: ClockViews) {
    this.#partition = partition;
    this.position = position;
    this.#rules = rules;
    this.#clocks = clocks;
  }

  get hasEvents(): boolean {
    return this.#events.length > 0;
  }

  takeEvents(): FoundEvent[] {
    return this.#events.splice(0);
  }

  /** The entry's accounts in memory; undefined for one that is not there, or is another by now. */
  cellsOf(entry: JournalEntry): EntryCells {
    return entry.accounts.map((account) => this.#cellOf(account));
  }

  #cellOf(account: EntryAccount): LiveCell | undefined {
    if (account.cell?.home === this) return account.cell;
    const cell = this.cells.get(account.id);
    if (cell?.createdAtMs !== account.createdAtMs) return undefined;
    cell.home = this;
    account.cell = cell;
    return cell;
  }

  /** Folds the next entry with its accounts, or those that still exist; the number of snapshots. */
  fold(entry: JournalEntry, cells: EntryCells, position: number, seeded?: SeededTracker): number {
    this.position = position;
    this.#ordinal = 0;
    let deal = this.#foldLoneDeals(entry, cells);
    const { deals, timeMs, balance, equity, account, receivedUtcMs, rowCount } = entry;
    const events = this.#effects.events;
    for (let row = 0; row < rowCount; row += 1) {
      const cell = cells[account[row] ?? 0];
      let own = NO_DEALS;
      if (deals[deal]?.[1] === row) {
        const first = deal;
        while (deals[deal]?.[1] === row) deal += 1;
        own = deals.slice(first, deal).map(liveDealOf);
      }
      if (!cell) continue;
      const atMs = timeMs[row] ?? 0;
      const held = balance[row] ?? 0;
      const worth = equity[row] ?? 0;
      const known = events.length;
      cell.captured?.keep();
      const outcome = foldSnapshot(cell, atMs, held, worth, own, receivedUtcMs, this.#effects);
      const isNews = outcome === 'accepted' || outcome === 'late';
      if (!isNews && own.length === 0) continue;
      if (!cell.isDirty) this.#mark(cell);
      if (!isNews) continue;
      if (cell.watches) addToWatches(cell, atMs, held, worth);
      this.recent.add(cell, atMs, held, worth);
      if (events.length > known) this.#keepEvents(cell, known);
    }
    if (entry.command && cells[0]) this.#obey(cells[0], entry.command, seeded);
    return rowCount;
  }

  #foldLoneDeals(entry: JournalEntry, cells: EntryCells): number {
    const { deals, receivedUtcMs } = entry;
    const byCell = new Map<LiveCell, LiveDeal[]>();
    let next = 0;
    for (; deals[next]?.[1] === WITHOUT_SNAPSHOT; next += 1) {
      const deal = deals[next] as EntryDeal;
      const cell = cells[deal[0]];
      if (!cell) continue;
      const own = byCell.get(cell);
      if (own) own.push(liveDealOf(deal));
      else byCell.set(cell, [liveDealOf(deal)]);
    }
    for (const [cell, own] of byCell) {
      cell.captured?.keep();
      foldDeals(cell, own, receivedUtcMs, this.#effects);
      if (!cell.isDirty) this.#mark(cell);
    }
    return next;
  }

  #obey(cell: LiveCell, command: Command, seeded: SeededTracker | undefined): void {
    cell.captured?.keep();
    this.#mark(cell);
    switch (command.kind) {
      case 'tracker-added': {
        const { definition } = command;
        if (cell.trackers.some(({ id }) => id === definition.id)) return;
        const known = this.#effects.events.length;
        if (seeded) {
          attachTracker(cell, seeded.tracker);
          this.#effects.completedPeriods.push(...seeded.completedPeriods);
          this.#effects.events.push(...seeded.events);
        } else addTracker(cell, definition, this.#rules);
        this.#keepEvents(cell, known);
        return;
      }
      case 'tracker-removed':
        this.#giveBack(cell.detach(command.trackerId));
        this.#removedTrackers.push(command.trackerId);
        return;
      case 'clock-changed':
        this.#changeClock(cell, command.clock);
        return;
      case 'account-removed':
        this.#forget(cell);
    }
  }

  /** Running hours and periods keep their bounds; what begins after them follows the new clock. */
  #changeClock(cell: LiveCell, clock: BrokerClock): void {
    cell.clock = this.#clocks.viewOf(clock);
    cell.forgetQuietBand();
    cell.brokerClock = clock;
  }

  #forget(cell: LiveCell): void {
    const { id } = cell;
    this.cells.delete(id);
    cell.home = undefined;
    this.recent.freeSlot(cell.slot);
    for (const tracker of cell.trackers) this.#giveBack(tracker);
    setImmediate(() => this.rows.accounts.giveBack(cell));
    this.#dirty = this.#dirty.filter((other) => other !== cell);
    this.#removedAccounts.push(id);
    const isOther = ({ accountId }: { accountId: string }): boolean => accountId !== id;
    const { closedBuckets, lateBucketCorrections, completedPeriods } = this.#effects;
    keepOnly(closedBuckets, isOther);
    keepOnly(lateBucketCorrections, isOther);
    keepOnly(completedPeriods, isOther);
  }

  /** Not before those who were just handed the account have looked at it. */
  #giveBack(tracker: LiveTracker | undefined): void {
    if (tracker) setImmediate(() => this.rows.trackers.giveBack(tracker));
  }

  #mark(cell: LiveCell): void {
    if (cell.isDirty) return;
    cell.isDirty = true;
    this.#dirty.push(cell);
  }

  /** Events that the last step found: with the snapshots up to now, and an eye on the next ones. */
  #keepEvents(cell: LiveCell, from: number): void {
    for (const event of this.#effects.events.splice(from)) {
      this.#events.push({
        event,
        accountCreatedAtMs: cell.createdAtMs,
        moneyDigits: cell.moneyDigits,
        partition: this.#partition,
        position: this.position,
        ordinal: this.#ordinal,
        beforeBreach: this.recent.encode(cell),
      });
      this.#ordinal += 1;
      cell.watches ??= [];
      const { trackerId, startTimeMs } = event;
      cell.watches.push({ trackerId, startTimeMs, after: [], isDirty: false });
    }
  }

  /** What folding left of one account and is not captured yet. */
  pendingOf(accountId: string): PendingRecords {
    const { closedBuckets, lateBucketCorrections, completedPeriods } = this.#effects;
    return pendingOf(accountId, closedBuckets, lateBucketCorrections, completedPeriods);
  }

  /**
   * Everything that changed since the last capture, as of now. Events must be taken before. The accounts
   * are to be released when they are stored.
   */
  capture(): Checkpoint<CapturedAccount> {
    const { closedBuckets, lateBucketCorrections, completedPeriods } = this.#effects;
    for (const { accountId } of [...closedBuckets, ...lateBucketCorrections]) {
      this.cells.get(accountId)?.changeHours();
    }
    const passing = this.#passing;
    const memory = { snapshots: this.recent, passing, kept: new ByteBlocks() };
    const checkpoint: Checkpoint<CapturedAccount> = {
      position: this.position,
      accounts: this.#dirty.map((cell) => new CapturedAccount(cell, memory)),
      written: () => passing.reuse(),
      buckets: closedBuckets.splice(0),
      corrections: lateBucketCorrections.splice(0),
      periods: lastOfEach(completedPeriods.splice(0)),
      watched: this.#dirty.flatMap(takeWatches),
      removedAccounts: this.#removedAccounts,
      removedTrackers: this.#removedTrackers,
    };
    for (const cell of this.#dirty) cell.isDirty = false;
    this.#dirty = [];
    this.#removedAccounts = [];
    this.#removedTrackers = [];
    return checkpoint;
  }
}

/** Records of one account that are on their way to the database. */
export type PendingRecords = Pick<Checkpoint, 'buckets' | 'corrections' | 'periods'>;

export function pendingOf(
  accountId: string,
  buckets: Checkpoint['buckets'],
  corrections: Checkpoint['corrections'],
  periods: Checkpoint['periods'],
): PendingRecords {
  const isOwn = (record: { accountId: string }): boolean => record.accountId === accountId;
  return {
    buckets: buckets.filter(isOwn),
    corrections: corrections.filter(isOwn),
    periods: periods.filter(isOwn),
  };
}

function addToWatches(cell: LiveCell, timeMs: number, balance: number, equity: number): void {
  for (const watch of cell.watches ?? []) {
    if (watch.after.length >= SNAPSHOTS_AFTER * 3) continue;
    watch.after.push(timeMs, balance, equity);
    watch.isDirty = true;
  }
}

function takeWatches(cell: LiveCell): Checkpoint['watched'] {
  const changed = (cell.watches ?? []).filter((watch) => watch.isDirty);
  const taken = changed.map((watch) => {
    watch.isDirty = false;
    return {
      accountId: cell.id,
      trackerId: watch.trackerId,
      startTimeMs: watch.startTimeMs,
      after: bytesOfNumbers(Float64Array.from(watch.after)),
      isOpen: watch.after.length < SNAPSHOTS_AFTER * 3,
    };
  });
  const open = cell.watches?.filter((watch) => watch.after.length < SNAPSHOTS_AFTER * 3);
  cell.watches = open && open.length > 0 ? open : undefined;
  return taken;
}

/** The newest record of each period; one statement can't write a row twice. */
function lastOfEach(periods: PeriodStatistics[]): PeriodStatistics[] {
  const byKey = new Map<string, PeriodStatistics>();
  for (const period of periods) byKey.set(`${period.trackerId} ${period.startTimeMs}`, period);
  return [...byKey.values()];
}

function keepOnly<T>(items: T[], keeps: (item: T) => boolean): void {
  const kept = items.filter(keeps);
  items.splice(0, items.length, ...kept);
}
