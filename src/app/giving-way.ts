import { readFileSync } from 'node:fs';

/** The longest rest at a time. */
const LONGEST_MS = 100;
const NOTHING = new Int32Array(new SharedArrayBuffer(4));
/**
 * Of the thread that reads it; of its numbers, the second are the nanoseconds for which it stood in
 * line for a processor (Linux: Documentation/scheduler/sched-stats.rst).
 */
const SCHEDULE = '/proc/thread-self/schedstat';

/**
 * For a thread in the background: rests for as long as it had to wait for a processor. Its low
 * priority (see stepBack) is not enough on a machine that has no processor to spare: whoever wakes
 * up there still waits some milliseconds for the thread's turn to end, and PostgreSQL works for the
 * thread at the usual priority. Elsewhere than on Linux it never rests.
 */
export class GivingWay {
  readonly #readSchedule: () => string;
  readonly #rest: (ms: number) => void;
  #inLineNs: number;

  constructor(readSchedule = readOwnSchedule, rest = holdThread) {
    this.#readSchedule = readSchedule;
    this.#rest = rest;
    this.#inLineNs = this.#readInLineNs();
  }

  /** To be called every few milliseconds of work; holds the whole thread if it has to rest. */
  rest(): void {
    const before = this.#inLineNs;
    this.#inLineNs = this.#readInLineNs();
    const restMs = Math.min((this.#inLineNs - before) / 1e6, LONGEST_MS);
    if (restMs > 0) this.#rest(restMs);
  }

  #readInLineNs(): number {
    return Number(this.#readSchedule().split(' ')[1] ?? 0);
  }
}

function readOwnSchedule(): string {
  try {
    return readFileSync(SCHEDULE, 'latin1');
  } catch {
    return '';
  }
}

const holdThread = (ms: number): void => {
  Atomics.wait(NOTHING, 0, 0, ms);
};
