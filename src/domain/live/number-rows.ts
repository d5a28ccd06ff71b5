/*
 * The numbers of live accounts and trackers lie in rows of large blocks of doubles, not in the
 * objects. A property with a double takes 24 bytes of V8's heap; a number in a block takes 8, which
 * the garbage collector never scans, and the accounts of a batch lie side by side in memory. NaN
 * stands for "not known yet".
 */

/** An object's numbers start at `at` in `block`. */
export type NumberRow = { readonly block: Float64Array; readonly at: number };

/** A class whose named properties are the numbers of a row, in this order. */
export function rowClass<Name extends string>(
  names: readonly Name[],
): new (
  row: NumberRow,
) => NumberRow & Record<Name, number> {
  class Row implements NumberRow {
    readonly block: Float64Array;
    readonly at: number;

    constructor({ block, at }: NumberRow) {
      this.block = block;
      this.at = at;
    }
  }
  names.forEach((name, index) => {
    Object.defineProperty(Row.prototype, name, {
      get(this: Row): number {
        return this.block[this.at + index] ?? Number.NaN;
      },
      set(this: Row, value: number) {
        this.block[this.at + index] = value;
      },
    });
  });
  return Row as unknown as new (
    row: NumberRow,
  ) => NumberRow & Record<Name, number>;
}

/** Rows of one length. A block of which no row is taken is given up. */
export class NumberRows {
  readonly #length: number;
  readonly #rowsPerBlock: number;
  /** The places of free rows, by block, of the blocks that have any. */
  readonly #free = new Map<Float64Array, number[]>();

  constructor(length: number, rowsPerBlock: number) {
    this.#length = length;
    this.#rowsPerBlock = rowsPerBlock;
  }

  /** A row of NaN. */
  take(): NumberRow {
    const [[block, places] = this.#addBlock()] = this.#free;
    const at = places.pop() ?? 0;
    if (places.length === 0) this.#free.delete(block);
    block.fill(Number.NaN, at, at + this.#length);
    return { block, at };
  }

  /** Frees a row. Its object must not be used afterwards. */
  giveBack({ block, at }: NumberRow): void {
    const places = this.#free.get(block) ?? [];
    places.push(at);
    if (places.length === this.#rowsPerBlock) this.#free.delete(block);
    else this.#free.set(block, places);
  }

  #addBlock(): [Float64Array, number[]] {
    const block = new Float64Array(this.#length * this.#rowsPerBlock);
    const places = Array.from({ length: this.#rowsPerBlock }, (_, row) => row * this.#length);
    places.reverse();
    this.#free.set(block, places);
    return [block, places];
  }
}

/** Copies the numbers of one row to another. */
export function copyNumbers(from: NumberRow, to: NumberRow, count: number): void {
  to.block.set(from.block.subarray(from.at, from.at + count), to.at);
}

export const known = (value: number): number | undefined =>
  Number.isNaN(value) ? undefined : value;
