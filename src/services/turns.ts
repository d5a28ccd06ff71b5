import { nextTurn } from '../domain/loop-turns.ts';

/** How long a slice of work holds the event loop. */
const SLICE_MS = 5;

/** Runs steps to their end, with other work in between. */
export async function inTurns<T>(steps: Generator<undefined, T>, sliceMs = SLICE_MS): Promise<T> {
  for (;;) {
    const until = performance.now() + sliceMs;
    do {
      const step = steps.next();
      if (step.done) return step.value;
    } while (performance.now() < until);
    await nextTurn();
  }
}

/** The same for a loop that awaits, which by itself lets nobody in: `if (slice.isOver) await …`. */
export class LoopSlice {
  #untilMs = performance.now() + SLICE_MS;

  get isOver(): boolean {
    return performance.now() >= this.#untilMs;
  }

  /** Others have their turn, and another slice begins. */
  async next(): Promise<void> {
    await nextTurn();
    this.#untilMs = performance.now() + SLICE_MS;
  }
}
