import { Worker } from 'node:worker_threads';
import type { SqliteConnection } from './sqlite-connection.ts';

/** Pages of the log before they are written back (32 MB): short-lived rows then never are. */
const LOG_PAGES = 4000;
/** Looking takes some microseconds, and is not needed for each commit. */
const LOOK_EVERY_MS = 20;
/** Somebody may be reading what the log is needed for: then it has to grow for a while. */
const AGAIN_AFTER_MS = 1000;

/**
 * Writes what SQLite's log holds back to the database's file, in a thread of its own: SQLite would do
 * that within some commit, which then keeps the process for as long as the disk takes for 32 MB.
 * Nothing depends on it: what is not written back is in the log.
 */
export class WriteBack {
  readonly #file: string;
  readonly #writer: SqliteConnection;
  #nextLookMs = 0;
  #thread: Worker | undefined;
  #isRunning = false;

  constructor(file: string, writer: SqliteConnection) {
    this.#file = file;
    this.#writer = writer;
  }

  /** Something was committed. Throws nothing: that it was committed is true whatever happens here. */
  noteCommit(): void {
    const nowMs = performance.now();
    if (this.#isRunning || nowMs < this.#nextLookMs) return;
    this.#nextLookMs = nowMs + LOOK_EVERY_MS;
    if (!this.#isDue()) return;
    this.#isRunning = true;
    this.#start().postMessage('write back');
  }

  /** Resolves when the thread has let go of the file. */
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

  /** Only when it is needed: most databases of a command or a test never have a log as long. */
  #start(): Worker {
    if (this.#thread) return this.#thread;
    const thread = new Worker(new URL('sqlite-write-back-thread.ts', import.meta.url), {
      workerData: this.#file,
    });
    this.#thread = thread;
    const isDone = (): void => {
      this.#isRunning = false;
      this.#nextLookMs = performance.now() + AGAIN_AFTER_MS;
    };
    thread.on('message', isDone);
    // The log grows until another thread has more luck.
    thread.on('error', () => {
      this.#thread = undefined;
      isDone();
    });
    // Nobody waits for it.
    thread.unref();
    return thread;
  }
}
