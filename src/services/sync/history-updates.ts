import { unavailable } from '../errors.ts';

/** How long a request for newer trades waits before it is told to come back. */
const PATIENCE_MS = 2_000;
/** How long the outcome of a reading waits for the client that was told to come back. */
const OUTCOME_MS = 60_000;
const MAX_UPDATES = 1_000;

type Update = { done: Promise<void>; state: 'running' | 'done'; promised: boolean };

/**
 * Readings that clients asked for, one per account at a time. A client that was told to come back
 * finds the outcome of that very reading instead of starting another.
 */
export class HistoryUpdates {
  readonly #updates = new Map<number, Update>();

  /**
   * Starts `read`, or joins the reading that runs: true when it is done, false while it goes on.
   * Throws what `read` throws, and `unavailable` beyond a number of readings at a time.
   */
  async update(accountNumber: number, read: () => Promise<void>): Promise<boolean> {
    const update = this.#updates.get(accountNumber) ?? this.#start(accountNumber, read);
    if (update.state === 'running') await Promise.race([update.done, patience()]);
    if (update.state === 'running') {
      update.promised = true;
      return false;
    }
    this.#forget(accountNumber, update);
    await update.done;
    return true;
  }

  #start(accountNumber: number, read: () => Promise<void>): Update {
    if (this.#updates.size >= MAX_UPDATES) throw unavailable('Too many accounts are being read', 5);
    const done = read();
    const update: Update = { done, state: 'running', promised: false };
    const finish = (): void => {
      update.state = 'done';
      const forget = (): void => this.#forget(accountNumber, update);
      if (update.promised) setTimeout(forget, OUTCOME_MS).unref();
      else forget();
    };
    done.then(finish, finish);
    this.#updates.set(accountNumber, update);
    return update;
  }

  #forget(accountNumber: number, update: Update): void {
    if (this.#updates.get(accountNumber) === update) this.#updates.delete(accountNumber);
  }
}

const patience = (): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, PATIENCE_MS).unref());
