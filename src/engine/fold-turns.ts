import { setImmediate as endOfTurn } from 'node:timers/promises';

/** Snapshots folded in one turn of the event loop. Of those that each close an hour: some 10 ms. */
const ROWS_PER_TURN = 2000;

/**
 * How much folding the partitions of a process do before others have their turn of the event loop.
 * An entry is folded whole, so that nobody sees a part of it; between entries there may be a rest.
 */
export class FoldTurns {
  #rows = 0;
  #next: Promise<void> | undefined;

  /** An entry was folded. */
  took(rows: number): void {
    this.#rows += rows;
    this.#next ??= endOfTurn().then(() => {
      this.#rows = 0;
      this.#next = undefined;
    });
  }

  /** Others have their turn before any more is folded. */
  get isOver(): boolean {
    return this.#rows >= ROWS_PER_TURN;
  }

  /** Resolves in the next turn. By then another partition may have folded: look again. */
  next(): Promise<void> {
    return this.#next ?? Promise.resolve();
  }
}
