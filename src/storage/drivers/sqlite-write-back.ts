import { Worker } from 'node:worker_threads';
import type { SqliteConnection } from './sqlite-connection.ts';

/** Pages of the log before it is written back (32 MB), so that short-lived rows never are. */
const LOG_PAGES = 4000;
/** Looking takes some microseconds, and is not needed at each commit. */
const LOOK_EVERY_MS = 20;
/** A reader may still need the log: then it has to grow for a while. */
const AGAIN_AFTER_MS = 1000;

/** The thread's code: TypeScript in a checkout, JavaScript in the package. */
const THREAD_CODE = new URL(
  `./sqlite-write-back-thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);

/**
 * Writes SQLite's log back to the database's file in a thread of its own. SQLite would do it within
 * some commit, which would then block the process for as long as the disk takes for 32 MB. Nothing
 * depends on it: what is not written back is in the log.
 */
export class WriteBack {
  readonly #file: string;
  readonly #writer: Pick<SqliteConnection, 'logState'>;
  readonly #newThread: (file: string) => Worker;
  #nextLookMs = 0;
  #thread: Worker | undefined;
  #isRunning = false;

  constructor(
    file: string,
    writer: Pick<SqliteConnection, 'logState'>,
    newThread = (workerData: string) => new Worker(THREAD_CODE, { workerData }),
  ) {
    this.#file = file;
    this.#writer = writer;
    this.#newThread = newThread;
  }

  /** Something was committed. Never throws: the commit stands, whatever happens here. */
  noteCommit(): void {
    const nowMs = performance.now();
    if (this.#isRunning || nowMs < this.#nextLookMs) return;
    this.#nextLookMs = nowMs + LOOK_EVERY_MS;
    if (!this.#isDue()) return;
    this.#isRunning = true;
    try {
      this.#start().postMessage('write back');
    } catch {
      // A machine without a free thread may have one later.
      this.#letGo();
    }
  }

  /** Resolves when the thread has released the file. */
  async close(): Promise<void> {
    this.#isRunning = true;
    await this.#thread?.terminate();
  }

  #isDue(): boolean {
    try {
      const { pages, writtenBack } = this.#writer.logState();
      return pages >= LOG_PAGES && writtenBack < pages;
    } catch {
      return false;
    }
  }

  /** Only when it is needed: most databases of a command or a test never get so long a log. */
  #start(): Worker {
    if (this.#thread) return this.#thread;
    const thread = this.#newThread(this.#file);
    this.#thread = thread;
    thread.on('message', () => this.#letGo());
    // The log grows until another thread succeeds.
    thread.on('error', () => {
      this.#thread = undefined;
      this.#letGo();
    });
    // Nobody waits for it.
    thread.unref();
    return thread;
  }

  #letGo(): void {
    this.#isRunning = false;
    this.#nextLookMs = performance.now() + AGAIN_AFTER_MS;
  }
}
