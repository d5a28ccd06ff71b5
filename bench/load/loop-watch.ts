import { closeSync, openSync, readSync } from 'node:fs';

const EVERY_MS = 1;

/**
 * A time that something kept the event loop. `waitedMs`: beside it the thread stood in line for a
 * processor, which is no fault of its own.
 */
export type Held = { heldMs: number; waitedMs: number };

/** Looks once a millisecond how long the event loop had no time to look. */
export class LoopWatch {
  readonly #schedule = openSync('/proc/thread-self/schedstat', 'r');
  readonly #text = Buffer.alloc(100);
  #longest: Held = { heldMs: 0, waitedMs: 0 };
  #atMs = performance.now();
  #waitedMs = this.#readWaitedMs();
  readonly #timer = setInterval(() => this.#look(), EVERY_MS);

  /** The longest time so far. */
  stop(): Held {
    clearInterval(this.#timer);
    this.#look();
    closeSync(this.#schedule);
    return this.#longest;
  }

  #look(): void {
    const atMs = performance.now();
    const allWaitedMs = this.#readWaitedMs();
    const waitedMs = allWaitedMs - this.#waitedMs;
    const heldMs = atMs - this.#atMs - EVERY_MS - waitedMs;
    if (heldMs > this.#longest.heldMs) this.#longest = { heldMs, waitedMs };
    this.#atMs = atMs;
    this.#waitedMs = allWaitedMs;
  }

  /**
   * Of three numbers the second, in nanoseconds (Linux: Documentation/scheduler/sched-stats.rst).
   */
  #readWaitedMs(): number {
    const length = readSync(this.#schedule, this.#text, 0, this.#text.length, 0);
    return Number(this.#text.toString('latin1', 0, length).split(' ')[1]) / 1e6;
  }
}
