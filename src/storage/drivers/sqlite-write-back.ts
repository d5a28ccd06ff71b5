import { Thread, ThreadEnded } from '../../threads/thread.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

/** Pages of the log before it is written back (32 MB), so that short-lived rows never are. */
const LOG_PAGES = 4000;
/** Looking takes some microseconds, and is not needed at each commit. */
const LOOK_EVERY_MS = 20;
/** A reader may still need the log: then it grows for a while. */
const AGAIN_AFTER_MS = 1000;

/**
 * Writes SQLite's log back to the database's file in a separate thread. SQLite would do it within
 * some commit, which would then block the process for as long as the disk takes for 32 MB. Nothing
 * depends on it: until then, the data is in the log.
 */
export class WriteBack {
  readonly #writer: Pick<SqliteConnection, 'logState'>;
  /** Starts only when needed: most databases of a command or a test never get a long log. */
  readonly #thread: Pick<Thread<'write back', void>, 'ask' | 'end'>;
  #nextLookMs = 0;
  #isRunning = false;

  constructor(
    file: string,
    writer: Pick<SqliteConnection, 'logState'>,
    thread: Pick<Thread<'write back', void>, 'ask' | 'end'> = new Thread(
      'sqlite-write-back-thread',
      import.meta.url,
      { data: file },
    ),
  ) {
    this.#writer = writer;
    this.#thread = thread;
  }

  /** Call this after a commit. Never throws: the commit stands, whatever happens here. */
  noteCommit(): void {
    const nowMs = performance.now();
    if (this.#isRunning || nowMs < this.#nextLookMs) return;
    this.#nextLookMs = nowMs + LOOK_EVERY_MS;
    if (!this.#isDue()) return;
    this.#isRunning = true;
    const letGo = (): void => {
      this.#isRunning = false;
      this.#nextLookMs = performance.now() + AGAIN_AFTER_MS;
    };
    // If it fails, as on a machine without a free thread, the log grows until another succeeds.
    this.#thread.ask('write back').then(letGo, letGo);
  }

  /** Resolves when the thread has released the file. */
  async close(): Promise<void> {
    this.#isRunning = true;
    await this.#thread.end(new ThreadEnded('The database is closed'));
  }

  #isDue(): boolean {
    try {
      const { pages, writtenBack } = this.#writer.logState();
      return pages >= LOG_PAGES && writtenBack < pages;
    } catch {
      return false;
    }
  }
}
