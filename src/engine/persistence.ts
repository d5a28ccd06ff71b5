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

/** The partition was lost or released: all work for it ends. */
export class PartitionOver extends Error {
  override readonly name = 'PartitionOver';
  constructor(partition: number) {
    super(`Partition ${partition} is not folded here any more`);
  }
}

/**
 * Retries the work for a partition until it succeeds, as long as this process owns the partition.
 * All such work goes through here, so that it ends at once when the partition is lost or stopped.
 */
export class Persistence {
  readonly #partition: number;
  readonly #time: Timekeeper;
  readonly #logger: EngineLogger;
  readonly #onLost: () => void;
  readonly #end = new AbortController();
  /** The work that keeps failing although the database answers. */
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

  /** Work that keeps failing for another reason than an outage of the database. */
  get failing(): readonly string[] {
    return [...this.#failing];
  }

  end(): void {
    this.#end.abort();
  }

  /** Resolves with the outcome of `work` once it succeeds. Throws PartitionOver. */
  async retry<T>(what: string, work: () => Promise<T>): Promise<T> {
    for (;;) {
      if (this.isOver) throw new PartitionOver(this.#partition);
      try {
        const outcome = await work();
        this.#failing.delete(what);
        // Over in the meantime: another owner may have written the rows read.
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

  /** A failure other than an outage rarely passes: reports it, and retries less often. */
  async #waitAfter(what: string, error: unknown): Promise<void> {
    const isOutage = error instanceof DatabaseUnavailable;
    if (!isOutage) this.#failing.add(what);
    const fields = { err: error, partition: this.#partition };
    this.#logger[isOutage ? 'warn' : 'error'](fields, `${what} failed and is tried again`);
    await sleep(this.#time, isOutage ? RETRY_MS : STALLED_RETRY_MS, this.signal);
  }
}
