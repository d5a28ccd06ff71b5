import { ID_PATTERN } from '../contract/primitives.ts';
import { bytesHeld, ownBytes } from '../domain/own-bytes.ts';
import { RecentMap } from '../domain/recent-map.ts';

/**
 * The distinct account ids of some snapshots, in the order of their first rows: as bytes, for
 * transfer to another thread, or as texts.
 */
export class AccountIds {
  readonly count: number;
  /** UTF-8, one id per line. */
  readonly #bytes: Uint8Array | undefined;
  #texts: readonly string[] | undefined;

  private constructor(count: number, bytes: Uint8Array | undefined, texts?: readonly string[]) {
    this.count = count;
    this.#bytes = bytes;
    this.#texts = texts;
  }

  static of(texts: readonly string[]): AccountIds {
    return new AccountIds(texts.length, undefined, texts);
  }

  static read(count: number, bytes: Uint8Array): AccountIds {
    return new AccountIds(count, bytes);
  }

  get texts(): readonly string[] {
    this.#texts ??= this.count === 0 ? [] : Buffer.from(this.bytes).toString().split('\n');
    return this.#texts;
  }

  get bytes(): Uint8Array {
    return this.#bytes ?? Buffer.from((this.#texts ?? []).join('\n'));
  }
}

const ID = new RegExp(ID_PATTERN);
/** Of the orders that are remembered, each by its first id. */
const MAX_ORDER_BYTES = 16 * 1024 * 1024;
/** What an id takes as a text, besides its letters. */
const TEXT_BYTES = 40;

/** The concatenated ids of a body's rows, as bytes, and each one's index among the distinct ids. */
type Order = { rows: number; bytes: Uint8Array; ends: Uint32Array; places: Uint32Array };

type Known = { order: Order; ids: AccountIds };

/**
 * Finds the index of each row's account. Most clients send the same accounts in the same order each
 * time: then a row's id equals that in the previous body, and comparing bytes replaces the lookup.
 */
export class KnownOrders {
  readonly #known = new RecentMap<string, Known>(MAX_ORDER_BYTES, weightOf);

  /** As they are counted. */
  get bytes(): number {
    return this.#known.weight;
  }

  /** Starts a body; ask for its rows in order, from the first on. */
  begin(body: Buffer): RowOrder {
    return new RowOrder(body, this.#known);
  }
}

/** With its ids as texts, of which there are no more than bytes in the order. */
const weightOf = ({ order, ids }: Known, key: string): number => {
  const { bytes, ends, places } = order;
  const own = bytes.byteLength + ends.byteLength + places.byteLength;
  return bytesHeld(key, own + bytes.byteLength + TEXT_BYTES * ids.count);
};

/** The order of one body. */
class RowOrder {
  readonly #body: Buffer;
  readonly #known: RecentMap<string, Known>;
  #expected: Known | undefined;
  #first = '';
  #rows = 0;
  /** Set at the first unexpected row. */
  #places: Map<string, number> | undefined;
  /** Once that is set: the ids and indexes of all rows so far. */
  readonly #texts: string[] = [];
  readonly #rowPlaces: number[] = [];

  constructor(body: Buffer, known: RecentMap<string, Known>) {
    this.#body = body;
    this.#known = known;
  }

  /** The index of the account whose id is at bytes [start, end); undefined if they are no id. */
  placeOf(row: number, start: number, end: number): number | undefined {
    if (row === 0) {
      this.#first = this.#body.toString('latin1', start, end);
      this.#expected = this.#known.get(this.#first);
    }
    this.#rows = row + 1;
    const expected = this.#expected?.order;
    if (expected && this.#isAs(expected, row, start, end)) return expected.places[row];
    if (this.#expected) this.#leave(row);
    return this.#lookUp(start, end);
  }

  /** The ids of all rows. */
  end(): AccountIds {
    const { order, ids } = this.#expected ?? {};
    if (order && ids && order.rows === this.#rows) return ids;
    if (order) this.#leave(this.#rows);
    const found = AccountIds.of([...(this.#places?.keys() ?? [])]);
    this.#known.set(this.#first, { order: this.#order(), ids: found });
    return found;
  }

  #isAs({ rows, bytes, ends }: Order, row: number, start: number, end: number): boolean {
    if (row >= rows) return false;
    const from = row === 0 ? 0 : (ends[row - 1] ?? 0);
    const length = (ends[row] ?? 0) - from;
    if (length !== end - start) return false;
    for (let index = 0; index < length; index += 1) {
      if (bytes[from + index] !== this.#body[start + index]) return false;
    }
    return true;
  }

  /** Leaves the expected order after `rows` rows: from then on ids are looked up. */
  #leave(rows: number): void {
    const order = this.#expected?.order;
    this.#expected = undefined;
    if (!order) return;
    let from = 0;
    for (let row = 0; row < rows; row += 1) {
      const end = order.ends[row] ?? 0;
      this.#note(Buffer.from(order.bytes.subarray(from, end)).toString('latin1'));
      from = end;
    }
  }

  #lookUp(start: number, end: number): number | undefined {
    const id = this.#body.toString('latin1', start, end);
    if (!this.#places?.has(id) && !ID.test(id)) return undefined;
    return this.#note(id);
  }

  #note(id: string): number {
    this.#places ??= new Map();
    const known = this.#places.get(id);
    const place = known ?? this.#places.size;
    if (known === undefined) this.#places.set(id, place);
    this.#texts.push(id);
    this.#rowPlaces.push(place);
    return place;
  }

  #order(): Order {
    const ends = new Uint32Array(this.#texts.length);
    let end = 0;
    this.#texts.forEach((id, row) => {
      end += id.length;
      ends[row] = end;
    });
    return {
      rows: this.#texts.length,
      bytes: ownBytes(this.#texts.join('')),
      ends,
      places: Uint32Array.from(this.#rowPlaces),
    };
  }
}
