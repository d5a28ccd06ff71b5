const waiting: (() => void)[] = [];

/**
 * Resolves in a turn of the event loop that no other caller shares. Long work is done in slices of
 * some milliseconds, with this between them: with any number of tasks, a turn has one slice,
 * followed by everything else that waits (requests, answers of the database, timers).
 */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(giveTurn);
  });

function giveTurn(): void {
  const next = waiting.shift();
  if (waiting.length > 0) setImmediate(giveTurn);
  next?.();
}
