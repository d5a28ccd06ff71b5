/**
 * Time for whatever runs for long. It is handed in, so that a test can let days pass at once, stop
 * one process while others go on, or set a clock wrong.
 */
export interface Timekeeper {
  /** UTC by the machine's clock, which people and time servers may set. */
  now(): number;
  /** Milliseconds that only go on, from some moment on: for waiting and deadlines. */
  elapsed(): number;
  /** Calls once after so many milliseconds, unless what it returned is called before. */
  after(ms: number, call: () => void): () => void;
}

/** Resolves after so many milliseconds, or when the signal aborts. */
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

/** What becomes of a promise, or `late`'s error when that takes longer. */
export function within<T>(
  time: Timekeeper,
  ms: number,
  promise: Promise<T>,
  late: () => Error,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = time.after(ms, () => reject(late()));
    promise.then(resolve, reject).finally(cancel);
  });
}
