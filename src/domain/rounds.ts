import type { Timekeeper } from './timekeeper.ts';

/**
 * One round of the same work at a time. Whoever asks for one while a round is under way gets
 * another one after it, so what came too late for the first is seen by the next; many who ask
 * meanwhile share it.
 */
export class Rounds {
  readonly #round: () => Promise<void>;
  readonly #tell: (error: unknown) => void;
  #isWanted = false;
  #running: Promise<void> | undefined;
  #isStopped = false;
  #cancelPatrol = (): void => {};

  /** `tell` takes the error of a round that failed; the next one comes when it is asked for. */
  constructor(round: () => Promise<void>, tell: (error: unknown) => void) {
    this.#round = round;
    this.#tell = tell;
  }

  wake(): void {
    if (this.#isStopped) return;
    this.#isWanted = true;
    this.#running ??= this.#run();
  }

  /** Asks for a round every so many milliseconds: for what nobody told of. */
  patrol(time: Timekeeper, everyMs: number): void {
    this.#cancelPatrol = time.after(everyMs, () => {
      this.wake();
      if (!this.#isStopped) this.patrol(time, everyMs);
    });
  }

  /** Resolves when all that was asked for is done. */
  async settle(): Promise<void> {
    await this.#running;
  }

  /** No round begins any more. Resolves when the one under way has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelPatrol();
    await this.#running;
  }

  /** Ends in the very turn in which it finds nothing wanted: whoever asks later begins anew. */
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
