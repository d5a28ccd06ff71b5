import type { Timekeeper } from '../domain/timekeeper.ts';
import { outageOf } from '../services/errors.ts';

/** An outage is over when nothing was logged about it for this long: then everything asks often. */
const OUTAGE_QUIET_MS = 15_000;
/** Any other failure: what is tried again, such as a platform, is tried once a minute. */
const QUIET_MS = 150_000;
/** Further concurrent failures are logged line by line. */
const MAX_OUTAGES = 200;
const WARN = 40;

type Fields = Record<string, unknown>;
type Outage = { message: string; subject: Fields; beganMs: number; lastMs: number; more: number };

/**
 * Logs an outage, or any repeated failure, with a line at its beginning and one at its end, with
 * the number of occurrences. Every process meets an outage many times a second, in each of its jobs
 * and requests: a line for each would fill the very disk that is full.
 */
export class OutageLog {
  readonly #time: Pick<Timekeeper, 'elapsed'>;
  readonly #write: (fields: object, message: string) => void;
  readonly #outages = new Map<string, Outage>();

  constructor(time: Pick<Timekeeper, 'elapsed'>, write: (fields: object, message: string) => void) {
    this.#time = time;
    this.#write = write;
  }

  /** The fields of a line to write; undefined if it repeats an earlier one. */
  take(level: number, fields: Fields, message: string): Fields | undefined {
    if (level < WARN) return fields;
    const { err, reason, ...rest } = fields;
    const outage = outageOf(err);
    // Each failed request is found by its id, unless all fail for one cause.
    if (outage === undefined && ('errorId' in rest || (err === undefined && reason === undefined)))
      return fields;
    const why = err instanceof Error ? err.message : reason;
    const key = outage ?? JSON.stringify([message, why, rest]);
    const nowMs = this.#time.elapsed();
    const known = this.#outages.get(key);
    if (known) {
      known.more += 1;
      known.lastMs = nowMs;
      return undefined;
    }
    if (this.#outages.size < MAX_OUTAGES) {
      const subject = outage === undefined ? rest : { outage };
      this.#outages.set(key, { message, subject, beganMs: nowMs, lastMs: nowMs, more: 0 });
    }
    // Known failures need no stack.
    return outage === undefined ? fields : { ...rest, outage, reason: why };
  }

  /** Logs the end of outages. Call it every few seconds. */
  look(): void {
    const nowMs = this.#time.elapsed();
    for (const [key, { message, subject, beganMs, lastMs, more }] of this.#outages) {
      const isOutage = subject.outage !== undefined;
      if (nowMs - lastMs < (isOutage ? OUTAGE_QUIET_MS : QUIET_MS)) continue;
      this.#outages.delete(key);
      if (more === 0 && !isOutage) continue;
      const seconds = Math.round((lastMs - beganMs) / 1000);
      this.#write({ ...subject, seconds, times: more + 1 }, `over: ${message}`);
    }
  }
}
