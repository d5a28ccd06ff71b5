const BLOCK_BYTES = 1024 * 1024;

/**
 * Memory for many small pieces that are released together. Allocating each by itself would fragment
 * the process' memory: the holes would take as much as the accounts themselves.
 */
export class Arena {
  #block = new ArrayBuffer(0);
  #used = 0;

  /** Releases all pieces taken so far: their memory will be handed out again. */
  reuse(): void {
    this.#used = 0;
  }

  /** A piece of `length` bytes, aligned for doubles; it is not cleared. */
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
