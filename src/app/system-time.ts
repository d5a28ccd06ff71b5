import type { Timekeeper } from '../domain/timekeeper.ts';

/** The machine's own time. */
export const systemTime: Timekeeper = {
  now: Date.now,
  elapsed: () => performance.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};
