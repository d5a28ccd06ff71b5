import { Compile } from 'typebox/compile';
import { MAX_SNAPSHOTS_PER_REQUEST, snapshotDeals } from '../../contract/operations/snapshots.ts';
import { ID_PATTERN, MAX_MONEY } from '../../contract/primitives.ts';
import type { DealRecord } from '../deals/record-deals.ts';
import { type Fault, ServiceError } from '../errors.ts';
import { BrokerTimeReader } from './broker-time-reader.ts';
import { LEAST_BYTES, PlainLines } from './plain-lines.ts';
import type { ReadAccount, ReadAccounts } from './read-account.ts';
import {
  MAX_FAULTS,
  type SnapshotColumns,
  throwFaults,
  type UnknownAccount,
} from './snapshot-batch.ts';

const ID = new RegExp(ID_PATTERN);
/** Three doubles and the place of an account. */
const ROW_BYTES = 28;
const DEALS = Compile(snapshotDeals);

export const isAccountId = (id: string): boolean => ID.test(id);

/**
 * Reads the rows of a body, NDJSON or an array. Throws `validation` naming every fault by its row,
 * `tooLarge` for too many rows. Validation is written out because it is most of what a snapshot costs.
 */
export function readSnapshots<Account extends ReadAccount<Account>>(
  body: Buffer,
  isNdjson: boolean,
  accounts: ReadAccounts<Account>,
): SnapshotColumns<Account> {
  const plain = isNdjson ? readPlainLines(body, accounts) : undefined;
  if (plain) return plain;
  const rows = isNdjson ? parseLines(body.toString()) : parseArray(body.toString());
  if (rows.length > MAX_SNAPSHOTS_PER_REQUEST) {
    const message = `Send at most ${MAX_SNAPSHOTS_PER_REQUEST} snapshots a request`;
    throw new ServiceError('tooLarge', message);
  }
  const reader = new RowReader(rows.length, accounts);
  for (const row of rows) reader.read(row);
  throwFaults(reader.faults);
  return reader.columns();
}

/** Undefined when a line is not plain or has a fault, or there are too many: all is read anew then. */
function readPlainLines<Account extends ReadAccount<Account>>(
  body: Buffer,
  accounts: ReadAccounts<Account>,
): SnapshotColumns<Account> | undefined {
  const lines = new PlainLines(body);
  // The last line may lack its end.
  const most = Math.min(Math.floor((body.length + 1) / LEAST_BYTES), MAX_SNAPSHOTS_PER_REQUEST);
  const reader = new RowReader(most, accounts);
  for (let row = 0; !lines.isOver; row += 1) {
    if (row === most || !lines.next()) return undefined;
    reader.readPlain(body, lines);
  }
  return reader.faults.length === 0 ? reader.columns() : undefined;
}

/** All lines as one array: one call of the parser, and lines one by one only to name the bad ones. */
function parseLines(text: string): unknown[] {
  const trimmed = text.trim();
  if (trimmed === '') return [];
  try {
    return JSON.parse(`[${trimmed.replaceAll('\n', ',')}]`) as unknown[];
  } catch {
    const faults: Fault[] = [];
    const rows = trimmed.split('\n').filter((line) => line.trim() !== '');
    const values = rows.map((line, index) => {
      try {
        return JSON.parse(line) as unknown;
      } catch {
        faults.push({ parameter: `[${index}]`, message: 'is not JSON' });
        return undefined;
      }
    });
    throwFaults(faults);
    return values;
  }
}

function parseArray(text: string): unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throwFaults([{ parameter: 'body', message: 'is not JSON' }]);
  }
  if (!Array.isArray(value)) throwFaults([{ parameter: 'body', message: 'must be an array' }]);
  return value as unknown[];
}

type Fields = {
  accountId: unknown;
  brokerTime: unknown;
  balance: unknown;
  equity: unknown;
  deals: unknown;
};

/** Shared by all requests: the next one is of the same day, too. */
const times = new BrokerTimeReader();

/** Batches that were read; accounts tell by it which one they were met in. */
let batches = 0;

class RowReader<Account extends ReadAccount<Account>> {
  readonly faults: Fault[] = [];
  readonly #accounts: ReadAccounts<Account>;
  /** Of accounts that are not found. */
  readonly #places = new Map<string, number>();
  readonly #listed: (Account | UnknownAccount)[] = [];
  readonly #account: Uint32Array;
  readonly #timeMs: Float64Array;
  readonly #balance: Float64Array;
  readonly #equity: Float64Array;
  readonly #deals: { row: number; records: readonly DealRecord[] }[] = [];
  readonly #batch: number;
  #row = 0;
  #last: Account | undefined;

  constructor(rows: number, accounts: ReadAccounts<Account>) {
    this.#accounts = accounts;
    batches += 1;
    this.#batch = batches;
    // One piece of memory for all columns: a thread hands it over as a whole.
    const buffer = new ArrayBuffer(rows * ROW_BYTES);
    this.#timeMs = new Float64Array(buffer, 0, rows);
    this.#balance = new Float64Array(buffer, rows * 8, rows);
    this.#equity = new Float64Array(buffer, rows * 16, rows);
    this.#account = new Uint32Array(buffer, rows * 24, rows);
  }

