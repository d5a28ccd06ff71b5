import type { Timekeeper } from './timekeeper.ts';

/**
 * Runs the same work in rounds, one at a time. A request during a round leads to another round
 * after it, which sees what came too late for the first; all requests during a round share the next
 * one.
 */
export class Rounds {
  readonly #round: () => Promise<void>;
  readonly #tell: (error: unknown) => void;
  #isWanted = false;
  #running: Promise<void> | undefined;
  #isStopped = false;
  #cancelPatrol = (): void => {};

  /** `tell` receives the error of a failed round, which is not retried. */
  constructor(round: () => Promise<void>, tell: (error: unknown) => void) {
    this.#round = round;
    this.#tell = tell;
  }

  wake(): void {
    if (this.#isStopped) return;
    this.#isWanted = true;
    this.#running ??= this.#run();
  }

  /** Requests a round every `everyMs` milliseconds, for changes that were not reported. */
  patrol(time: Timekeeper, everyMs: number): void {
    this.#cancelPatrol = time.after(everyMs, () => {
      this.wake();
      if (!this.#isStopped) this.patrol(time, everyMs);
    });
  }

  /** Resolves when everything requested is done. */
  async settle(): Promise<void> {
    await this.#running;
  }

  /** Starts no more rounds. Resolves when the current one has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelPatrol();
    await this.#running;
  }

  /** Ends in the very turn in which no request is left, so a later request starts it again. */
  async #run(): Promise<void> {
    while (this.#isWanted && !this.#isStopped) {
      this.#isWanted = false;
      try {
        await this.#round();
      } catch (error) {
        this.#tell(error);
      }
    }
    this.#running = undefined;
  }
}
