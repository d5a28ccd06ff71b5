import type { DealRecord } from './read-deals.ts';

/** Snapshots as they came, columns instead of objects; money still as plain numbers. */
export type SnapshotColumns = {
  ids: AccountIds;
  /** Of each row, the place of its account among the ids. */
  account: Uint32Array;
  timeMs: Float64Array;
  balance: Float64Array;
  equity: Float64Array;
  deals: readonly { row: number; records: readonly DealRecord[] }[];
};

/**
 * Ids of the accounts of some snapshots, each once, in the order of their first rows: as bytes that
 * can change threads, or as texts.
 */
export class AccountIds {
  readonly count: number;
  /** UTF-8, a line each. */
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
