import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseUnavailable } from './database.ts';

/**
 * Brings what is written to SQLite's write-ahead log to disk, once for all who wait. A disk that has
 * refused once may have dropped what it was given: nothing counts as stored from then on, until the
 * server is started again and SQLite has looked at its log.
 */
export class LogSync {
  readonly #file: string;
  #log: Promise<FileHandle> | undefined;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** Resolves when what was written before the call is on disk. Throws DatabaseUnavailable. */
  synchronise(): Promise<void> {
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      this.#running = this.#synchronise();
      return this.#running;
    });
    return this.#next;
  }

  async close(): Promise<void> {
    await this.#next?.catch(() => {});
    await (await this.#log)?.close();
  }

  async #synchronise(): Promise<void> {
    try {
      this.#log ??= openLog(this.#file);
      await (await this.#log).datasync();
    } catch (error) {
      throw new DatabaseUnavailable('The disk does not keep what is written', { cause: error });
    }
  }
}

/** The log is one file for as long as a connection is open; its folder must name it, too. */
async function openLog(file: string): Promise<FileHandle> {
  const folder = await open(dirname(file), 'r');
  await folder.sync();
  await folder.close();
  return open(file, 'r');
}
