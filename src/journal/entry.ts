import type { BrokerClock } from '../domain/broker-time.ts';
import {
  closesOnly,
  type Deal,
  type DealTrade,
  isCredit,
  moneyOf,
  tradeOf,
} from '../domain/deal.ts';
import type { LiveDeal } from '../domain/live/live-records.ts';
import type { TrackerDefinition } from '../domain/live/tracker-definition.ts';
import type { EnrolmentDefinition } from '../domain/programs/program-definition.ts';
import type { DealType } from '../words/deals.ts';
import type { AskedState } from '../words/programs.ts';

/** A deal, its account's place in `accounts`, and the row of the snapshot it came with, if any. */
export type EntryDeal = readonly [
  account: number,
  row: number,
  id: string,
  type: DealType,
  timeMs: number,
  money: number,
  /** 1 for a deal that is known to open nothing. */
  closes?: 0 | 1,
  trade?: DealTrade,
];
export const WITHOUT_SNAPSHOT = -1;

/** A change between two particular snapshots, even when folded again. */
export type Command =
  | { kind: 'tracker-added'; definition: TrackerDefinition }
  | { kind: 'tracker-removed'; trackerId: string }
  | { kind: 'enrolment-added'; definition: EnrolmentDefinition }
  | {
      kind: 'enrolment-changed';
      enrolmentId: string;
      to: AskedState;
      /** Who requested it, as named in the case file. */
      by?: string;
    }
  /**
   * Nothing came since the snapshot received at this moment or, before the first, since the account
   * was created. reason: why its platform could not be read.
   */
  | { kind: 'feed-silent'; freshUtcMs: number; reason?: string }
  /** The waiting time of the account's breaches is over: see settle-breaches.ts. */
  | { kind: 'breach-settled' }
  | { kind: 'clock-changed'; clock: BrokerClock }
  | { kind: 'account-removed' }
  /** Folds the entries that wait in a quarantine, all of them or all but the one at a position. */
  | { kind: 'quarantine-ended'; withoutPosition?: number };

/**
 * Snapshots as columns, from the body of a request to the fold. Arrays may be longer than
 * `rowCount`. Money is in plain numbers until it is checked, then in units of the account.
 */
export type Columns = {
  rowCount: number;
  timeMs: Float64Array;
  balance: Float64Array;
  equity: Float64Array;
  /** For each row, the index of its account in a list next to these columns. */
  account: Uint32Array;
};

/**
 * The part of one commit for one partition, in the order of folding: snapshots, with the deals of
 * their moment; or deals alone; or a command to the first account.
 */
export type JournalEntry = Columns & {
  receivedUtcMs: number;
  /** Numbers of the accounts, each once. */
  accounts: Uint32Array;
  /** In the order of their rows; deals without a snapshot come first. */
  deals: readonly EntryDeal[];
  command: Command | undefined;
};

/** Three doubles and the index of an account. */
export const ROW_BYTES = 28;
const GROWTH = 4;

/** Columns that grow with their rows. */
export class GrowingColumns implements Columns {
  rowCount = 0;
  timeMs: Float64Array<ArrayBuffer>;
  balance: Float64Array<ArrayBuffer>;
  equity: Float64Array<ArrayBuffer>;
  account: Uint32Array<ArrayBuffer>;

  constructor(capacity: number) {
    // One buffer for all columns: a thread transfers it as a whole.
    const buffer = new ArrayBuffer(capacity * ROW_BYTES);
    this.timeMs = new Float64Array(buffer, 0, capacity);
    this.balance = new Float64Array(buffer, capacity * 8, capacity);
    this.equity = new Float64Array(buffer, capacity * 16, capacity);
    this.account = new Uint32Array(buffer, capacity * 24, capacity);
  }

  /** Adds a row and returns its place. */
  add(account: number, timeMs: number, balance: number, equity: number): number {
    const row = this.rowCount;
    if (row === this.timeMs.length) this.#grow();
    this.timeMs[row] = timeMs;
    this.balance[row] = balance;
    this.equity[row] = equity;
    this.account[row] = account;
    this.rowCount = row + 1;
    return row;
  }

  #grow(): void {
    const { rowCount, timeMs, balance, equity, account } = this;
    const larger = new GrowingColumns(timeMs.length * GROWTH);
    larger.timeMs.set(timeMs);
    larger.balance.set(balance);
    larger.equity.set(equity);
    larger.account.set(account);
    Object.assign(this, { ...larger, rowCount });
  }
}

/** The content of one request, or of several together: entries by partition. */
export type Commit = {
  receivedUtcMs: number;
  entries: ReadonlyMap<number, JournalEntry>;
};

/** The partition of an account, which never changes. */
export const partitionOf = (accountNumber: number, partitions: number): number =>
  accountNumber % partitions;

/** A deal of the account at a place in `accounts`, without a snapshot unless `row` is given. */
export function entryDealOf(account: number, deal: Deal, row = WITHOUT_SNAPSHOT): EntryDeal {
  const { id, timeMs } = deal;
  // Limits treat all credit alike.
  const type = isCredit(deal) ? 'DEAL_TYPE_CREDIT' : deal.type;
  const written = [account, row, id, type, timeMs, moneyOf(deal)] as const;
  const closes = closesOnly(deal) ? 1 : 0;
  const trade = tradeOf(deal);
  if (trade) return [...written, closes, trade];
  return closes ? [...written, closes] : written;
}

export const liveDealOf = ([, , id, type, timeMs, money, closes, trade]: EntryDeal): LiveDeal => ({
  id,
  type,
  timeMs,
  money,
  ...(closes ? { closes: true } : {}),
  ...(trade ? { trade } : {}),
});

/** A commit with only a command. */
export function commitOf(
  receivedUtcMs: number,
  accountNumber: number,
  partitions: number,
  command: Command,
): Commit {
  const entry: JournalEntry = {
    receivedUtcMs,
    accounts: Uint32Array.of(accountNumber),
    deals: [],
    command,
    ...new GrowingColumns(0),
  };
  return { receivedUtcMs, entries: new Map([[partitionOf(accountNumber, partitions), entry]]) };
}

/** One account's part of an entry; undefined if there is none. */
export function partOfCommit(entry: JournalEntry, accountNumber: number): JournalEntry | undefined {
  const place = entry.accounts.indexOf(accountNumber);
  if (place < 0) return undefined;
  const rows: number[] = [];
  entry.account.subarray(0, entry.rowCount).forEach((of, row) => {
    if (of === place) rows.push(row);
  });
  const rowOf = new Map(rows.map((row, index) => [row, index]));
  const column = (values: Float64Array): Float64Array =>
    Float64Array.from(rows, (row) => values[row] ?? 0);
  return {
    receivedUtcMs: entry.receivedUtcMs,
    accounts: Uint32Array.of(accountNumber),
    deals: entry.deals
      .filter(([account]) => account === place)
      .map(([, row, ...deal]) => [0, rowOf.get(row) ?? WITHOUT_SNAPSHOT, ...deal] as const),
    command: place === 0 ? entry.command : undefined,
    rowCount: rows.length,
    timeMs: column(entry.timeMs),
    balance: column(entry.balance),
    equity: column(entry.equity),
    account: new Uint32Array(rows.length),
  };
}
