/** The longest rest at a time. */
const LONGEST_MS = 100;
const NOTHING = new Int32Array(new SharedArrayBuffer(4));

/**
 * For a thread in the background (see stepBack): rests where it had to wait for longer than it
 * worked. Its priority is not enough where no processor is idle: whoever wakes up waits until the
 * thread's turn ends, some milliseconds each time, and the database works for it without such a
 * priority. On a machine that has nothing else to do it waits little, and never rests.
 */
export class GivingWay {
  #sinceMs = performance.now();
  #since = process.threadCpuUsage();

  /** Work begins: what came before was no waiting. */
  begin(): void {
    this.#sinceMs = performance.now();
    this.#since = process.threadCpuUsage();
  }

  /** Called every few milliseconds of work: rests the whole thread if need be. */
  rest(): void {
    const { user, system } = process.threadCpuUsage(this.#since);
    const workedMs = (user + system) / 1000;
    const waitedMs = performance.now() - this.#sinceMs - workedMs;
    const restMs = Math.min(waitedMs - workedMs, LONGEST_MS);
    if (restMs > 0) Atomics.wait(NOTHING, 0, 0, restMs);
    this.begin();
  }
}
