/** Work that is done in slices holds the event loop no longer than this at a time. */
const SLICE_MS = 5;

const waiting: (() => void)[] = [];

/** One slice of one piece of work for each turn of the event loop, however many wait. */
const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(giveTurn);
  });

function giveTurn(): void {
  const next = waiting.shift();
  if (waiting.length > 0) setImmediate(giveTurn);
  next?.();
}

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
