import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { ServiceError, unavailable } from '../errors.ts';
import type { AccountDirectory, DirectoryAccount } from './account-directory.ts';
import { readSnapshots } from './read-snapshots.ts';
import type { BodyMessage, ReadMessage } from './reading-thread.ts';
import type { SnapshotColumns, UnknownAccount } from './snapshot-batch.ts';

/** Handing over a body costs as much as reading some hundred rows of it. */
const LEAST_BYTES = 16 * 1024;
/** A second processor. */
const HAS_ROOM = availableParallelism() > 1;
/** Bytes of bodies that may wait for the thread. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
const RETRY_AFTER_SECONDS = 1;

type Waiting = {
  bytes: number;
  resolve: (columns: SnapshotColumns) => void;
  reject: (error: unknown) => void;
};

/**
 * Reads the rows of bodies: large ones in a thread of its own, so that the one that folds and
 * answers need not. The thread is started by the first large body; until it runs, and on a machine
 * with one processor, they are read here.
 */
export class SnapshotReader {
  readonly #directory: AccountDirectory;
  readonly #maxWaitingBytes: number;
  readonly #waiting: Waiting[] = [];
  /** Accounts by the numbers that the thread gave their ids. */
  #numbered: (DirectoryAccount | UnknownAccount)[] = [];
  #thread: Worker | undefined;
  #isReady = false;
  #waitingBytes = 0;

  constructor(directory: AccountDirectory, maxWaitingBytes = MAX_WAITING_BYTES) {
    this.#directory = directory;
    this.#maxWaitingBytes = maxWaitingBytes;
  }

  /**
   * Takes the body's memory with it. Throws what readSnapshots throws, `unavailable` when too many
   * bytes wait.
   */
  async read(body: Buffer, isNdjson: boolean): Promise<SnapshotColumns> {
    const isLarge = body.length >= LEAST_BYTES && HAS_ROOM;
    if (isLarge) this.#thread ??= this.#start();
    const thread = this.#thread;
    if (!isLarge || !this.#isReady || !thread) {
      return readSnapshots(body, isNdjson, this.#directory);
    }
    const bytes = body.length;
    if (this.#waitingBytes > 0 && this.#waitingBytes + bytes > this.#maxWaitingBytes) {
      throw unavailable('Too many snapshots are waiting', RETRY_AFTER_SECONDS);
    }
    this.#waitingBytes += bytes;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ bytes, resolve, reject });
      const own = ownMemory(body);
      thread.postMessage({ body: own, isNdjson } satisfies BodyMessage, [own.buffer]);
    });
  }

  /** What waits is refused. */
  async close(): Promise<void> {
    await this.#thread?.terminate();
  }

  #start(): Worker {
    const thread = new Worker(new URL('reading-thread.ts', import.meta.url));
    thread.on('message', (message: ReadMessage | 'ready') => {
      if (message === 'ready') this.#isReady = true;
      else this.#take(message);
    });
    let failure: unknown;
    thread.on('error', (error) => {
      failure = error;
    });
    thread.on('exit', () => this.#end(failure));
    // Whoever waits for an answer keeps the process alive, not this.
    thread.unref();
    return thread;
  }

  #take(message: ReadMessage): void {
    const waiting = this.#next();
    if (!waiting) return;
    if ('code' in message) {
      const { code, message: text, details } = message;
      waiting.reject(new ServiceError(code, text, { details }));
      return;
    }
    if (message.isFresh) this.#numbered = [];
    for (const id of message.newIds) this.#numbered.push({ id });
    const accounts = Array.from<SnapshotColumns['accounts'][number]>({
      length: message.accounts.length,
    });
    for (let place = 0; place < accounts.length; place += 1) {
      accounts[place] = this.#accountOf(message.accounts[place] ?? 0);
    }
    waiting.resolve({ ...message.columns, accounts });
  }

  #accountOf(number: number): DirectoryAccount | UnknownAccount {
    const known = this.#numbered[number];
    if (!known) throw new Error(`Invariant: the thread gave no id the number ${number}`);
    const account = this.#directory.findAgain(known) ?? known;
    if (account !== known) this.#numbered[number] = account;
    return account;
  }

  #next(): Waiting | undefined {
    const waiting = this.#waiting.shift();
    if (waiting) this.#waitingBytes -= waiting.bytes;
    return waiting;
  }

  /** The next large body starts another thread. */
  #end(failure: unknown): void {
    this.#thread = undefined;
    this.#isReady = false;
    this.#numbered = [];
    const error = failure ?? unavailable('The server is stopping', RETRY_AFTER_SECONDS);
    for (let waiting = this.#next(); waiting; waiting = this.#next()) waiting.reject(error);
  }
}

/** Memory that nothing else lies in can change threads; else a copy. */
function ownMemory(body: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer } = body;
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === body.byteLength;
  return isOwn ? new Uint8Array(buffer) : new Uint8Array(body);
}
