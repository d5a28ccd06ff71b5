import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseUnavailable } from '../database.ts';

/**
 * Synchronises SQLite's write-ahead log with the disk, once for all that wait. If that fails once,
 * the disk may have dropped data: from then on nothing counts as stored, until the server is
 * restarted and SQLite has checked its log.
 */
export class LogSync {
  readonly #file: string;
  #log: FileHandle | undefined;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #failure: string | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** Resolves when everything written before the call is on disk. Throws DatabaseUnavailable. */
  synchronise(): Promise<void> {
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        this.#running = this.#synchronise();
        return this.#running;
      });
    return this.#next;
  }

  /** Why later writes no longer count as stored; undefined if all is well. */
  get failure(): string | undefined {
    return this.#failure;
  }

  async close(): Promise<void> {
    await this.#next?.catch(() => {});
    await this.#running.catch(() => {});
    await this.#log?.close();
  }

  async #synchronise(): Promise<void> {
    if (this.#failure) throw new DatabaseUnavailable(this.#failure);
    try {
      this.#log ??= await openLog(this.#file);
    } catch (cause) {
      throw new DatabaseUnavailable('The log of the database cannot be opened', { cause });
    }
    try {
      await this.#log.datasync();
    } catch (cause) {
      this.#failure = 'The disk did not keep written data: check it, then restart the server';
      throw new DatabaseUnavailable(this.#failure, { cause });
    }
  }
}

/** The log is one file as long as a connection is open; its folder's entry must be on disk, too. */
async function openLog(file: string): Promise<FileHandle> {
  const folder = await open(dirname(file), 'r');
  await folder.sync();
  await folder.close();
  return open(file, 'r');
}
