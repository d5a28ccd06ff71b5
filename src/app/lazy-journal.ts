import type { Journal, Staged } from '../journal/journal.ts';
import type { TellingJournal } from '../services/telling.ts';

/**
 * The journal of a command, opened on the first write: most commands also work while it is away.
 */
export class LazyJournal implements TellingJournal {
  readonly partitions: number;
  readonly #open: () => Promise<Journal>;
  #journal: Promise<Journal> | undefined;

  constructor(partitions: number, open: () => Promise<Journal>) {
    this.partitions = partitions;
    this.#open = open;
  }

  async stage(...args: Parameters<Journal['stage']>): Promise<Staged> {
    return (await this.#opened()).stage(...args);
  }

  async release(staged: readonly Staged[]): Promise<void> {
    await (await this.#opened()).release(staged);
  }

  async close(): Promise<void> {
    const journal = await this.#journal?.catch(() => undefined);
    await journal?.close();
  }

  #opened(): Promise<Journal> {
    this.#journal ??= this.#open();
    return this.#journal;
  }
}
