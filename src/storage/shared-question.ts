import { setImmediate as endOfTurn } from 'node:timers/promises';

/**
 * Asks something for all who want to know in the same turn of the event loop, and all who do while
 * it is being asked, who share the next answer. Nobody is given the answer to a question that was
 * begun before they came: what was changed before is always seen.
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
