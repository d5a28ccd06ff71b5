import type { Check } from './check.ts';
import { type Faults, partOf } from './faults.ts';
import { unknownName } from './nearest.ts';

/** Longer bodies are read part by part; at this length, JSON.parse takes a millisecond at worst. */
const PIECE_BYTES = 16 * 1024;
/** Bytes scanned between two yields to other work. */
const BYTES_PER_STEP = 64 * 1024;
/** Fields of one record beyond the known ones; a record with more is refused unread. */
const MAX_UNKNOWN_FIELDS = 100;

const [SPACE, TAB, NEWLINE, RETURN] = [0x20, 0x09, 0x0a, 0x0d];
const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [LIST, LIST_END, RECORD, RECORD_END] = [0x5b, 0x5d, 0x7b, 0x7d];
/** Most spaces and line breaks skipped at one place. */
const MAX_BLANKS = 64 * 1024;
/** Longer than any text of the contract. */
const OVERLONG = 'x'.repeat(64 * 1024);
const NOT_JSON = 'is not valid JSON';

/** Yields to let other work run; returns the outcome. */
export type Steps<T> = Generator<undefined, T>;

/** Positions of the parts of a list or a record; `colon` is that of a field. */
type Part = { start: number; colon: number; end: number };
/** Undefined: the brackets don't match. `isCut`: there are too many parts. */
type Parts = { list: Part[]; isCut: boolean } | undefined;

/** `tooMany`: the body is a list with more rows than the operation accepts. */
export type ReadBody = { value: unknown } | 'tooMany';

/**
 * Reads a JSON body by its schema. A large one is read part by part, counts before contents, until
 * the faults are full, so that no body costs more than its schema allows.
 */
export function* readJson(body: Buffer, check: Check, faults: Faults): Steps<ReadBody> {
  const reader = new PieceReader(body, faults);
  const whole = { start: startOf(body), colon: -1, end: body.length };
  const value = yield* reader.read(whole, check, '');
  return reader.hasTooManyRows ? 'tooMany' : { value };
}

/** Reads rows of NDJSON, a line each; blank lines are no rows. Lines are counted first. */
export function* readNdjson(body: Buffer, check: Check, faults: Faults): Steps<ReadBody> {
  const { items, maxItems = Number.POSITIVE_INFINITY } = check;
  if (!items) throw new Error('Invariant: rows of what is no list');
  const lines = linesOf(body, maxItems);
  if (!lines) return 'tooMany';
  const rows = yield* filled(body, lines);
  return { value: yield* new PieceReader(body, faults).readRows(rows, items, '') };
}

/** After the byte order mark, which some editors write. */
const startOf = (body: Buffer): number =>
  body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0;

function linesOf(body: Buffer, most: number): Part[] | undefined {
  const lines: Part[] = [];
  for (let start = startOf(body); start < body.length; ) {
    const newline = body.indexOf(NEWLINE, start);
    const end = newline < 0 ? body.length : newline;
    if (lines.length >= most) return undefined;
    lines.push({ start, colon: -1, end });
    start = end + 1;
  }
  return lines;
}

/** The lines with rows. */
function* filled(body: Buffer, lines: readonly Part[]): Steps<Part[]> {
  const rows: Part[] = [];
  let rest = BYTES_PER_STEP;
  for (const line of lines) {
    if (!isBlank(body, line.start, line.end)) rows.push(line);
    if (line.end < rest) continue;
    rest = line.end + BYTES_PER_STEP;
    yield;
  }
  return rows;
}

class PieceReader {
  readonly #body: Buffer;
  readonly #faults: Faults;
  hasTooManyRows = false;

  constructor(body: Buffer, faults: Faults) {
    this.#body = body;
    this.#faults = faults;
  }

  *read(part: Part, check: Check, at: string): Steps<unknown> {
    const { properties, items } = check;
    if (part.end - part.start > PIECE_BYTES) {
      const first = this.#body[firstOf(this.#body, part)] ?? SPACE;
      if (isBlankByte(first)) return this.#add(at, NOT_JSON);
      if (first === LIST && items) return yield* this.#readList(part, check, items, at);
      if (first === RECORD && properties) {
        return yield* this.#readRecord(part, check, properties, at);
      }
      if (first === LIST || first === RECORD) {
        // Not as expected, whatever follows.
        return this.#add(at, check.judge(first === LIST ? [] : {}) ?? NOT_JSON);
      }
      const { longestBytes = PIECE_BYTES } = check;
      if (part.end - part.start > longestBytes) {
        return this.#add(at, check.judge(OVERLONG) ?? NOT_JSON);
      }
    }
    return this.#parse(part, check, at);
  }

