import type { DealRecord } from './read-deals.ts';

/** Snapshots as received, in columns instead of objects; money still as plain numbers. */
export type SnapshotColumns = {
  ids: AccountIds;
  /** For each row, the place of its account among the ids. */
  account: Uint32Array;
  timeMs: Float64Array;
  balance: Float64Array;
  equity: Float64Array;
  deals: readonly { row: number; records: readonly DealRecord[] }[];
};

/**
 * The distinct account ids of some snapshots, in the order of their first rows: as bytes, which can
 * be handed to another thread, or as texts.
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

/** Three doubles and the place of an account. */
const ROW_BYTES = 28;

/** Collects rows into columns of a fixed capacity. */
export class SnapshotRows {
  readonly #account: Uint32Array;
  readonly #timeMs: Float64Array;
  readonly #balance: Float64Array;
  readonly #equity: Float64Array;
  readonly #deals: { row: number; records: readonly DealRecord[] }[] = [];
  #rows = 0;

  constructor(most: number) {
    // One buffer for all columns: a thread hands it over as a whole.
    const buffer = new ArrayBuffer(most * ROW_BYTES);
    this.#timeMs = new Float64Array(buffer, 0, most);
    this.#balance = new Float64Array(buffer, most * 8, most);
    this.#equity = new Float64Array(buffer, most * 16, most);
    this.#account = new Uint32Array(buffer, most * 24, most);
  }

  /** Adds a row; `place` is that of its account among the ids. */
  add(
    place: number,
    timeMs: number,
    balance: number,
    equity: number,
    deals?: readonly DealRecord[],
  ): void {
    const row = this.#rows;
    this.#rows += 1;
    this.#account[row] = place;
    this.#timeMs[row] = timeMs;
    this.#balance[row] = balance;
    this.#equity[row] = equity;
    if (deals && deals.length > 0) this.#deals.push({ row, records: deals });
  }

  columns(ids: AccountIds): SnapshotColumns {
    const rows = this.#rows;
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
}
