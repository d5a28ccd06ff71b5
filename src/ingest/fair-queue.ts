/**
 * What users wait for, taken in turns: each user's in the order in which it came, and nobody's second
 * before another one's first.
 */
export class FairQueue<T> {
  /** Whose turn it is comes first. */
  readonly #queues = new Map<string, T[]>();

  get isEmpty(): boolean {
    return this.#queues.size === 0;
  }

  add(userId: string, item: T): void {
    const queue = this.#queues.get(userId);
    if (queue) queue.push(item);
    else this.#queues.set(userId, [item]);
  }

  /** The first of the user whose turn it is; others have theirs before the user's next. */
  take(): T | undefined {
    const [turn] = this.#queues;
    if (!turn) return undefined;
    const [userId, queue] = turn;
    this.#queues.delete(userId);
    const item = queue.shift();
    if (queue.length > 0) this.#queues.set(userId, queue);
    return item;
  }

  /** Puts back what was taken and is not done: it comes first in its user's next turn. */
  putBack(userId: string, item: T): void {
    const queue = this.#queues.get(userId);
    if (queue) queue.unshift(item);
    else this.#queues.set(userId, [item]);
  }

  /** Drops what was put back. */
  drop(userId: string, item: T): void {
    const queue = this.#queues.get(userId);
    if (queue?.[0] !== item) return;
    queue.shift();
    if (queue.length === 0) this.#queues.delete(userId);
  }
}