  /** Reads rows until the faults are full. */
  *readRows(rows: readonly Part[], check: Check, at: string): Steps<unknown[]> {
    const values: unknown[] = [];
    for (const row of rows) {
      if (this.#faults.isFull) break;
      const place = partOf(at, values.length);
      // A separate generator for each row would cost as much as the row.
      if (row.end - row.start <= PIECE_BYTES) values.push(this.#parse(row, check, place));
      else values.push(yield* this.read(row, check, place));
      yield;
    }
    return values;
  }

  #parse({ start, end }: Part, check: Check, at: string): unknown {
    let value: unknown;
    try {
      value = JSON.parse(this.#body.toString('utf8', start, end));
    } catch {
      this.#add(at, NOT_JSON);
      return undefined;
    }
    if (at === '' && Array.isArray(value) && value.length > (check.maxItems ?? 0)) {
      this.hasTooManyRows = check.items !== undefined;
    }
    const fault = check.judge(value);
    if (fault !== undefined) this.#add(at, fault);
    else check.walk?.(value, at, this.#faults);
    return value;
  }

  *#readList(part: Part, check: Check, items: Check, at: string): Steps<unknown> {
    const most = check.maxItems ?? Number.POSITIVE_INFINITY;
    const parts = yield* partsOf(this.#body, part, most);
    if (!parts) return this.#add(at, NOT_JSON);
    if (parts.isCut) {
      if (at === '') this.hasTooManyRows = true;
      return this.#add(at, `must have at most ${most} items`);
    }
    const list = yield* this.readRows(parts.list, items, at);
    const fault = check.judge(list);
    if (fault !== undefined) this.#add(at, fault);
    return list;
  }

  *#readRecord(
    part: Part,
    check: Check,
    properties: ReadonlyMap<string, Check>,
    at: string,
  ): Steps<unknown> {
    const parts = yield* partsOf(this.#body, part, properties.size + MAX_UNKNOWN_FIELDS);
    if (!parts) return this.#add(at, NOT_JSON);
    if (parts.isCut) return this.#add(at, 'has too many fields');
    const record: Record<string, unknown> = {};
    for (const { start, colon, end } of parts.list) {
      if (this.#faults.isFull) return undefined;
      const name = this.#nameOf(start, colon);
      if (name === undefined) return this.#add(at, NOT_JSON);
      const property = properties.get(name);
      if (property) {
        const value = { start: colon + 1, colon: -1, end };
        record[name] = yield* this.read(value, property, partOf(at, name));
      } else if (check.isClosed) this.#add(partOf(at, name), unknownName(name, properties.keys()));
      yield;
    }
    for (const name of check.required ?? []) {
      if (!Object.hasOwn(record, name)) this.#add(partOf(at, name), 'is required');
    }
    return record;
  }

  #nameOf(start: number, colon: number): string | undefined {
    if (colon < 0 || colon - start > PIECE_BYTES) return undefined;
    try {
      const name: unknown = JSON.parse(this.#body.toString('utf8', start, colon));
      return typeof name === 'string' ? name : undefined;
    } catch {
      return undefined;
    }
  }

  #add(at: string, message: string): undefined {
    this.#faults.add(at === '' ? 'body' : at, message);
    return undefined;
  }
}

/**
 * The parts of a list or record, found by its brackets, commas and quotes alone. Whether each part
 * is valid JSON is decided by the parser.
 */
function* partsOf(body: Buffer, { start, end }: Part, most: number): Steps<Parts> {
  const list: Part[] = [];
  const open = firstOf(body, { start, end });
  let from = open + 1;
  let colon = -1;
  let depth = 0;
  let rest = from + BYTES_PER_STEP;
  for (let at = from; at < end; at += 1) {
    if (at >= rest) {
      rest = at + BYTES_PER_STEP;
      yield;
    }
    const byte = body[at];
    if (byte === QUOTE) {
      let stop = Math.min(end, at + BYTES_PER_STEP);
      at = endOfText(body, at + 1, stop);
      // A text may be as long as the body. A generator for each would cost as much as the text.
      while (at >= stop && at < end) {
        yield;
        stop = Math.min(end, at + BYTES_PER_STEP);
        at = endOfText(body, at, stop);
      }
    } else if (byte === LIST || byte === RECORD) depth += 1;
    else if (byte === COLON && depth === 0 && colon < 0) colon = at;
    else if (byte === COMMA && depth === 0) {
      list.push({ start: from, colon, end: at });
      if (list.length >= most) return { list, isCut: true };
      from = at + 1;
      colon = -1;
    } else if (byte === LIST_END || byte === RECORD_END) {
      depth -= 1;
      if (depth >= 0) continue;
      const isEmpty = list.length === 0 && isBlank(body, from, at);
      if (!isEmpty) list.push({ start: from, colon, end: at });
      const isPair = byte === (body[open] === LIST ? LIST_END : RECORD_END);
      return isPair && isBlank(body, at + 1, end) ? { list, isCut: false } : undefined;
    }
  }
  return undefined;
}

/**
 * Position of a text's closing quote, searched from inside of it; beyond the end if there is none
 * before.
 */
function endOfText(body: Buffer, start: number, end: number): number {
  let at = start;
  for (; at < end; at += 1) {
    const byte = body[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at += 1;
  }
  return at;
}

/** The first byte that is not blank, or the one after too many blanks. */
function firstOf(body: Buffer, { start, end }: Pick<Part, 'start' | 'end'>): number {
  const last = Math.min(end, start + MAX_BLANKS);
  let at = start;
  while (at < last && isBlankByte(body[at] ?? 0)) at += 1;
  return at;
}

const isBlank = (body: Buffer, start: number, end: number): boolean =>
  firstOf(body, { start, end }) >= end;

const isBlankByte = (byte: number): boolean =>
  byte === SPACE || byte === NEWLINE || byte === RETURN || byte === TAB;
