import { setImmediate as endOfTurn } from 'node:timers/promises';

/**
 * Asks a question once for all callers in the same turn of the event loop; callers during the
 * question share the next one. No caller gets the answer to a question that began before its call,
 * so earlier changes are always seen.
 */
export class SharedQuestion<T> {
  readonly #answer: () => Promise<T>;
  #next: Promise<T> | undefined;
  #running: Promise<unknown> = Promise.resolve();

  constructor(answer: () => Promise<T>) {
    this.#answer = answer;
  }

  ask(): Promise<T> {
    this.#next ??= this.#plan();
    return this.#next;
  }

  #plan(): Promise<T> {
    const answered = this.#running
      .then(() => endOfTurn())
      .then(() => {
        this.#next = undefined;
        return this.#answer();
      });
    this.#running = answered.catch(() => {});
    return answered;
  }
}
