import type { BrokerClock } from '../domain/broker-time.ts';
import type { DealType } from '../domain/deal.ts';
import type { LiveDeal } from '../domain/live/live-records.ts';
import type { TrackerDefinition } from '../domain/live/tracker-definition.ts';
import { EntryAccount } from './entry-account.ts';

/** A deal of an account (its place in `accounts`) and, if it came with one, of a snapshot's row. */
export type EntryDeal = readonly [
  account: number,
  row: number,
  id: string,
  type: DealType,
  timeMs: number,
  money: number,
];
export const WITHOUT_SNAPSHOT = -1;

/** Changes that must take place between the right two snapshots, also when folded again. */
export type Command =
  | { kind: 'tracker-added'; definition: TrackerDefinition }
  | { kind: 'tracker-removed'; trackerId: string }
  | { kind: 'clock-changed'; clock: BrokerClock }
  | { kind: 'account-removed' };

/**
 * What one commit brought for one partition, in the order of folding: snapshots as columns, with
 * the deals of their moment; or deals alone; or a command to the first account.
 */
export type JournalEntry = {
  receivedUtcMs: number;
  accounts: readonly EntryAccount[];
  /** In order of rows; those without a snapshot stand alone. */
  deals: readonly EntryDeal[];
  command: Command | undefined;
  rowCount: number;
  timeMs: Float64Array;
  balance: Float64Array;
  equity: Float64Array;
  /** Places in `accounts`. */
  account: Uint32Array;
};

export const liveDealOf = ([, , id, type, timeMs, money]: EntryDeal): LiveDeal => ({
  id,
  type,
  timeMs,
  money,
});

const NO_NUMBERS = new Float64Array();

/** An entry without snapshots. */
export const smallEntry = (
  receivedUtcMs: number,
  account: EntryAccount,
  content: { deals?: readonly EntryDeal[]; command?: Command },
): JournalEntry => ({
  receivedUtcMs,
  accounts: [account],
  deals: content.deals ?? [],
  command: content.command,
  rowCount: 0,
  timeMs: NO_NUMBERS,
  balance: NO_NUMBERS,
  equity: NO_NUMBERS,
  account: new Uint32Array(),
});

/*
 * Layout, little-endian: length of the head (4 bytes), the head (JSON), zeros up to a multiple of 8,
 * then the columns: times, balances, equities (doubles), accounts (4 bytes each).
 */
type Head = {
  v: 1;
  at: number;
  rows: number;
  accounts: readonly (readonly [id: string, createdAtMs: number])[];
  deals?: readonly EntryDeal[];
  command?: Command;
};

const LENGTH_BYTES = 4;
const columnsAt = (headLength: number): number => Math.ceil((LENGTH_BYTES + headLength) / 8) * 8;

export function encodeEntry(entry: JournalEntry): Uint8Array {
  const { rowCount } = entry;
  const head: Omit<Head, 'accounts'> = {
    v: 1,
    at: entry.receivedUtcMs,
    rows: rowCount,
    ...(entry.deals.length > 0 ? { deals: entry.deals } : {}),
    ...(entry.command ? { command: entry.command } : {}),
  };
  const accounts = entry.accounts.map(({ json }) => json).join(',');
  const headBytes = Buffer.from(`${JSON.stringify(head).slice(0, -1)},"accounts":[${accounts}]}`);
  const start = columnsAt(headBytes.length);
  const bytes = new Uint8Array(start + rowCount * ROW_BYTES);
  new DataView(bytes.buffer).setUint32(0, headBytes.length, true);
  bytes.set(headBytes, LENGTH_BYTES);
  const columns = columnsOf(bytes.buffer, start, rowCount);
  columns.timeMs.set(entry.timeMs.subarray(0, rowCount));
  columns.balance.set(entry.balance.subarray(0, rowCount));
  columns.equity.set(entry.equity.subarray(0, rowCount));
  columns.account.set(entry.account.subarray(0, rowCount));
  return bytes;
}

/** Throws RangeError for bytes of another version. */
export function decodeEntry(stored: Uint8Array): JournalEntry {
  // A copy: the driver's bytes need not be aligned for doubles.
  const bytes = new Uint8Array(stored);
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const text = Buffer.from(bytes.buffer, LENGTH_BYTES, length).toString();
  const head = JSON.parse(text) as Head;
  if (head.v !== 1) throw new RangeError(`A journal entry of version ${head.v} was found`);
  return {
    receivedUtcMs: head.at,
    accounts: head.accounts.map(([id, createdAtMs]) => new EntryAccount(id, createdAtMs)),
    deals: head.deals ?? [],
    command: head.command,
    rowCount: head.rows,
    ...columnsOf(bytes.buffer, columnsAt(length), head.rows),
  };
}

/** Bytes that a row takes in all columns. */
export const ROW_BYTES = 28;

/** Columns of so many rows that lie behind each other in a piece of memory. */
export function columnsOf(buffer: ArrayBuffer, start: number, rows: number) {
  return {
    timeMs: new Float64Array(buffer, start, rows),
    balance: new Float64Array(buffer, start + rows * 8, rows),
    equity: new Float64Array(buffer, start + rows * 16, rows),
    account: new Uint32Array(buffer, start + rows * 24, rows),
  };
}
