import { getPriority, setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';

/** Of processes, and on Linux of threads (setpriority(2)): 0 is the default, 19 the lowest. */
const BEHIND = 10;

/**
 * Gives all other threads the processor first: a long statement can wait, a request for a tracker
 * must not. On systems other than Linux it would affect the whole process, so there it does
 * nothing; nor if it is forbidden.
 */
export function stepBack(): void {
  if (process.platform !== 'linux' || isMainThread || getPriority() >= BEHIND) return;
  try {
    setPriority(BEHIND);
  } catch {
    // Optional: the thread works without it, too.
  }
}
