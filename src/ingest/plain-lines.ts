import { POWERS_OF_TEN } from '../domain/money.ts';

const [QUOTE, BACKSLASH, NEWLINE, SPACE, DELETE] = [34, 92, 10, 32, 127];
const [MINUS, POINT, ZERO, NINE] = [45, 46, 48, 57];
/** With up to this many digits, integer ÷ power of ten gives the same double as JSON.parse. */
const MAX_DIGITS = 15;

/** The text before a value: as bytes, and as whole words of four bytes for faster comparison. */
type Key = { bytes: Uint8Array; words: Uint32Array };

function keyOf(text: string): Key {
  const bytes = Buffer.from(text);
  const words = new Uint32Array(Math.floor(bytes.length / 4));
  for (let word = 0; word < words.length; word += 1) words[word] = bytes.readUInt32LE(word * 4);
  return { bytes, words };
}

const ACCOUNT_ID = keyOf('{"accountId":');
const BROKER_TIME = keyOf(',"brokerTime":');
const BALANCE = keyOf(',"balance":');
const EQUITY = keyOf(',"equity":');
const END = keyOf('}');

/** A lower bound for the bytes of a line and its end. */
export const LEAST_BYTES = 71;

/**
 * Reads snapshots in the form sent by nearly all clients: one per line, four fields in the usual
 * order, ids and times without escapes, numbers without exponents. Reading straight from the bytes,
 * without a string or an object per row, takes a third of the time of JSON.parse. All else is left
 * to JSON.parse.
 */
export class PlainLines {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;
  /** The fields of the line read last; texts as their start and end in the bytes. */
  idStart = 0;
  idEnd = 0;
  timeStart = 0;
  timeEnd = 0;
  balance = 0;
  equity = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** True when all bytes were read. */
  get isOver(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** Reads the next line; false if it is not in plain form. */
  next(): boolean {
    if (!this.#expect(ACCOUNT_ID) || !this.#text()) return false;
    this.idStart = this.timeStart;
    this.idEnd = this.timeEnd;
    if (!this.#expect(BROKER_TIME) || !this.#text()) return false;
    if (!this.#expect(BALANCE)) return false;
    this.balance = this.#number();
    if (!this.#expect(EQUITY)) return false;
    this.equity = this.#number();
    if (Number.isNaN(this.balance + this.equity) || !this.#expect(END)) return false;
    if (this.isOver) return true;
    if (this.#bytes[this.#at] !== NEWLINE) return false;
    this.#at += 1;
    return true;
  }

  /** Consumes a key with its punctuation, with or without a space before and after. */
  #expect({ bytes: key, words }: Key): boolean {
    const bytes = this.#bytes;
    let at = this.#at;
    let index = this.#equalBytes(words);
    for (; index < key.length; index += 1) {
      if (bytes[at + index] === key[index]) continue;
      // Some clients write `, "`.
      if (index !== 1 || bytes[at + 1] !== SPACE) return false;
      at += 1;
      index -= 1;
    }
    at += key.length;
    this.#at = bytes[at] === SPACE ? at + 1 : at;
    return true;
  }

  /** How many bytes from here on equal these words. Comparing four at once is most of the gain. */
  #equalBytes(words: Uint32Array): number {
    const at = this.#at;
    if (at + words.length * 4 > this.#bytes.length) return 0;
    for (let word = 0; word < words.length; word += 1) {
      if (this.#view.getUint32(at + word * 4, true) !== words[word]) return word * 4;
    }
    return words.length * 4;
  }

  /** Consumes a quoted string of printable ASCII. */
  #text(): boolean {
    const bytes = this.#bytes;
    if (bytes[this.#at] !== QUOTE) return false;
    const start = this.#at + 1;
    let end = start;
    for (;;) {
      const byte = bytes[end] ?? DELETE;
      if (byte === QUOTE) break;
      if (byte < SPACE || byte >= DELETE || byte === BACKSLASH) return false;
      end += 1;
    }
    this.timeStart = start;
    this.timeEnd = end;
    this.#at = end + 1;
    return true;
  }

  /** Consumes a number; NaN if it is not in plain form. */
  #number(): number {
    const bytes = this.#bytes;
    const isNegative = bytes[this.#at] === MINUS;
    const start = isNegative ? this.#at + 1 : this.#at;
    let at = start;
    let value = 0;
    let point = -1;
    for (; ; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte >= ZERO && byte <= NINE) value = value * 10 + (byte - ZERO);
      else if (byte === POINT && point < 0) point = at;
      else break;
    }
    const digits = at - start - (point < 0 ? 0 : 1);
    const whole = (point < 0 ? at : point) - start;
    const fraction = digits - whole;
    this.#at = at;
    const isWell = whole > 0 && digits <= MAX_DIGITS && (point < 0 || fraction > 0);
    if (!isWell || (whole > 1 && bytes[start] === ZERO)) return Number.NaN;
    const number = value / (POWERS_OF_TEN[fraction] ?? Number.NaN);
    return isNegative ? -number : number;
  }
}
