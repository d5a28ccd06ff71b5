import { compileCheck } from '../contract/check.ts';
import { Faults } from '../contract/faults.ts';
import { type DealRecord, MAX_DEALS_PER_REQUEST } from '../contract/operations/deals.ts';
import {
  MAX_SNAPSHOTS_PER_REQUEST,
  recordSnapshotsOperation,
  type SnapshotRecord,
} from '../contract/operations/snapshots.ts';
import { MAX_MONEY } from '../contract/primitives.ts';
import { readJson, readNdjson, type Steps } from '../contract/read-json.ts';
import { type BrokerTimeMs, parseBrokerTime } from '../domain/broker-time.ts';
import { FORMATS, VALID_TIME } from '../domain/formats.ts';
import { type Columns, GrowingColumns } from '../journal/entry.ts';
import { AccountIds, KnownOrders } from './account-ids.ts';
import { LEAST_BYTES, PlainLines } from './plain-lines.ts';
import { Rejection, rejectFaults } from './rejection.ts';

/** The rows of a received body: their accounts are indexes among the ids. */
export type SnapshotBody = Columns & {
  ids: AccountIds;
  deals: readonly { row: number; records: readonly DealRecord[] }[];
};

/**
 * Reads the rows of bodies, NDJSON or an array. Nearly all are plain lines, whose check is
 * hand-written because it is most of a snapshot's cost; all others, and lines with a fault, are
 * read by the contract. The memory of a body is only compared with the next one.
 */
export class SnapshotReading {
  readonly #times = new BrokerTimeReader();
  readonly #orders = new KnownOrders();
  readonly #check = compileCheck(recordSnapshotsOperation.body, {
    ...FORMATS,
    'broker-time': { holds: (text) => this.#times.read(text) !== undefined, expected: VALID_TIME },
  });

  /** Reads a body without a pause. */
  read(body: Buffer, isNdjson: boolean): SnapshotBody {
    const steps = this.steps(body, isNdjson);
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
    }
  }

  /** Reads a body in steps. Throws Rejection: too many rows, or their faults by row. */
  *steps(body: Buffer, isNdjson: boolean): Steps<SnapshotBody> {
    const plain = isNdjson ? this.#readPlainLines(body) : undefined;
    if (plain) return plain;
    const faults = new Faults();
    const read = yield* (isNdjson ? readNdjson : readJson)(body, this.#check, faults);
    if (read === 'tooMany') throw tooMany(MAX_SNAPSHOTS_PER_REQUEST, 'snapshots');
    rejectFaults(faults);
    // Just proved by the check.
    return this.#columnsOf(read.value as SnapshotRecord[]);
  }

  /** Undefined if a line is not in plain form or has a fault, or if there are too many. */
  #readPlainLines(body: Buffer): SnapshotBody | undefined {
    const lines = new PlainLines(body);
    // The last line may lack its line end.
    const most = Math.min(Math.floor((body.length + 1) / LEAST_BYTES), MAX_SNAPSHOTS_PER_REQUEST);
    const rows = new GrowingColumns(most);
    const order = this.#orders.begin(body);
    let timeMs: number | undefined;
    for (let row = 0; !lines.isOver; row += 1) {
      if (row === most || !lines.next()) return undefined;
      const { timeStart, timeEnd, balance, equity } = lines;
      const place = order.placeOf(row, lines.idStart, lines.idEnd);
      const isSameTime = row > 0 && isAt(body, timeStart, timeEnd, this.#times.text);
      if (!isSameTime) timeMs = this.#times.read(body.toString('latin1', timeStart, timeEnd));
      if (place === undefined || timeMs === undefined) return undefined;
      if (!isMoney(balance, equity)) return undefined;
      rows.add(place, timeMs, balance, equity);
    }
    return { ...rows, ids: order.end(), deals: [] };
  }

  #columnsOf(records: readonly SnapshotRecord[]): SnapshotBody {
    const rows = new GrowingColumns(records.length);
    const places = new Map<string, number>();
    const withDeals: SnapshotBody['deals'][number][] = [];
    let count = 0;
    for (const { accountId, brokerTime, balance, equity, deals = [] } of records) {
      const place = places.get(accountId) ?? places.size;
      places.set(accountId, place);
      const row = rows.add(place, this.#times.read(brokerTime) ?? 0, balance, equity);
      if (deals.length > 0) withDeals.push({ row, records: deals });
      count += deals.length;
    }
    if (count > MAX_DEALS_PER_REQUEST) throw tooMany(MAX_DEALS_PER_REQUEST, 'deals');
    return { ...rows, ids: AccountIds.of([...places.keys()]), deals: withDeals };
  }
}

const tooMany = (most: number, what: string): Rejection =>
  new Rejection('tooLarge', `Send at most ${most} ${what} in one request`);

const isMoney = (balance: number, equity: number): boolean =>
  balance >= -MAX_MONEY && balance <= MAX_MONEY && equity >= -MAX_MONEY && equity <= MAX_MONEY;

/** Whether bytes [start, end) are this text, compared without making a string. */
function isAt(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  if (text.length !== end - start) return false;
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[start + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}

const DATE_LENGTH = 10;
const SECONDS_LENGTH = 19;
const MILLISECONDS_LENGTH = 23;
const [ZERO, COLON, SPACE, DOT] = [48, 58, 32, 46];

/**
 * Reads broker times as parseBrokerTime does, but remembers the last text and date: a batch has
 * thousands of times of one day, and often of one moment.
 */
export class BrokerTimeReader {
  /** The last text read. */
  text = '';
  #timeMs: BrokerTimeMs | undefined;
  #date = '';
  #dateMs = 0;

  read(text: string): BrokerTimeMs | undefined {
    if (text === this.text) return this.#timeMs;
    this.#timeMs = this.#parse(text);
    this.text = text;
    return this.#timeMs;
  }

  #parse(text: string): BrokerTimeMs | undefined {
    const isLong = text.length === MILLISECONDS_LENGTH;
    if ((!isLong && text.length !== SECONDS_LENGTH) || !text.startsWith(this.#date)) {
      return this.#parseDate(text);
    }
    if (this.#date === '') return this.#parseDate(text);
    const hour = twoDigits(text, 11);
    const minute = twoDigits(text, 14);
    const second = twoDigits(text, 17);
    const isPunctuated =
      text.charCodeAt(10) === SPACE &&
      text.charCodeAt(13) === COLON &&
      text.charCodeAt(16) === COLON;
    if (!isPunctuated || !(hour < 24) || !(minute < 60) || !(second < 60)) return undefined;
    let ms = 0;
    if (isLong) {
      const last = text.charCodeAt(22) - ZERO;
      ms = twoDigits(text, 20) * 10 + last;
      if (text.charCodeAt(19) !== DOT || !(last >= 0 && last <= 9) || !(ms >= 0)) return undefined;
    }
    return this.#dateMs + ((hour * 60 + minute) * 60 + second) * 1000 + ms;
  }

  #parseDate(text: string): BrokerTimeMs | undefined {
    const timeMs = parseBrokerTime(text);
    if (timeMs === undefined) return undefined;
    this.#date = text.slice(0, DATE_LENGTH);
    this.#dateMs = parseBrokerTime(`${this.#date} 00:00:00`) ?? 0;
    return timeMs;
  }
}

/** NaN unless both are digits. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - ZERO;
  const ones = text.charCodeAt(at + 1) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}
