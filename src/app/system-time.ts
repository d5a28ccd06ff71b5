import type { Timekeeper } from '../domain/timekeeper.ts';

/** The machine's own time. */
export const systemTime: Timekeeper = {
  now: Date.now,
  elapsed: () => performance.now(),
  after(ms, call) {
    if (ms <= 0) {
      // The next turn of the event loop: a timer would take a millisecond at least.
      const turn = setImmediate(call);
      return () => clearImmediate(turn);
    }
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};
