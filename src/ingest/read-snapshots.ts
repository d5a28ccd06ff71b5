import { compileCheck } from '../contract/check.ts';
import { Faults, partOf } from '../contract/faults.ts';
import { unknownName } from '../contract/nearest.ts';
import { MAX_SNAPSHOTS_PER_REQUEST, snapshotDeals } from '../contract/operations/snapshots.ts';
import { ID_PATTERN, MAX_MONEY } from '../contract/primitives.ts';
import { FORMATS, VALID_TIME } from '../domain/formats.ts';
import { BrokerTimeReader } from './broker-time-reader.ts';
import { KnownOrders } from './known-orders.ts';
import { LEAST_BYTES, PlainLines } from './plain-lines.ts';
import type { DealRecord } from './read-deals.ts';
import { Rejection, rejectFaults } from './rejection.ts';
import { AccountIds, type SnapshotColumns } from './snapshot-columns.ts';

const NOT_JSON = 'is not valid JSON';
const ID = new RegExp(ID_PATTERN);
/** Three doubles and the place of an account. */
const ROW_BYTES = 28;
const NEWLINE = 10;
const DEALS = compileCheck(snapshotDeals, FORMATS);

/**
 * Reads the rows of bodies, NDJSON or an array. Validation is written out because it is most of
 * what a snapshot costs. What one body had is remembered only to be compared with the next.
 */
export class SnapshotReading {
  readonly #times = new BrokerTimeReader();
  readonly #orders = new KnownOrders();

  /** Throws Rejection: too many rows, or what is wrong with them by the row. */
  read(body: Buffer, isNdjson: boolean): SnapshotColumns {
    if (!isNdjson) return this.#readValues(parseArray(body));
    if (countLines(body) > MAX_SNAPSHOTS_PER_REQUEST) throw tooMany();
    return this.#readPlainLines(body) ?? this.#readValues(parseLines(body));
  }

  /** Undefined when a line is not plain or has a fault: all is read anew then. */
  #readPlainLines(body: Buffer): SnapshotColumns | undefined {
    const lines = new PlainLines(body);
    // The last line may lack its end.
    const most = Math.min(Math.floor((body.length + 1) / LEAST_BYTES), MAX_SNAPSHOTS_PER_REQUEST);
    const rows = new RowReader(most, this.#times);
    const order = this.#orders.begin(body);
    for (let row = 0; !lines.isOver; row += 1) {
      if (row === most || !lines.next()) return undefined;
      const place = order.placeOf(row, lines.idStart, lines.idEnd);
      if (place === undefined) return undefined;
      rows.readPlain(body, lines, place);
      if (!rows.faults.isEmpty) return undefined;
    }
    return rows.columns(order.end());
  }

  #readValues(values: readonly unknown[]): SnapshotColumns {
    if (values.length > MAX_SNAPSHOTS_PER_REQUEST) throw tooMany();
    const rows = new RowReader(values.length, this.#times);
    const places = new Map<string, number>();
    for (const value of values) {
      rows.read(value, places);
      if (rows.faults.isFull) break;
    }
    rejectFaults(rows.faults);
    return rows.columns(AccountIds.of([...places.keys()]));
  }
}

function countLines(body: Buffer): number {
  let lines = 1;
  for (let at = body.indexOf(NEWLINE); at >= 0; at = body.indexOf(NEWLINE, at + 1)) {
    // An end of the last line begins no other.
    if (at < body.length - 1) lines += 1;
    if (lines > MAX_SNAPSHOTS_PER_REQUEST) break;
  }
  return lines;
}

/** All lines as one array: one call of the parser, and lines one by one only to name the bad ones. */
function parseLines(body: Buffer): unknown[] {
  const text = body.toString().trim();
  if (text === '') return [];
  try {
    return JSON.parse(`[${text.replaceAll('\n', ',')}]`) as unknown[];
  } catch {
    const faults = new Faults();
    const values: unknown[] = [];
    for (const line of text.split('\n')) {
      if (line.trim() === '') continue;
      try {
        values.push(JSON.parse(line));
      } catch {
        faults.add(partOf('', values.push(undefined) - 1), NOT_JSON);
        if (faults.isFull) break;
      }
    }
    rejectFaults(faults);
    return values;
  }
}

function parseArray(body: Buffer): unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(body.toString());
  } catch {
    throw invalidBody(NOT_JSON);
  }
  if (!Array.isArray(value)) throw invalidBody('must be an array');
  return value;
}

const invalidBody = (message: string): Rejection =>
  new Rejection('invalid', 'The body is not valid', [{ parameter: 'body', message }]);

const tooMany = (): Rejection =>
  new Rejection('tooLarge', `Send at most ${MAX_SNAPSHOTS_PER_REQUEST} snapshots a request`);

type Fields = {
  accountId: unknown;
  brokerTime: unknown;
  balance: unknown;
  equity: unknown;
  deals: unknown;
};

