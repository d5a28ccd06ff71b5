import type { Timekeeper } from '../domain/timekeeper.ts';

/** Clocks that differ by more than this are reported; by less than half of it, they agree. */
export const APART_MS = 2000;
/** An answer that took longer says too little about the moment it was given. */
const ROUND_TRIP_MS = 1000;

/** Compares the clock of this process with the database's, and reports once when they diverge. */
export class ClockWatch {
  readonly #time: Timekeeper;
  readonly #logger: { warn(fields: object, message: string): void };
  /** The database's clock when the stopwatch began; undefined before its first answer. */
  #beganMs: number | undefined;
  #offsetMs = 0;
  #isApart = false;

  constructor(time: Timekeeper, logger: { warn(fields: object, message: string): void }) {
    this.#time = time;
    this.#logger = logger;
  }

  /**
   * The time by the database's clock: its last answer and what the stopwatch measured since, so
   * that nothing changes if this machine's clock is set. Before it, the time of this machine.
   */
  now(): number {
    if (this.#beganMs === undefined) return this.#time.now();
    return Math.round(this.#beganMs + this.#time.elapsed());
  }

  /** How far this clock was ahead at the last check. */
  get offsetMs(): number {
    return this.#offsetMs;
  }

  /** Takes a time of the database's clock, read between a moment of this one and now. */
  compare(databaseMs: number, sentMs: number): void {
    const answeredMs = this.#time.now();
    this.#beganMs = databaseMs - this.#time.elapsed();
    const tripMs = answeredMs - sentMs;
    if (tripMs < 0 || tripMs > ROUND_TRIP_MS) return;
    this.#offsetMs = (sentMs + answeredMs) / 2 - databaseMs;
    const seconds = Math.round(this.#offsetMs / 1000);
    if (!this.#isApart && Math.abs(this.#offsetMs) > APART_MS) {
      this.#isApart = true;
      const words = seconds > 0 ? 'ahead of' : 'behind';
      this.#logger.warn(
        { clockOffsetSeconds: seconds },
        `the clock of this machine is ${Math.abs(seconds)} s ${words} the database's: set it right`,
      );
    } else if (this.#isApart && Math.abs(this.#offsetMs) < APART_MS / 2) {
      this.#isApart = false;
      this.#logger.warn(
        { clockOffsetSeconds: seconds },
        "the clock agrees with the database's again",
      );
    }
  }
}
