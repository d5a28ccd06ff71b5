/** Clocks that differ by more than this are reported; by less than half of it, they agree. */
export const APART_MS = 2000;
/** An answer that took longer says too little about the moment it was given. */
const ROUND_TRIP_MS = 1000;

/** Compares the clock of this process with the database's, and reports once when they diverge. */
export class ClockWatch {
  readonly #logger: { warn(fields: object, message: string): void };
  #offsetMs = 0;
  #isApart = false;

  constructor(logger: { warn(fields: object, message: string): void }) {
    this.#logger = logger;
  }

  /** How far this clock was ahead at the last check. */
  get offsetMs(): number {
    return this.#offsetMs;
  }

  /** Takes a time of the database's clock, read between two moments of this one. */
  compare(databaseMs: number, sentMs: number, answeredMs: number): void {
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
