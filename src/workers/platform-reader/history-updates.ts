import { atMost, type Timekeeper } from '../../domain/timekeeper.ts';
import { tooMany, unavailable } from '../../services/errors.ts';

/** How long a request for newer trades waits before it must retry. */
const PATIENCE_MS = 2_000;
/** How long the outcome of a reading is kept for a client that has to retry. */
const OUTCOME_MS = 60_000;
const MAX_UPDATES = 1_000;
const MAX_UPDATES_OF_USER = 250;

type Update = {
  userId: string;
  done: Promise<void>;
  endedMs: number | undefined;
  promised: boolean;
};

/**
 * Readings on request, one per account at a time. A retrying client finds the outcome of its first
 * reading instead of starting another.
 */
export class HistoryUpdates {
  readonly #time: Timekeeper;
  readonly #updates = new Map<number, Update>();

  constructor(time: Timekeeper) {
    this.#time = time;
  }

  /**
   * Starts `read`, or joins the one that is running: true once it is done, false while it is
   * running. Throws the errors of `read`, and `unavailable` beyond a number of readings at a time.
   */
  async update(
    { number: accountNumber, userId }: { number: number; userId: string },
    read: () => Promise<void>,
  ): Promise<boolean> {
    this.#forgetOld();
    const update = this.#updates.get(accountNumber) ?? this.#start(accountNumber, userId, read);
    // Whatever its outcome, but not for long.
    if (update.endedMs === undefined)
      await atMost(this.#time, PATIENCE_MS, update.done).catch(() => {});
    if (update.endedMs === undefined) {
      update.promised = true;
      return false;
    }
    this.#forget(accountNumber, update);
    await update.done;
    return true;
  }

  #start(accountNumber: number, userId: string, read: () => Promise<void>): Update {
    if (this.#updates.size >= MAX_UPDATES) throw unavailable('Too many accounts are being read', 5);
    const own = [...this.#updates.values()].filter((update) => update.userId === userId);
    if (own.length >= MAX_UPDATES_OF_USER)
      throw tooMany(`The limit of ${MAX_UPDATES_OF_USER} accounts read at a time is reached`, 5);
    const done = read();
    const update: Update = { userId, done, endedMs: undefined, promised: false };
    const finish = (): void => {
      update.endedMs = this.#time.elapsed();
      if (!update.promised) this.#forget(accountNumber, update);
    };
    done.then(finish, finish);
    this.#updates.set(accountNumber, update);
    return update;
  }

  /** Forgets outcomes without a retry. */
  #forgetOld(): void {
    const nowMs = this.#time.elapsed();
    for (const [accountNumber, update] of this.#updates) {
      if (update.endedMs !== undefined && nowMs - update.endedMs > OUTCOME_MS)
        this.#forget(accountNumber, update);
    }
  }

  #forget(accountNumber: number, update: Update): void {
    if (this.#updates.get(accountNumber) === update) this.#updates.delete(accountNumber);
  }
}
