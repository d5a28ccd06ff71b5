import { getPriority, setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';

/** Of processes, and on Linux of threads (setpriority(2)): 0 is the usual, 19 comes last of all. */
const BEHIND = 10;

/**
 * Lets all other threads have the processor first: who reads a long statement can wait, and who
 * asks for a tracker meanwhile must not. Elsewhere than on Linux it would hold for the whole
 * process, so there it does nothing; nor where it is forbidden.
 */
export function stepBack(): void {
  if (process.platform !== 'linux' || isMainThread || getPriority() >= BEHIND) return;
  try {
    setPriority(BEHIND);
  } catch {
    // A courtesy: the thread works as well without it.
  }
}
