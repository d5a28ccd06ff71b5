import type { Command, EntryDeal, JournalEntry } from './entry.ts';

/*
 * Layout of an entry, little-endian. Head of 40 bytes: the width of places (1 byte: 2 or 4), three
 * unused bytes, the numbers of accounts, rows and bytes of JSON (4 bytes each), the least time,
 * balance and profit (doubles). Then, each beginning at a multiple of 8: the account numbers (4
 * bytes each); the columns of the rows: times, balances, equities, places of accounts; and, as
 * JSON, the parts that most entries lack: deals and a command.
 *
 * If a column's least number is not NaN, its values are stored as their distance from it, in 4
 * bytes. If it is NaN, they are doubles. The least profit is that of the equities' column, which
 * holds profits (equity less balance) unless it is NaN. That makes 14 bytes per snapshot while
 * amounts and times are similar, and the size in the log is most of a snapshot's cost for the
 * database.
 */
const HEAD_BYTES = 40;
const GREATEST_OFFSET = 0xffff_ffff;
/** Up to this many accounts, indexes take 2 bytes each. */
const FEW_ACCOUNTS = 0x1_0000;

type Rare = { deals?: readonly EntryDeal[]; command?: Command };
type Head = {
  width: 2 | 4;
  accounts: number;
  rows: number;
  jsonBytes: number;
  least: { timeMs: number; balance: number; profit: number };
};

/** An entry as bytes, without its time of receipt, which the commit has. */
export function encodeEntry(entry: JournalEntry): Uint8Array {
  const { rowCount: rows, accounts, timeMs, balance, equity } = entry;
  const profits = profitsOf(balance, equity, rows);
  const json = jsonOf(entry);
  const head: Head = {
    width: accounts.length <= FEW_ACCOUNTS ? 2 : 4,
    accounts: accounts.length,
    rows,
    jsonBytes: json.length,
    least: {
      timeMs: leastOf(timeMs, rows),
      balance: leastOf(balance, rows),
      profit: profits ? leastOf(profits, rows) : Number.NaN,
    },
  };
  const at = layoutOf(head);
  const bytes = new Uint8Array(at.end);
  writeHead(new DataView(bytes.buffer), head);
  new Uint32Array(bytes.buffer, at.accounts, accounts.length).set(accounts);
  pack(timeMs, head.least.timeMs, bytes.buffer, at.timeMs, rows);
  pack(balance, head.least.balance, bytes.buffer, at.balance, rows);
  const above = Number.isNaN(head.least.profit) ? equity : (profits ?? equity);
  pack(above, head.least.profit, bytes.buffer, at.equity, rows);
  placesAt(bytes.buffer, at.places, head).set(entry.account.subarray(0, rows));
  bytes.set(json, at.json);
  return bytes;
}

/** Decodes an entry. Throws RangeError if the bytes are no entry. */
export function decodeEntry(stored: Uint8Array, receivedUtcMs: number): JournalEntry {
  if (stored.byteLength < HEAD_BYTES) throw new RangeError('A journal entry is cut short');
  // A copy: the driver's bytes need not be aligned for doubles.
  const { buffer } = new Uint8Array(stored);
  const head = readHead(new DataView(buffer));
  const at = layoutOf(head);
  if (at.end !== buffer.byteLength) {
    throw new RangeError(`A journal entry of ${buffer.byteLength} bytes should have ${at.end}`);
  }
  const { rows, least } = head;
  const balance = unpack(least.balance, buffer, at.balance, rows);
  const equity = unpack(least.profit, buffer, at.equity, rows);
  if (!Number.isNaN(least.profit)) {
    for (let row = 0; row < rows; row += 1) equity[row] = (equity[row] ?? 0) + (balance[row] ?? 0);
  }
  const account = Uint32Array.from(placesAt(buffer, at.places, head));
  if (account.some((place) => place >= head.accounts)) {
    throw new RangeError('A journal entry names an account that it does not have');
  }
  const rare = rareOf(Buffer.from(buffer, at.json, head.jsonBytes));
  return {
    receivedUtcMs,
    accounts: new Uint32Array(buffer, at.accounts, head.accounts),
    deals: rare.deals ?? [],
    command: rare.command,
    rowCount: rows,
    timeMs: unpack(least.timeMs, buffer, at.timeMs, rows),
    balance,
    equity,
    account,
  };
}

