import type { Command, EntryDeal, JournalEntry } from './journal-entry.ts';

/** An entry as it is stored: accounts by their numbers in the journal. */
export type StoredEntry = Omit<JournalEntry, 'accounts'> & { accounts: Uint32Array };

/*
 * Layout, little-endian: length of the head (4 bytes) and the head (JSON); then, each beginning at a
 * multiple of 8: the numbers of the accounts (4 bytes each) and the columns of the rows, which are
 * times, balances, equities, and places of accounts (2 bytes each, or 4 if they need it).
 */
type Head = {
  v: typeof VERSION;
  at: number;
  rows: number;
  accounts: number;
  /**
   * The least number of a column whose rows are what they have above it, in 4 bytes; null where they are
   * doubles. Equities are taken without their balances then.
   */
  least: { timeMs: number | null; balance: number | null; profit: number | null };
  deals?: readonly EntryDeal[];
  command?: Command;
};

const VERSION = 2;
const LENGTH_BYTES = 4;
const GREATEST_OFFSET = 0xffff_ffff;
/** Accounts whose places take 2 bytes each. */
const FEW_ACCOUNTS = 0x1_0000;

export function encodeEntry(entry: JournalEntry): Uint8Array {
  const { rowCount: rows, accounts, timeMs, balance, equity } = entry;
  const profits = profitsOf(balance, equity, rows);
  const leastProfit = profits ? leastOf(profits, rows) : null;
  const least: Head['least'] = {
    timeMs: leastOf(timeMs, rows),
    balance: leastOf(balance, rows),
    profit: leastProfit,
  };
  const head: Head = {
    ...{ v: VERSION, at: entry.receivedUtcMs, rows, accounts: accounts.length, least },
    ...(entry.deals.length > 0 ? { deals: entry.deals } : {}),
    ...(entry.command ? { command: entry.command } : {}),
  };
  const headBytes = Buffer.from(JSON.stringify(head));
  const at = layoutOf(headBytes.length, head);
  const bytes = new Uint8Array(at.end);
  new DataView(bytes.buffer).setUint32(0, headBytes.length, true);
  bytes.set(headBytes, LENGTH_BYTES);
  const numbers = new Uint32Array(bytes.buffer, at.numbers, accounts.length);
  for (let place = 0; place < numbers.length; place += 1) {
    numbers[place] = accounts[place]?.number ?? 0;
  }
  pack(timeMs, least.timeMs, bytes.buffer, at.timeMs, rows);
  pack(balance, least.balance, bytes.buffer, at.balance, rows);
  const above = leastProfit === null ? equity : (profits ?? equity);
  pack(above, leastProfit, bytes.buffer, at.equity, rows);
  placesAt(bytes.buffer, at.places, head).set(entry.account.subarray(0, rows));
  return bytes;
}

/** Throws RangeError for bytes of another version. */
export function decodeEntry(stored: Uint8Array): StoredEntry {
  // A copy: the driver's bytes need not be aligned for doubles.
  const { buffer } = new Uint8Array(stored);
  const length = new DataView(buffer).getUint32(0, true);
  const head = JSON.parse(Buffer.from(buffer, LENGTH_BYTES, length).toString()) as Head;
  if (head.v !== VERSION) throw new RangeError(`A journal entry of version ${head.v} was found`);
  const { rows, least } = head;
  const at = layoutOf(length, head);
  const balance = unpack(least.balance, buffer, at.balance, rows);
  const equity = unpack(least.profit, buffer, at.equity, rows);
  if (least.profit !== null) {
    for (let row = 0; row < rows; row += 1) equity[row] = (equity[row] ?? 0) + (balance[row] ?? 0);
  }
  return {
    receivedUtcMs: head.at,
    accounts: new Uint32Array(buffer, at.numbers, head.accounts),
    deals: head.deals ?? [],
    command: head.command,
    rowCount: rows,
    timeMs: unpack(least.timeMs, buffer, at.timeMs, rows),
    balance,
    equity,
    account: Uint32Array.from(placesAt(buffer, at.places, head)),
  };
}

const aligned = (offset: number): number => Math.ceil(offset / 8) * 8;

/** Where each part begins. */
function layoutOf(headLength: number, { rows, accounts, least }: Head) {
  const widthOf = (smallest: number | null): number => (smallest === null ? 8 : 4);
  const numbers = aligned(LENGTH_BYTES + headLength);
  const timeMs = aligned(numbers + accounts * 4);
  const balance = aligned(timeMs + rows * widthOf(least.timeMs));
  const equity = aligned(balance + rows * widthOf(least.balance));
  const places = aligned(equity + rows * widthOf(least.profit));
  const end = aligned(places + rows * (accounts <= FEW_ACCOUNTS ? 2 : 4));
  return { numbers, timeMs, balance, equity, places, end };
}

const placesAt = (buffer: ArrayBuffer, at: number, { accounts, rows }: Head) =>
  accounts <= FEW_ACCOUNTS ? new Uint16Array(buffer, at, rows) : new Uint32Array(buffer, at, rows);

let scratch = new Float64Array();

/** What equities are above their balances, until the next call; undefined if that loses anything. */
function profitsOf(
  balance: Float64Array,
  equity: Float64Array,
  rows: number,
): Float64Array | undefined {
  if (scratch.length < rows) scratch = new Float64Array(rows * 2);
  for (let row = 0; row < rows; row += 1) {
    const held = balance[row] ?? 0;
    const worth = equity[row] ?? 0;
    scratch[row] = worth - held;
    if (held + (worth - held) !== worth) return undefined;
  }
  return scratch;
}

/** The least of a column's integers if none of the others needs more than 4 bytes above it. */
function leastOf(values: Float64Array, rows: number): number | null {
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < rows; row += 1) {
    const value = values[row] ?? 0;
    if (!Number.isSafeInteger(value)) return null;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  return rows > 0 && greatest - least <= GREATEST_OFFSET ? least : null;
}

function pack(
  values: Float64Array,
  least: number | null,
  buffer: ArrayBuffer,
  at: number,
  rows: number,
): void {
  if (least === null) {
    new Float64Array(buffer, at, rows).set(values.subarray(0, rows));
    return;
  }
  const offsets = new Uint32Array(buffer, at, rows);
  for (let row = 0; row < rows; row += 1) offsets[row] = (values[row] ?? 0) - least;
}

function unpack(
  least: number | null,
  buffer: ArrayBuffer,
  at: number,
  rows: number,
): Float64Array<ArrayBuffer> {
  if (least === null) return new Float64Array(buffer, at, rows);
  const values = new Float64Array(rows);
  const offsets = new Uint32Array(buffer, at, rows);
  for (let row = 0; row < rows; row += 1) values[row] = (offsets[row] ?? 0) + least;
  return values;
}
