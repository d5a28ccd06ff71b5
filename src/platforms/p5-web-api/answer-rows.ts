import { TransportError } from '../connection/transport-error.ts';
import { isRecord, type P5Record } from './record.ts';

const QUOTE = 0x22;
const ESCAPE = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
/** Answers up to this are parsed at once, in a millisecond or two. */
const SMALL_BYTES = 256 * 1024;
/** No row of the platform comes near this. */
const MAX_ROW_BYTES = 1024 * 1024;
/** The characters between rows. */
const SEPARATOR = /^[\s,]*/;
const ANSWER_KEY = /"answer"\s*:\s*$/;

/** Depth, in a text, after an escape, in the array of the answer. */
type Place = [depth: number, inText: boolean, isEscaped: boolean, inAnswer: boolean];

/**
 * Reads `{"retcode": …, "answer": [{…}, {…}]}`. The objects of a large answer are passed on while
 * it arrives, so that 20 MB neither block the process during parsing nor lie in memory as one text.
 */
export class AnswerRows {
  readonly #onRow: (row: P5Record) => void;
  readonly #smallBytes: number;
  /** The whole answer, as long as it is small. */
  #small: Buffer[] = [];
  #size = 0;
  #place: Place = [0, false, false, false];
  /** The beginning of a row whose end has not arrived. */
  #held: Buffer = Buffer.alloc(0);
  /** Everything outside of rows. */
  readonly #envelope: Buffer[] = [];
  #afterRow = false;

  constructor(onRow: (row: P5Record) => void, smallBytes: number = SMALL_BYTES) {
    this.#onRow = onRow;
    this.#smallBytes = smallBytes;
  }

  /** Throws TransportError if it is not JSON. */
  push(chunk: Buffer): void {
    this.#size += chunk.length;
    this.#small.push(chunk);
    if (this.#size > this.#smallBytes) for (const part of this.#small.splice(0)) this.#cut(part);
  }

  /** Everything besides the rows. Throws TransportError if that is no complete object. */
  end(): P5Record {
    const isSmall = this.#size <= this.#smallBytes;
    const rest = isSmall ? this.#small : this.#envelope;
    const envelope = parse(Buffer.concat(rest).toString('utf8'));
    if (!isRecord(envelope) || this.#held.length > 0)
      throw new TransportError('The server sent no valid JSON', { sent: true });
    if (!isSmall || !Array.isArray(envelope.answer)) return envelope;
    for (const row of envelope.answer.filter(isRecord)) this.#onRow(row);
    return envelope;
  }

  #cut(chunk: Buffer): void {
    const bytes = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk;
    let rowStart = this.#held.length > 0 ? 0 : -1;
    /** Complete rows in succession, which are parsed at once. */
    let [runStart, runEnd] = [rowStart, rowStart];
    let restStart = 0;
    // Locals: this loop sees every byte.
    let [depth, inText, isEscaped, inAnswer] = this.#place;
    for (let place = this.#held.length; place < bytes.length; place += 1) {
      const byte = bytes[place];
      if (inText) {
        if (isEscaped) isEscaped = false;
        else if (byte === ESCAPE) isEscaped = true;
        else if (byte === QUOTE) inText = false;
      } else if (byte === QUOTE) inText = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        depth += 1;
        if (depth === 2)
          inAnswer = byte === OPEN_ARRAY && this.#isAnswer(bytes.subarray(restStart, place));
        if (depth !== 3 || !inAnswer || byte !== OPEN_OBJECT) continue;
        rowStart = place;
        if (runStart >= 0) continue;
        this.#keep(bytes.subarray(restStart, place));
        runStart = place;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        depth -= 1;
        if (depth === 2 && rowStart >= 0) {
          runEnd = place + 1;
          restStart = runEnd;
          rowStart = -1;
        } else if (depth === 1 && runStart >= 0) {
          this.#report(bytes.subarray(runStart, runEnd));
          runStart = -1;
        }
      }
    }
    this.#place = [depth, inText, isEscaped, inAnswer];
    if (runStart >= 0 && runEnd > runStart) this.#report(bytes.subarray(runStart, runEnd));
    if (rowStart < 0) this.#keep(bytes.subarray(restStart));
    this.#held = rowStart < 0 ? Buffer.alloc(0) : Buffer.from(bytes.subarray(rowStart));
    if (this.#held.length > MAX_ROW_BYTES)
      throw new TransportError('A row of the answer is too large', { sent: true });
  }

  /** Whether the next value is that of the key `answer`. */
  #isAnswer(before: Buffer): boolean {
    return ANSWER_KEY.test(Buffer.concat([...this.#envelope, before]).toString('latin1'));
  }

  #report(run: Buffer): void {
    const rows = parse(`[${run.toString('utf8')}]`);
    this.#afterRow = true;
    if (Array.isArray(rows)) for (const row of rows) this.#onRow(row);
  }

  #keep(bytes: Buffer): void {
    let start = 0;
    if (this.#afterRow) {
      start = SEPARATOR.exec(bytes.toString('latin1'))?.[0].length ?? 0;
      if (start < bytes.length) this.#afterRow = false;
    }
    if (start < bytes.length) this.#envelope.push(Buffer.from(bytes.subarray(start)));
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new TransportError('The server sent no valid JSON', { sent: true });
  }
}