const NOTHING = Buffer.alloc(0);

function jsonOf({ deals, command }: JournalEntry): Buffer {
  if (deals.length === 0 && !command) return NOTHING;
  return Buffer.from(JSON.stringify({ ...(deals.length > 0 ? { deals } : {}), command }));
}

function rareOf(json: Buffer): Rare {
  if (json.length === 0) return {};
  try {
    return JSON.parse(json.toString()) as Rare;
  } catch (cause) {
    throw new RangeError('The deals of a journal entry cannot be read', { cause });
  }
}

function writeHead(view: DataView, { width, accounts, rows, jsonBytes, least }: Head): void {
  view.setUint8(0, width);
  view.setUint32(4, accounts, true);
  view.setUint32(8, rows, true);
  view.setUint32(12, jsonBytes, true);
  view.setFloat64(16, least.timeMs, true);
  view.setFloat64(24, least.balance, true);
  view.setFloat64(32, least.profit, true);
}

function readHead(view: DataView): Head {
  const width = view.getUint8(0);
  if (width !== 2 && width !== 4) throw new RangeError('A journal entry has no head');
  return {
    width,
    accounts: view.getUint32(4, true),
    rows: view.getUint32(8, true),
    jsonBytes: view.getUint32(12, true),
    least: {
      timeMs: view.getFloat64(16, true),
      balance: view.getFloat64(24, true),
      profit: view.getFloat64(32, true),
    },
  };
}

const aligned = (offset: number): number => Math.ceil(offset / 8) * 8;

/** Where each part begins. */
function layoutOf({ width, accounts, rows, jsonBytes, least }: Head) {
  const widthOf = (smallest: number): number => (Number.isNaN(smallest) ? 8 : 4);
  const timeMs = aligned(HEAD_BYTES + accounts * 4);
  const balance = aligned(timeMs + rows * widthOf(least.timeMs));
  const equity = aligned(balance + rows * widthOf(least.balance));
  const places = aligned(equity + rows * widthOf(least.profit));
  const json = aligned(places + rows * width);
  const end = aligned(json + jsonBytes);
  return { accounts: HEAD_BYTES, timeMs, balance, equity, places, json, end };
}

const placesAt = (buffer: ArrayBuffer, at: number, { width, rows }: Head) =>
  width === 2 ? new Uint16Array(buffer, at, rows) : new Uint32Array(buffer, at, rows);

/** Equities less balances; undefined if that would lose precision. */
function profitsOf(
  balance: Float64Array,
  equity: Float64Array,
  rows: number,
): Float64Array | undefined {
  const profits = new Float64Array(rows);
  for (let row = 0; row < rows; row += 1) {
    const held = balance[row] ?? 0;
    const worth = equity[row] ?? 0;
    profits[row] = worth - held;
    if (held + (worth - held) !== worth) return undefined;
  }
  return profits;
}

/** The least of a column's integers; NaN unless all are integers at most 4 bytes above it. */
function leastOf(values: Float64Array, rows: number): number {
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < rows; row += 1) {
    const value = values[row] ?? 0;
    if (!Number.isSafeInteger(value)) return Number.NaN;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  return rows > 0 && greatest - least <= GREATEST_OFFSET ? least : Number.NaN;
}

function pack(
  values: Float64Array,
  least: number,
  buffer: ArrayBuffer,
  at: number,
  rows: number,
): void {
  if (Number.isNaN(least)) {
    new Float64Array(buffer, at, rows).set(values.subarray(0, rows));
    return;
  }
  const offsets = new Uint32Array(buffer, at, rows);
  for (let row = 0; row < rows; row += 1) offsets[row] = (values[row] ?? 0) - least;
}

function unpack(
  least: number,
  buffer: ArrayBuffer,
  at: number,
  rows: number,
): Float64Array<ArrayBuffer> {
  if (Number.isNaN(least)) return new Float64Array(buffer, at, rows);
  const values = new Float64Array(rows);
  const offsets = new Uint32Array(buffer, at, rows);
  for (let row = 0; row < rows; row += 1) values[row] = (offsets[row] ?? 0) + least;
  return values;
}
