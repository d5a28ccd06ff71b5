import { setImmediate as endOfTurn } from 'node:timers/promises';

/** Snapshots folded in one turn of the event loop: some 10 ms if each of them closes an hour. */
const ROWS_PER_TURN = 2000;

/**
 * Limits how much the partitions of a process fold before other work gets its turn of the event
 * loop. An entry is folded whole, so that nobody sees a part of it; between entries others may run.
 */
export class FoldTurns {
  #rows = 0;
  #next: Promise<void> | undefined;

  /** Counts the rows of an entry that was folded. */
  took(rows: number): void {
    this.#rows += rows;
    this.#next ??= endOfTurn().then(() => {
      this.#rows = 0;
      this.#next = undefined;
    });
  }

  /** True when other work must run before more is folded. */
  get isOver(): boolean {
    return this.#rows >= ROWS_PER_TURN;
  }

  /** Resolves in the next turn. Another partition may have used it up by then: check `isOver`. */
  next(): Promise<void> {
    return this.#next ?? Promise.resolve();
  }
}
