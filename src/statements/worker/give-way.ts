/** The longest rest at a time. */
const LONGEST_MS = 100;
const NOTHING = new Int32Array(new SharedArrayBuffer(4));

/**
 * For a thread in the background (see stepBack): rests for as long as it had to wait, for the
 * processor or the database, beyond the time that it worked. Its priority is not enough on a
 * machine with no idle processor: whoever wakes up there still waits some milliseconds for the
 * thread's turn to end, and PostgreSQL works for the thread at the usual priority.
 */
export class GivingWay {
  #sinceMs = performance.now();
  #since = process.threadCpuUsage();

  /** Work begins: the time before it was not waiting. */
  begin(): void {
    this.#sinceMs = performance.now();
    this.#since = process.threadCpuUsage();
  }

  /** Holds the whole thread if it has to rest; to be called every few milliseconds of work. */
  rest(): void {
    const { user, system } = process.threadCpuUsage(this.#since);
    const restMs = restAfter((user + system) / 1000, performance.now() - this.#sinceMs);
    if (restMs > 0) Atomics.wait(NOTHING, 0, 0, restMs);
    this.begin();
  }
}

/** How long to rest after a time of which some was spent working; all in milliseconds. */
export function restAfter(workedMs: number, passedMs: number): number {
  const waitedMs = passedMs - workedMs;
  return Math.min(Math.max(waitedMs - workedMs, 0), LONGEST_MS);
}
