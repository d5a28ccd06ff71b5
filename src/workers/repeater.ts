import { sleep, type Timekeeper } from '../domain/timekeeper.ts';
import type { Logger } from '../services/context.ts';
import { DatabaseUnavailable } from '../storage/database.ts';

/** Does something again and again in the background, and logs failures that are no outages. */
export class Repeater {
  readonly #time: Timekeeper;
  readonly #logger: Logger;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(time: Timekeeper, logger: Logger) {
    this.#time = time;
    this.#logger = logger;
  }

  /** `what` is the message of a failure; `work` must end soon after the signal. */
  start(everyMs: number, what: string, work: (signal: AbortSignal) => Promise<void>): void {
    this.#running = this.#run(everyMs, what, work);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(everyMs: number, what: string, work: (signal: AbortSignal) => Promise<void>) {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await sleep(this.#time, everyMs, signal);
      if (signal.aborted) return;
      try {
        await work(signal);
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) this.#logger.error({ err: error }, what);
      }
    }
  }
}
