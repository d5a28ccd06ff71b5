import { readFileSync } from 'node:fs';

/** The longest rest at a time. */
const LONGEST_MS = 100;
/** A thread that waits in line for more than this share of its work finds no idle processor. */
const IN_LINE_SHARE = 0.25;
const NOTHING = new Int32Array(new SharedArrayBuffer(4));
/**
 * Of the reading thread. The first numbers are its nanoseconds of work and of waiting in line for a
 * processor (Linux: Documentation/scheduler/sched-stats.rst).
 */
const SCHEDULE = '/proc/thread-self/schedstat';

export type Surroundings = {
  readSchedule(): string;
  nowMs(): number;
  hold(ms: number): void;
};
const OWN: Surroundings = {
  readSchedule: readOwnSchedule,
  nowMs: () => performance.now(),
  hold: (ms) => void Atomics.wait(NOTHING, 0, 0, ms),
};

/**
 * For a thread in the background: if it had to stand in line for a processor, it rests for as long
 * as it waited, in line and for the database. Its low priority (see stepBack) is not enough for
 * that: a thread that wakes up still waits some milliseconds for the thread's turn to end, and
 * PostgreSQL works for the thread at the usual priority. Elsewhere than on Linux it never rests.
 */
export class GivingWay {
  readonly #surroundings: Surroundings;
  #sinceMs = 0;
  #workedNs = 0;
  #inLineNs = 0;

  constructor(surroundings: Surroundings = OWN) {
    this.#surroundings = surroundings;
    this.begin();
  }

  /** Starts a period of work: the time before was not waiting. */
  begin(): void {
    this.#sinceMs = this.#surroundings.nowMs();
    [this.#workedNs, this.#inLineNs] = this.#readTimes();
  }

  /** Call it every few milliseconds of work; blocks the whole thread if it has to rest. */
  rest(): void {
    const [workedNs, inLineNs] = this.#readTimes();
    const workedMs = (workedNs - this.#workedNs) / 1e6;
    const inLineMs = (inLineNs - this.#inLineNs) / 1e6;
    const waitedMs = this.#surroundings.nowMs() - this.#sinceMs - workedMs;
    if (inLineMs > workedMs * IN_LINE_SHARE)
      this.#surroundings.hold(Math.min(waitedMs, LONGEST_MS));
    this.begin();
  }

  #readTimes(): [workedNs: number, inLineNs: number] {
    const [worked = 0, inLine = 0] = this.#surroundings.readSchedule().split(' ').map(Number);
    return [worked, inLine];
  }
}

/** Zeros if the system does not report them. */
function readOwnSchedule(): string {
  try {
    return readFileSync(SCHEDULE, 'latin1');
  } catch {
    return '0 0';
  }
}
