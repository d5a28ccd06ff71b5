import type { Timekeeper } from './timekeeper.ts';

/**
 * Runs the same work in rounds, one at a time. Asking for one while a round is under way brings
 * another after it, so what came too late for the first is seen by the next; all who ask meanwhile
 * share it.
 */
export class Rounds {
  readonly #round: () => Promise<void>;
  readonly #tell: (error: unknown) => void;
  #isWanted = false;
  #running: Promise<void> | undefined;
  #isStopped = false;
  #cancelPatrol = (): void => {};

  /** `tell` takes the error of a round that failed, which is not repeated by itself. */
  constructor(round: () => Promise<void>, tell: (error: unknown) => void) {
    this.#round = round;
    this.#tell = tell;
  }

  wake(): void {
    if (this.#isStopped) return;
    this.#isWanted = true;
    this.#running ??= this.#run();
  }

  /** Asks for a round every `everyMs` milliseconds, for what nobody reported. */
  patrol(time: Timekeeper, everyMs: number): void {
    this.#cancelPatrol = time.after(everyMs, () => {
      this.wake();
      if (!this.#isStopped) this.patrol(time, everyMs);
    });
  }

  /** Resolves when everything that was asked for is done. */
  async settle(): Promise<void> {
    await this.#running;
  }

  /** Begins no more rounds. Resolves when the one under way has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelPatrol();
    await this.#running;
  }

  /** Ends in the very turn in which it finds nothing wanted, so a later request starts it anew. */
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
