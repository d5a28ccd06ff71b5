import { sleep, type Timekeeper } from '../domain/timekeeper.ts';
import { DatabaseUnavailable } from '../storage/database.ts';
import { PartitionLost } from '../storage/partition-store.ts';

const RETRY_MS = 250;
const STALLED_RETRY_MS = 2000;

export type EngineLogger = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** The partition is another's by now, or was let go: whatever was being done for it is over. */
export class PartitionOver extends Error {
  override readonly name = 'PartitionOver';
  constructor(partition: number) {
    super(`Partition ${partition} is not folded here any more`);
  }
}

/**
 * Does for a partition what has to be done, again and again until it works, for as long as the
 * partition is this process' own. All that is done for it goes through here, so that all of it ends
 * at once when the partition is lost or stopped.
 */
export class Persistence {
  readonly #partition: number;
  readonly #time: Timekeeper;
  readonly #logger: EngineLogger;
  readonly #onLost: () => void;
  readonly #end = new AbortController();
  /** What fails again and again though the database answers. */
  readonly #failing = new Set<string>();

  constructor(partition: number, time: Timekeeper, logger: EngineLogger, onLost: () => void) {
    this.#partition = partition;
    this.#time = time;
    this.#logger = logger;
    this.#onLost = onLost;
  }

  get isOver(): boolean {
    return this.#end.signal.aborted;
  }

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** What something other than an outage of the database keeps from going on. */
  get failing(): readonly string[] {
    return [...this.#failing];
  }

  end(): void {
    this.#end.abort();
  }

  /** Resolves with the outcome of `work` as soon as it works once. Throws PartitionOver. */
  async insist<T>(what: string, work: () => Promise<T>): Promise<T> {
    for (;;) {
      if (this.isOver) throw new PartitionOver(this.#partition);
      try {
        const outcome = await work();
        this.#failing.delete(what);
        // Over meanwhile: what was read may be the work of another owner.
        if (this.isOver) throw new PartitionOver(this.#partition);
        return outcome;
      } catch (error) {
        if (error instanceof PartitionOver) throw error;
        if (error instanceof PartitionLost) {
          this.end();
          this.#onLost();
          throw new PartitionOver(this.#partition);
        }
        await this.#waitAfter(what, error);
      }
    }
  }

  /** What is no outage will hardly pass by itself: it is told, and tried less often. */
  async #waitAfter(what: string, error: unknown): Promise<void> {
    const isOutage = error instanceof DatabaseUnavailable;
    if (!isOutage) this.#failing.add(what);
    const fields = { err: error, partition: this.#partition };
    this.#logger[isOutage ? 'warn' : 'error'](fields, `${what} failed and is tried again`);
    await sleep(this.#time, isOutage ? RETRY_MS : STALLED_RETRY_MS, this.signal);
  }
}
