/**
 * A queue that serves users in turn: each user's items in order of arrival, and no user's second
 * item before another's first.
 */
export class FairQueue<T> {
  /** By user; the user whose turn it is comes first. */
  readonly #queues = new Map<string, T[]>();

  get isEmpty(): boolean {
    return this.#queues.size === 0;
  }

  add(userId: string, item: T): void {
    const queue = this.#queues.get(userId);
    if (queue) queue.push(item);
    else this.#queues.set(userId, [item]);
  }

  /** Takes the first item of the user whose turn it is; that user then goes to the end. */
  take(): T | undefined {
    const [turn] = this.#queues;
    if (!turn) return undefined;
    const [userId, queue] = turn;
    this.#queues.delete(userId);
    const item = queue.shift();
    if (queue.length > 0) this.#queues.set(userId, queue);
    return item;
  }

  /** Puts back an unfinished item: it comes first in its user's next turn. */
  putBack(userId: string, item: T): void {
    const queue = this.#queues.get(userId);
    if (queue) queue.unshift(item);
    else this.#queues.set(userId, [item]);
  }

  /** Drops an item that was put back. */
  drop(userId: string, item: T): void {
    const queue = this.#queues.get(userId);
    if (queue?.[0] !== item) return;
    queue.shift();
    if (queue.length === 0) this.#queues.delete(userId);
  }
}
