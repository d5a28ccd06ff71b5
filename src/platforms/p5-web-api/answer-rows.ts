import { TransportError } from '../connection/transport-error.ts';
import { isRecord, type P5Record } from './record.ts';

const QUOTE = 0x22;
const ESCAPE = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
/** No row of the platform comes near it. */
const MAX_ROW_BYTES = 1024 * 1024;
/** What stands between rows. */
const SEPARATOR = /^[\s,]*/;
const ANSWER_KEY = /"answer"\s*:\s*$/;

/**
 * Reads `{"retcode": …, "answer": [{…}, {…}]}` while it arrives: the objects of the answer are handed
 * on one by one, so that 20 MB of them neither stop the process while they are parsed nor lie in
 * memory as one text.
 */
export class AnswerRows {
  readonly #onRow: (row: P5Record) => void;
  #depth = 0;
  #inText = false;
  #escaped = false;
  /** Whether what lies right below the root is the answer, and an array. */
  #inAnswer = false;
  /** The beginning of a row whose end has not arrived. */
  #held: Buffer = Buffer.alloc(0);
  /** All that is no row. */
  readonly #envelope: Buffer[] = [];
  #afterRow = false;

  constructor(onRow: (row: P5Record) => void) {
    this.#onRow = onRow;
  }

  /** Throws TransportError for what is no JSON. */
  push(chunk: Buffer): void {
    const isHeld = this.#held.length > 0;
    const bytes = isHeld ? Buffer.concat([this.#held, chunk]) : chunk;
    let rowStart = isHeld ? 0 : -1;
    let restStart = 0;
    for (let place = this.#held.length; place < bytes.length; place += 1) {
      const byte = bytes[place];
      if (this.#inText) this.#readText(byte);
      else if (byte === QUOTE) this.#inText = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        this.#depth += 1;
        if (this.#depth === 2)
          this.#inAnswer = byte === OPEN_ARRAY && this.#isAnswer(bytes.subarray(restStart, place));
        if (this.#depth !== 3 || !this.#inAnswer || byte !== OPEN_OBJECT) continue;
        this.#keep(bytes.subarray(restStart, place));
        rowStart = place;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        this.#depth -= 1;
        if (this.#depth !== 2 || rowStart < 0) continue;
        restStart = place + 1;
        this.#hand(bytes.subarray(rowStart, restStart));
        rowStart = -1;
      }
    }
    if (rowStart < 0) this.#keep(bytes.subarray(restStart));
    this.#held = rowStart < 0 ? Buffer.alloc(0) : Buffer.from(bytes.subarray(rowStart));
    if (this.#held.length > MAX_ROW_BYTES)
      throw new TransportError('A row of the answer is too large', { sent: true });
  }

  /** What there was beside the rows. Throws TransportError when that is no whole object. */
  end(): P5Record {
    const envelope = parse(Buffer.concat(this.#envelope));
    if (!isRecord(envelope) || this.#held.length > 0)
      throw new TransportError('The server sent no valid JSON', { sent: true });
    return envelope;
  }

  #readText(byte: number | undefined): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === ESCAPE) this.#escaped = true;
    else if (byte === QUOTE) this.#inText = false;
  }

  /** Whether the value that comes next is that of the key `answer`. */
  #isAnswer(before: Buffer): boolean {
    return ANSWER_KEY.test(Buffer.concat([...this.#envelope, before]).toString('latin1'));
  }

  #hand(bytes: Buffer): void {
    const row = parse(bytes);
    this.#afterRow = true;
    if (isRecord(row)) this.#onRow(row);
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

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new TransportError('The server sent no valid JSON', { sent: true });
  }
}
