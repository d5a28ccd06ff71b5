import { nextTurn } from '../domain/loop-turns.ts';

/** How long a slice of work holds the event loop. */
const SLICE_MS = 5;

/** Runs steps to their end, letting others work in between. */
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
