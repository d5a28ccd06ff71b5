import { sleep, type Timekeeper } from '../domain/timekeeper.ts';
import type { Logger } from '../services/context.ts';
import { DatabaseUnavailable } from '../storage/database.ts';
import type { Worker } from './worker.ts';

export type Repeated = {
  everyMs: number;
  /** The message of a failure other than an outage. */
  failure: string;
  /** Must end soon after the signal. */
  work: (signal: AbortSignal) => Promise<void>;
};

/** Runs work repeatedly, with a pause before each run. */
export class Repeater implements Worker {
  readonly #time: Timekeeper;
  readonly #logger: Pick<Logger, 'error'>;
  readonly #repeated: Repeated;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(time: Timekeeper, logger: Pick<Logger, 'error'>, repeated: Repeated) {
    this.#time = time;
    this.#logger = logger;
    this.#repeated = repeated;
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { everyMs, failure, work } = this.#repeated;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await sleep(this.#time, everyMs, signal);
      if (signal.aborted) return;
      try {
        await work(signal);
      } catch (error) {
        const isTold = !signal.aborted && !(error instanceof DatabaseUnavailable);
        if (isTold) this.#logger.error({ err: error }, failure);
      }
    }
  }
}
