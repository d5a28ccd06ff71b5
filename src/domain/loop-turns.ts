const first: (() => void)[] = [];
const waiting: (() => void)[] = [];

/**
 * Resolves in a turn of the event loop that no other caller shares. Long work is done in slices of
 * some milliseconds, with this between them: with any number of tasks, a turn has one slice,
 * followed by everything else that waits (requests, answers of the database, timers).
 */
export const nextTurn = (): Promise<void> => turnOf(waiting);

/**
 * The same for work within a transaction, which has seven of eight turns: while it waits, it holds
 * SQLite's only writer, or locks.
 */
export const firstTurn = (): Promise<void> => turnOf(first);

const turnOf = (queue: (() => void)[]): Promise<void> =>
  new Promise((resolve) => {
    queue.push(resolve);
    if (first.length + waiting.length === 1) setImmediate(giveTurn);
  });

const FIRST_OF_ALL = 7;
let firstInARow = 0;

function giveTurn(): void {
  const isFirst = first.length > 0 && (firstInARow < FIRST_OF_ALL || waiting.length === 0);
  firstInARow = isFirst ? firstInARow + 1 : 0;
  const next = isFirst ? first.shift() : waiting.shift();
  if (first.length + waiting.length > 0) setImmediate(giveTurn);
  next?.();
}
