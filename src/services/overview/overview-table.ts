import { nextTurn } from '../../domain/loop-turns.ts';
import { decodeTradeState } from '../../domain/trades/trade-state-codec.ts';
import { findNumbered, listAccountsAfter } from '../../storage/account-store.ts';
import type { Sql } from '../../storage/database.ts';
import { readFoldStates, readHistoryVersions } from '../../storage/history-store.ts';
import { readFigures, type StoredFigures } from '../../storage/live-store.ts';
import { readLeastPosition } from '../../storage/partition-store.ts';
import type { ClockSuspect } from '../../words/accounts.ts';
import { suspectOf } from './clock-suspect.ts';
import { eachInSlices, filterInSlices, sortInSlices } from './in-slices.ts';
import {
  compareValues,
  entryOf,
  isIn,
  type OverviewEntry,
  type Sort,
  VALUES,
} from './overview-entry.ts';

const ACCOUNTS_PER_READ = 500;
/** More changes than this are not followed singly. */
const MAX_CHANGED = 10_000;

let versions = 0;
const nextVersion = (): number => ++versions;

/** How long counts are kept without a new read, because staleness depends on time. */
const COUNTED_MS = 5_000;

export type Counts = Record<
  'all' | 'exceeded' | 'near' | 'stale' | 'unwatched' | 'clockOff',
  number
> & {
  clockSuspect?: ClockSuspect;
};

/** Entries with a value in ascending order, and those without. */
export type Order = { valued: readonly OverviewEntry[]; without: readonly OverviewEntry[] };

/**
 * All accounts of a user with the figures that an overview filters and sorts by: one table for all
 * of the user's tokens. The list of accounts follows the log of changes; the figures are those of
 * checkpoints, read again from time to time. Orders are made on demand, each from the previous one.
 */
export class OverviewTable {
  readonly #sql: Sql;
  readonly #userId: string;
  readonly #entries = new Map<number, OverviewEntry>();
  readonly #orders = new Map<Sort, Promise<Order>>();
  /** Orders from before the last change, still nearly right. */
  readonly #former = new Map<Sort, Order>();
  readonly #changed = new Set<number>();
  #version = nextVersion();
  /** Figures stored before this position of the journal are known. */
  #readUpTo = 0;
  #counts: { atMs: number; counts: Promise<Counts> } | undefined;
  /** More has changed than can be followed. */
  isLost = false;
  /** When the figures were read. */
  madeAtMs = 0;

