import { DatabaseUnavailable } from '../database.ts';
import { afterArrivals } from './after-arrivals.ts';

type Waiting = { order: number; proceed: () => void };

/**
 * Turns in using connections. A transaction that waits for a lock in the database holds its
 * connection: if one owner's held all of them, no other could be served. So each owner has a share,
 * and a free connection goes to the owner that holds the fewest, then to the one that has waited
 * longest. Work without an owner counts as holding none.
 */
export class ConnectionTurns {
  readonly #share: number;
  readonly #waitMs: number;
  /** By owner; owners that hold none are absent. */
  readonly #held = new Map<string, number>();
  /** By owner, in order of arrival. */
  readonly #queues = new Map<string | undefined, Waiting[]>();
  #free: number;
  #order = 0;
  #waiting = 0;

  /**
   * @param share connections that one owner may hold at a time
   * @param waitMs how long each waits at most
   */
  constructor(connections: number, share: number, waitMs: number) {
    this.#free = connections;
    this.#share = share;
    this.#waitMs = waitMs;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Returns a function that ends the turn. Throws DatabaseUnavailable, or the signal's reason. */
  async take(owner: string | undefined, signal: AbortSignal): Promise<() => void> {
    if (this.#free > 0 && this.#heldBy(owner) < this.#share) this.#begin(owner);
    else await this.#wait(owner, signal);
    return () => this.#end(owner);
  }

  #heldBy(owner: string | undefined): number {
    return owner === undefined ? 0 : (this.#held.get(owner) ?? 0);
  }

  #begin(owner: string | undefined): void {
    this.#free -= 1;
    if (owner !== undefined) this.#held.set(owner, this.#heldBy(owner) + 1);
  }

  #end(owner: string | undefined): void {
    this.#free += 1;
    if (owner !== undefined) {
      const left = this.#heldBy(owner) - 1;
      if (left > 0) this.#held.set(owner, left);
      else this.#held.delete(owner);
    }
    this.#serveNext();
  }

  #serveNext(): void {
    let next: { owner: string | undefined; held: number; waiting: Waiting } | undefined;
    for (const [owner, [waiting]] of this.#queues) {
      const held = this.#heldBy(owner);
      if (!waiting || held >= this.#share) continue;
      const isBefore =
        !next || held < next.held || (held === next.held && waiting.order < next.waiting.order);
      if (isBefore) next = { owner, held, waiting };
    }
    if (!next) return;
    this.#leave(next.owner, next.waiting);
    this.#begin(next.owner);
    next.waiting.proceed();
  }

  #wait(owner: string | undefined, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        callOff();
        signal.removeEventListener('abort', onAbort);
      };
      const waiting: Waiting = {
        order: this.#order++,
        proceed: () => {
          settle();
          resolve();
        },
      };
      const giveUp = (error: unknown): void => {
        settle();
        this.#leave(owner, waiting);
        reject(error);
      };
      const onAbort = (): void => giveUp(signal.reason);
      const callOff = afterArrivals(this.#waitMs, () => {
        giveUp(new DatabaseUnavailable(`No connection became free within ${this.#waitMs} ms`));
      });
      signal.addEventListener('abort', onAbort);
      this.#enter(owner, waiting);
    });
  }

  #enter(owner: string | undefined, waiting: Waiting): void {
    const queue = this.#queues.get(owner);
    if (queue) queue.push(waiting);
    else this.#queues.set(owner, [waiting]);
    this.#waiting += 1;
  }

  #leave(owner: string | undefined, waiting: Waiting): void {
    const queue = this.#queues.get(owner) ?? [];
    queue.splice(queue.indexOf(waiting), 1);
    if (queue.length === 0) this.#queues.delete(owner);
    this.#waiting -= 1;
  }
}
