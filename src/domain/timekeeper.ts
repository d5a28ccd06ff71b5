/**
 * Time for everything that runs for long. It is an argument, so that a test can let days pass at
 * once, stop one process while others continue, or set a clock wrong.
 */
export interface Timekeeper {
  /** UTC by the machine's clock, which people and time servers may change. */
  now(): number;
  /** Milliseconds since some moment, which never go back: for waiting and deadlines. */
  elapsed(): number;
  /** Calls `call` after `ms` milliseconds, unless cancelled by the returned function. */
  after(ms: number, call: () => void): () => void;
}

/** Resolves after `ms` milliseconds, or when the signal aborts. */
export function sleep(time: Timekeeper, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = (): void => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = time.after(ms, end);
    signal?.addEventListener('abort', end, { once: true });
  });
}

/** Waits for the promise, for `ms` at most: false if it has not settled then. Throws its error. */
export function atMost(time: Timekeeper, ms: number, promise: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const cancel = time.after(ms, () => resolve(false));
    promise.then(() => resolve(true), reject).finally(cancel);
  });
}

/** Settles like the promise, or rejects with `late`'s error if that takes longer than `ms`. */
export async function within<T>(
  time: Timekeeper,
  ms: number,
  promise: Promise<T>,
  late: () => Error,
): Promise<T> {
  if (await atMost(time, ms, promise)) return promise;
  throw late();
}