  constructor(sql: Sql, userId: string) {
    this.#sql = sql;
    this.#userId = userId;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Differs after each change of an account or a tracker, and from that of any other table. */
  get version(): number {
    return this.#version;
  }

  /** How many accounts there are, and how many need attention, as of some seconds ago at most. */
  counts(nowMs: number): Promise<Counts> {
    if (!this.#counts || nowMs < this.#counts.atMs || nowMs - this.#counts.atMs > COUNTED_MS) {
      this.#counts = { atMs: nowMs, counts: countsOf(this.#entries.values(), nowMs) };
    }
    return this.#counts.counts;
  }

  /** All entries, in no order. */
  entries(): Iterable<OverviewEntry> {
    return this.#entries.values();
  }

  entry(accountNumber: number): OverviewEntry | undefined {
    return this.#entries.get(accountNumber);
  }

  /** An account, of any user, was changed, added or removed. */
  note(accountNumber: number): void {
    this.#changed.add(accountNumber);
    if (this.#changed.size > MAX_CHANGED) this.isLost = true;
  }

  /** A tracker of an account, of any user, was changed, added or removed. */
  noteTracker(accountNumber: number): void {
    if (this.#entries.has(accountNumber)) this.#version = nextVersion();
  }

  /** Reads all accounts. */
  async load(nowMs: number): Promise<void> {
    for (let after = ''; ; ) {
      const page = await listAccountsAfter(this.#sql, this.#userId, after, ACCOUNTS_PER_READ);
      for (const account of page) this.#put(entryOf(account));
      after = page.at(-1)?.id ?? after;
      if (page.length < ACCOUNTS_PER_READ) break;
      await nextTurn();
    }
    await this.readFigures(nowMs);
  }

  /** Follows the noted changes. */
  async followChanges(): Promise<void> {
    if (this.#changed.size === 0) return;
    const numbers = [...this.#changed];
    this.#changed.clear();
    const found = await findNumbered(this.#sql, numbers);
    const own = found.filter(({ userId }) => userId === this.#userId).map(entryOf);
    let isNews = own.length > 0;
    for (const number of numbers) isNews = this.#remove(number) || isNews;
    if (!isNews) return;
    for (const entry of own) this.#put(entry);
    await this.#readSome(
      own.map(({ number }) => number),
      0,
    );
    this.#version = nextVersion();
    this.#renew();
  }

  /** Reads the figures of all accounts that have changed since. */
  async readFigures(nowMs: number): Promise<void> {
    const least = await readLeastPosition(this.#sql);
    // A database restored to an earlier state counts from there.
    const since = least < this.#readUpTo ? 0 : this.#readUpTo;
    const numbers = [...this.#entries.keys()];
    let isNews = false;
    for (let start = 0; start < numbers.length; start += ACCOUNTS_PER_READ) {
      const some = numbers.slice(start, start + ACCOUNTS_PER_READ);
      isNews = (await this.#readSome(some, since)) || isNews;
      await nextTurn();
    }
    this.#readUpTo = least;
    this.madeAtMs = nowMs;
    if (isNews) this.#renew();
  }

  /** The entries in ascending order of a column. */
  async orderBy(sort: Sort): Promise<Order> {
    let order = this.#orders.get(sort);
    if (!order) {
      order = this.#order(sort);
      this.#orders.set(sort, order);
    }
    return order;
  }

  async #order(sort: Sort): Promise<Order> {
    const former = this.#former.get(sort);
    const known = new Set<OverviewEntry>();
    const stays = await filterInSlices(former?.valued ?? [], (entry) => {
      known.add(entry);
      return this.#isOwn(entry);
    });
    const fresh = await filterInSlices(this.#entries.values(), (entry) => !known.has(entry));
    const order = await orderOf([...stays, ...fresh], sort);
    this.#former.set(sort, order);
    return order;
  }

  /** Reads figures stored from a position of the journal on. Returns whether any has changed. */
  async #readSome(numbers: readonly number[], leastPosition: number): Promise<boolean> {
    let isNews = false;
    for (const [number, figures] of await readFigures(this.#sql, numbers, leastPosition)) {
      const entry = this.#entries.get(number);
      if (entry) isNews = update(entry, figures) || isNews;
    }
    const entries = numbers.flatMap((number) => this.#entries.get(number) ?? []);
    const silent = entries.filter(({ equity }) => equity === undefined);
    return (await this.#readBalances(silent)) || isNews;
  }

  /** Without snapshots, deals give the balance, but no equity. */
  async #readBalances(entries: readonly OverviewEntry[]): Promise<boolean> {
    if (entries.length === 0) return false;
    const numbers = entries.map(({ number }) => number);
    const versions = await readHistoryVersions(this.#sql, numbers);
    const changed = entries.filter((entry) => {
      const version = versions.get(entry.number)?.tradeVersion;
      // Below zero, the deals are only partly folded: the earlier balance stays.
      return version !== undefined && version > 0 && version !== entry.tradeVersion;
    });
    const folds = await readFoldStates(
      this.#sql,
      changed.map(({ number }) => number),
    );
    for (const entry of changed) {
      const fold = folds.get(entry.number);
      entry.balance = fold ? decodeTradeState(fold).balance : undefined;
      entry.tradeVersion = versions.get(entry.number)?.tradeVersion;
    }
    return changed.length > 0;
  }

  #isOwn(entry: OverviewEntry): boolean {
    return this.#entries.get(entry.number) === entry;
  }

  #put(entry: OverviewEntry): void {
    this.#entries.set(entry.number, entry);
  }

  #remove(number: number): boolean {
    return this.#entries.delete(number);
  }

  #renew(): void {
    this.#orders.clear();
    this.#counts = undefined;
  }
}

/** Updates an entry. Returns whether anything in it has changed. */
function update(entry: OverviewEntry, { balance, ...figures }: StoredFigures): boolean {
  const isSame =
    entry.freshUtcMs === figures.freshUtcMs &&
    entry.clockOffMs === figures.clockOffMs &&
    entry.equity === figures.equity &&
    entry.usedLimit === figures.usedLimit &&
    entry.exceeded === figures.exceeded &&
    entry.trackers === figures.trackers &&
    (balance === undefined || entry.balance === balance);
  if (isSame) return false;
  Object.assign(entry, figures, balance === undefined ? {} : { balance, tradeVersion: undefined });
  return true;
}

/** Entries in ascending order of a column; equal ones by number. */
export async function orderOf(entries: readonly OverviewEntry[], sort: Sort): Promise<Order> {
  const sortedBy = VALUES[sort];
  const isValued = (entry: OverviewEntry): boolean => sortedBy(entry) !== undefined;
  const byNumber = (a: OverviewEntry, b: OverviewEntry): number => a.number - b.number;
  const valued = await sortInSlices(
    await filterInSlices(entries, isValued),
    (a, b) => compareValues(sortedBy(a), sortedBy(b)) || byNumber(a, b),
  );
  const without = await filterInSlices(entries, (entry) => !isValued(entry));
  return { valued, without: await sortInSlices(without, byNumber) };
}

const COUNTED = ['exceeded', 'near', 'stale', 'unwatched', 'clockOff'] as const;

export async function countsOf(entries: Iterable<OverviewEntry>, nowMs: number): Promise<Counts> {
  const counts = { all: 0, exceeded: 0, near: 0, stale: 0, unwatched: 0, clockOff: 0 };
  const offsetsMs: number[] = [];
  let live = 0;
  await eachInSlices(entries, (entry) => {
    counts.all += 1;
    for (const what of COUNTED) {
      if (isIn(entry, what, nowMs)) counts[what] += 1;
    }
    if (!isIn(entry, 'live', nowMs)) return;
    live += 1;
    if (entry.clockOffMs !== undefined) offsetsMs.push(entry.clockOffMs);
  });
  return counts.clockOff > 0 ? { ...counts, clockSuspect: suspectOf(offsetsMs, live) } : counts;
}