  columns(): SnapshotColumns<Account> {
    const rows = this.#row;
    const isFull = rows === this.#account.length;
    return {
      accounts: this.#listed,
      account: isFull ? this.#account : this.#account.subarray(0, rows),
      timeMs: isFull ? this.#timeMs : this.#timeMs.subarray(0, rows),
      balance: isFull ? this.#balance : this.#balance.subarray(0, rows),
      equity: isFull ? this.#equity : this.#equity.subarray(0, rows),
      deals: this.#deals,
    };
  }

  readPlain(
    body: Buffer,
    { idStart, idEnd, timeStart, timeEnd, balance, equity }: PlainLines,
  ): void {
    const row = this.#row;
    this.#row += 1;
    const guess = this.#last?.next;
    if (guess && isAt(body, idStart, idEnd, guess.id)) {
      this.#last = guess;
      this.#account[row] = this.#placeOfAccount(guess);
    } else this.#account[row] = this.#placeOf(row, body.toString('latin1', idStart, idEnd));
    const isSameTime = row > 0 && isAt(body, timeStart, timeEnd, times.text);
    this.#timeMs[row] = isSameTime
      ? (this.#timeMs[row - 1] ?? 0)
      : this.#timeOf(row, body.toString('latin1', timeStart, timeEnd));
    this.#balance[row] = this.#moneyOf(row, 'balance', balance);
    this.#equity[row] = this.#moneyOf(row, 'equity', equity);
  }

  read(value: unknown): void {
    const row = this.#row;
    this.#row += 1;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.#fault(row, '', 'must be an object');
      return;
    }
    for (const name in value) if (!KNOWN.has(name)) this.#fault(row, name, 'is not known');
    const { accountId, brokerTime, balance, equity, deals } = value as Fields;
    this.#account[row] = this.#placeOf(row, accountId);
    this.#timeMs[row] = this.#timeOf(row, brokerTime);
    this.#balance[row] = this.#moneyOf(row, 'balance', balance);
    this.#equity[row] = this.#moneyOf(row, 'equity', equity);
    if (deals !== undefined) this.#readDeals(row, deals);
    this.#checkUnused(row, value as Record<string, unknown>);
  }

  #placeOf(row: number, id: unknown): number {
    if (typeof id === 'string') {
      const account = this.#find(id);
      if (account) return this.#placeOfAccount(account);
      const known = this.#places.get(id);
      if (known !== undefined) return known;
      if (isAccountId(id)) {
        const place = this.#listed.push({ id }) - 1;
        this.#places.set(id, place);
        return place;
      }
    }
    this.#fault(row, 'accountId', id === undefined ? 'is required' : 'must be an account id');
    return 0;
  }

  #placeOfAccount(account: Account): number {
    if (account.batch === this.#batch) return account.batchPlace;
    account.batch = this.#batch;
    account.batchPlace = this.#listed.push(account) - 1;
    return account.batchPlace;
  }

  #find(id: string): Account | undefined {
    const guess = this.#last?.next;
    if (guess?.id === id) {
      this.#last = guess;
      return guess;
    }
    const account = this.#accounts.find(id);
    if (this.#last) this.#last.next = account;
    this.#last = account;
    return account;
  }

  #timeOf(row: number, text: unknown): number {
    if (typeof text === 'string') {
      const timeMs = times.read(text);
      if (timeMs !== undefined) return timeMs;
    }
    const message =
      text === undefined ? 'is required' : 'must be a broker time YYYY-MM-DD HH:mm:ss.SSS';
    this.#fault(row, 'brokerTime', message);
    return 0;
  }

  #moneyOf(row: number, name: string, value: unknown): number {
    if (typeof value === 'number' && value >= -MAX_MONEY && value <= MAX_MONEY) return value;
    const message =
      value === undefined ? 'is required' : `must be a number from -${MAX_MONEY} to ${MAX_MONEY}`;
    this.#fault(row, name, message);
    return 0;
  }

  #checkUnused(row: number, value: Record<string, unknown>): void {
    for (const name of UNUSED) {
      const amount = value[name];
      if (amount !== undefined) this.#moneyOf(row, name, amount);
    }
  }

  #readDeals(row: number, deals: unknown): void {
    if (DEALS.Check(deals)) {
      if (deals.length > 0) this.#deals.push({ row, records: deals });
      return;
    }
    for (const { instancePath, message } of DEALS.Errors(deals)) {
      const path = instancePath.split('/').slice(1);
      const name = path.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`)).join('');
      this.#fault(row, `deals${name}`, message);
    }
  }

  #fault(row: number, name: string, message: string): void {
    if (this.faults.length >= MAX_FAULTS) return;
    this.faults.push({ parameter: name === '' ? `[${row}]` : `[${row}].${name}`, message });
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
