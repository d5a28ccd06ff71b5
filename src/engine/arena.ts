const BLOCK_BYTES = 1024 * 1024;

/**
 * Memory for many small pieces that are given up together. A piece of its own for each would leave
 * holes behind it in the process' memory, as much as the accounts themselves take.
 */
export class Arena {
  #block = new ArrayBuffer(0);
  #used = 0;

  /** All pieces taken so far are given up: their memory is taken again. */
  reuse(): void {
    this.#used = 0;
  }

  /** Aligned for doubles; what was in it before may still be. */
  readonly take = (length: number): Uint8Array<ArrayBuffer> => {
    const room = Math.ceil(length / 8) * 8;
    if (this.#used + room > this.#block.byteLength) {
      this.#block = new ArrayBuffer(Math.max(room, BLOCK_BYTES));
      this.#used = 0;
    }
    const piece = new Uint8Array(this.#block, this.#used, length);
    this.#used += room;
    return piece;
  };
}