class RowReader {
  readonly faults = new Faults();
  readonly #times: BrokerTimeReader;
  readonly #account: Uint32Array;
  readonly #timeMs: Float64Array;
  readonly #balance: Float64Array;
  readonly #equity: Float64Array;
  readonly #deals: { row: number; records: readonly DealRecord[] }[] = [];
  #row = 0;

  constructor(rows: number, times: BrokerTimeReader) {
    this.#times = times;
    // One piece of memory for all columns: a thread hands it over as a whole.
    const buffer = new ArrayBuffer(rows * ROW_BYTES);
    this.#timeMs = new Float64Array(buffer, 0, rows);
    this.#balance = new Float64Array(buffer, rows * 8, rows);
    this.#equity = new Float64Array(buffer, rows * 16, rows);
    this.#account = new Uint32Array(buffer, rows * 24, rows);
  }

  columns(ids: AccountIds): SnapshotColumns {
    const rows = this.#row;
    const isFull = rows === this.#account.length;
    return {
      ids,
      account: isFull ? this.#account : this.#account.subarray(0, rows),
      timeMs: isFull ? this.#timeMs : this.#timeMs.subarray(0, rows),
      balance: isFull ? this.#balance : this.#balance.subarray(0, rows),
      equity: isFull ? this.#equity : this.#equity.subarray(0, rows),
      deals: this.#deals,
    };
  }

  readPlain(body: Buffer, line: PlainLines, place: number): void {
    const row = this.#row;
    this.#row += 1;
    this.#account[row] = place;
    const { timeStart, timeEnd } = line;
    const isSameTime = row > 0 && isAt(body, timeStart, timeEnd, this.#times.text);
    this.#timeMs[row] = isSameTime
      ? (this.#timeMs[row - 1] ?? 0)
      : this.#timeOf(row, body.toString('latin1', timeStart, timeEnd));
    this.#balance[row] = this.#moneyOf(row, 'balance', line.balance);
    this.#equity[row] = this.#moneyOf(row, 'equity', line.equity);
  }

  read(value: unknown, places: Map<string, number>): void {
    const row = this.#row;
    this.#row += 1;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.faults.add(partOf('', row), 'must be an object');
      return;
    }
    for (const name in value) {
      if (!KNOWN.has(name)) this.#addFault(row, name, unknownName(name, KNOWN));
      if (this.faults.isFull) return;
    }
    const { accountId, brokerTime, balance, equity, deals } = value as Fields;
    this.#account[row] = this.#placeOf(row, accountId, places);
    this.#timeMs[row] = this.#timeOf(row, brokerTime);
    this.#balance[row] = this.#moneyOf(row, 'balance', balance);
    this.#equity[row] = this.#moneyOf(row, 'equity', equity);
    if (deals !== undefined) this.#readDeals(row, deals);
    this.#checkUnused(row, value as Record<string, unknown>);
  }

  #placeOf(row: number, id: unknown, places: Map<string, number>): number {
    if (typeof id === 'string') {
      const known = places.get(id);
      if (known !== undefined) return known;
      if (ID.test(id)) {
        places.set(id, places.size);
        return places.size - 1;
      }
    }
    this.#addFault(row, 'accountId', id === undefined ? 'is required' : 'must be an account id');
    return 0;
  }

  #timeOf(row: number, text: unknown): number {
    if (typeof text === 'string') {
      const timeMs = this.#times.read(text);
      if (timeMs !== undefined) return timeMs;
    }
    this.#addFault(row, 'brokerTime', text === undefined ? 'is required' : VALID_TIME);
    return 0;
  }

  #moneyOf(row: number, name: string, value: unknown): number {
    if (typeof value === 'number' && value >= -MAX_MONEY && value <= MAX_MONEY) return value;
    const message =
      value === undefined ? 'is required' : `must be a number from -${MAX_MONEY} to ${MAX_MONEY}`;
    this.#addFault(row, name, message);
    return 0;
  }

  #checkUnused(row: number, value: Record<string, unknown>): void {
    for (const name of UNUSED) {
      const amount = value[name];
      if (amount !== undefined) this.#moneyOf(row, name, amount);
    }
  }

  /** Their number first, then one by one: a bad one costs no more than itself. */
  #readDeals(row: number, deals: unknown): void {
    const fault = DEALS.judge(deals);
    if (fault !== undefined) {
      this.#addFault(row, 'deals', fault);
      return;
    }
    DEALS.walk?.(deals, partOf(partOf('', row), 'deals'), this.faults);
    const records = deals as DealRecord[];
    if (records.length > 0) this.#deals.push({ row, records });
  }

  #addFault(row: number, field: string, message: string): void {
    this.faults.add(partOf(partOf('', row), field), message);
  }
}

/** Whether a stretch of bytes is this text; looked at without making a string of it. */
function isAt(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  if (text.length !== end - start) return false;
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[start + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}

const UNUSED = ['margin', 'freeMargin', 'credit'];
const KNOWN = new Set(['accountId', 'brokerTime', 'balance', 'equity', 'deals', ...UNUSED]);
