import type { DealType } from '../../words/deals.ts';
import type { CountedTrade } from './counted-trade.ts';
import { tenthsOf } from './trade-groups.ts';

/** How much of a comment is kept for statistics. */
export const COMMENT_KEPT = 64;

const NUMBERS = [
  ...(['openTimeMs', 'closeTimeMs', 'profit', 'swap', 'commission', 'fee', 'volume'] as const),
  ...(['pipTenths', 'risk', 'reward', 'marketValue', 'magic', 'closeBalance'] as const),
];
const TEXTS = ['type', 'symbol', 'comment'] as const;
type NumberName = (typeof NUMBERS)[number];
type TextName = (typeof TEXTS)[number];

/** Where each column begins; the last one marks incomplete trades. */
const PLACES = Object.fromEntries([...NUMBERS, ...TEXTS].map((name, place) => [name, place])) as {
  [Name in NumberName | TextName]: number;
};
const INCOMPLETE = NUMBERS.length + TEXTS.length;

/** Bytes of each number of a column; none if all are the base; 8 for doubles that may be NaN. */
type Width = 0 | 1 | 2 | 4 | 8;
type Head = {
  count: number;
  ids: string[];
  /** The different texts of each column. */
  texts: Record<TextName, (string | null)[]>;
  /** The columns of numbers, of indexes of texts, and of flags. */
  columns: [base: number | null, width: Width][];
};

/**
 * Trades as columns of numbers, for statistics that go over many: an eighth of the bytes of their
 * JSON, and read in a twentieth of the time. A column holds whole numbers as their distance from
 * the least, in as many bytes as the largest needs; other numbers as doubles.
 */
export function encodeTrades(trades: readonly CountedTrade[]): Uint8Array {
  const texts = { type: [], symbol: [], comment: [] } as Head['texts'];
  const columns = [
    ...NUMBERS.map((name) => trades.map((trade) => numberOf(trade, name))),
    ...TEXTS.map((name) => placesOf(trades, name, texts[name])),
    trades.map(({ incomplete }) => Number(incomplete ?? false)),
  ].map(columnOf);
  const head: Head = {
    count: trades.length,
    ids: trades.map(({ id }) => id),
    texts,
    columns: columns.map(({ base, width }) => [base, width]),
  };
  const json = new TextEncoder().encode(JSON.stringify(head));
  const start = aligned(HEAD_LENGTH_BYTES + json.length);
  const parts = columns.map(({ bytes }) => bytes);
  const size = parts.reduce((sum, { length }) => sum + aligned(length), start);
  const all = new Uint8Array(size);
  new DataView(all.buffer).setUint32(0, json.length, true);
  all.set(json, HEAD_LENGTH_BYTES);
  let at = start;
  for (const bytes of parts) {
    all.set(bytes, at);
    at += aligned(bytes.length);
  }
  return all;
}

const numberOf = (trade: CountedTrade, name: (typeof NUMBERS)[number]): number | undefined => {
  if (name !== 'pipTenths') return trade[name];
  return trade.pips === undefined ? undefined : tenthsOf(trade.pips);
};

const HEAD_LENGTH_BYTES = 4;
const aligned = (bytes: number): number => Math.ceil(bytes / 8) * 8;

function placesOf(trades: readonly CountedTrade[], name: TextName, texts: (string | null)[]) {
  const places = new Map<string | null, number>();
  return trades.map((trade) => {
    const text = trade[name]?.slice(0, COMMENT_KEPT) ?? null;
    const known = places.get(text);
    if (known !== undefined) return known;
    places.set(text, texts.length);
    return texts.push(text) - 1;
  });
}

type Column = { base: number | null; width: Width; bytes: Uint8Array };

function columnOf(values: readonly (number | undefined)[]): Column {
  const [first] = values;
  if (values.every((value) => value === first))
    return { base: first ?? null, width: 0, bytes: new Uint8Array() };
  const isWhole = values.every((value) => value !== undefined && Number.isSafeInteger(value));
  const known = isWhole ? (values as readonly number[]) : [0];
  const base = Math.min(...known);
  const span = Math.max(...known) - base;
  if (!isWhole || span > 0xff_ff_ff_ff) {
    const doubles = Float64Array.from(values, (value) => value ?? Number.NaN);
    return { base: 0, width: 8, bytes: new Uint8Array(doubles.buffer) };
  }
  const width = span <= 0xff ? 1 : span <= 0xff_ff ? 2 : 4;
  const numbers = new ARRAYS[width](known.map((value) => value - base));
  return { base, width, bytes: new Uint8Array(numbers.buffer) };
}

const ARRAYS = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: Float64Array };

/** Trades that `encodeTrades` wrote. */
export class TradeColumns {
  readonly #head: Head;
  readonly #columns: { base: number; values: ArrayLike<number> | undefined }[];

  constructor(bytes: Uint8Array) {
    // Bytes from drivers and other threads need not be aligned for doubles; a copy is aligned.
    const own = new Uint8Array(bytes);
    const length = new DataView(own.buffer).getUint32(0, true);
    const json = own.subarray(HEAD_LENGTH_BYTES, HEAD_LENGTH_BYTES + length);
    this.#head = JSON.parse(new TextDecoder().decode(json)) as Head;
    let at = aligned(HEAD_LENGTH_BYTES + length);
    this.#columns = this.#head.columns.map(([base, width]) => {
      if (width === 0) return { base: base ?? Number.NaN, values: undefined };
      const values = new ARRAYS[width](own.buffer, at, this.count);
      at += aligned(this.count * width);
      return { base: base ?? 0, values };
    });
  }

  get count(): number {
    return this.#head.count;
  }

  /** The different comments of the trades, as far as they are kept. */
  get comments(): string[] {
    return this.#head.texts.comment.map((comment) => comment ?? '');
  }

  /** Whether some trade may have the text; if not, none has. */
  has(name: 'symbol', text: string): boolean {
    return this.#head.texts[name].includes(text);
  }

  at(index: number): CountedTrade {
    const pipTenths = this.#maybe('pipTenths', index);
    return {
      id: this.#head.ids[index] ?? '',
      type: (this.#text('type', index) ?? 'DEAL_TYPE_OTHER') as DealType,
      symbol: this.#text('symbol', index),
      comment: this.#text('comment', index),
      volume: this.#of('volume', index),
      openTimeMs: this.#of('openTimeMs', index),
      closeTimeMs: this.#of('closeTimeMs', index),
      profit: this.#of('profit', index),
      swap: this.#of('swap', index),
      commission: this.#of('commission', index),
      fee: this.#of('fee', index),
      closeBalance: this.#of('closeBalance', index),
      pips: pipTenths === undefined ? undefined : pipTenths / 10,
      risk: this.#maybe('risk', index),
      reward: this.#maybe('reward', index),
      marketValue: this.#maybe('marketValue', index),
      magic: this.#maybe('magic', index),
      incomplete: this.#number(INCOMPLETE, index) === 1 || undefined,
    };
  }

  #of(name: NumberName, index: number): number {
    return this.#number(PLACES[name], index);
  }

  #maybe(name: NumberName, index: number): number | undefined {
    const value = this.#number(PLACES[name], index);
    return Number.isNaN(value) ? undefined : value;
  }

  #text(name: TextName, index: number): string | undefined {
    return this.#head.texts[name][this.#number(PLACES[name], index)] ?? undefined;
  }

  #number(place: number, index: number): number {
    const { base, values } = this.#columns[place] ?? { base: Number.NaN, values: undefined };
    return values === undefined ? base : base + (values[index] ?? Number.NaN);
  }
}
