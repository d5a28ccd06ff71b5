import { Worker } from 'node:worker_threads';
import { ownMemory } from '../domain/own-memory.ts';
import { threadEnvironment } from '../domain/thread-environment.ts';
import { SnapshotReading } from './read-snapshots.ts';
import type { BodyMessage, ReadMessage } from './reading-thread.ts';
import { Rejection } from './rejection.ts';
import { AccountIds, type SnapshotColumns } from './snapshot-columns.ts';

/** Handing over a body costs as much as reading some hundred rows of it. */
const LEAST_BYTES = 16 * 1024;
/** Bytes of bodies that may wait for the thread, of all users and of one. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
const MAX_WAITING_BYTES_EACH = 24 * 1024 * 1024;
/** What reading the largest body takes several times over; a thread beyond it ends, and a new one starts. */
const THREAD_MEMORY_MB = 512;
/** The thread's code: TypeScript in a checkout, JavaScript in the package. */
const READING_THREAD = new URL(
  `./reading-thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);

type Waiting = {
  userId: string;
  bytes: number;
  resolve: (columns: SnapshotColumns) => void;
  reject: (error: unknown) => void;
};

/**
 * Reads the rows of bodies: large ones in a thread of its own, so that the one that folds and
 * answers need not.
 */
export class SnapshotReader {
  readonly #maxWaitingBytes: number;
  readonly #reading = new SnapshotReading();
  readonly #waiting = new Map<number, Waiting>();
  readonly #bytesOf = new Map<string, number>();
  #thread: Worker | undefined;
  #ready: Promise<unknown> | undefined;
  #numbers = 0;
  #waitingBytes = 0;
  #isClosed = false;

  constructor(maxWaitingBytes = MAX_WAITING_BYTES) {
    this.#maxWaitingBytes = maxWaitingBytes;
  }

  /** Bytes of bodies that wait for the thread, or are in it. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** Starts the thread, so that the first large body need not wait for it. */
  async start(): Promise<void> {
    await this.#start().ready;
  }

  /** Takes a large body's memory with it. Throws Rejection. */
  async read(userId: string, body: Buffer, isNdjson: boolean): Promise<SnapshotColumns> {
    if (body.length < LEAST_BYTES) return this.#reading.read(body, isNdjson);
    this.#admit(userId, body.length);
    const { thread } = this.#start();
    this.#numbers += 1;
    const number = this.#numbers;
    const bytes = body.length;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { userId, bytes, resolve, reject });
      this.#count(userId, bytes);
      const own = ownMemory(body);
      thread.postMessage({ number, body: own, isNdjson } satisfies BodyMessage, [own.buffer]);
    });
  }

  /** What waits is refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread?.terminate();
  }

  #admit(userId: string, bytes: number): void {
    const own = this.#bytesOf.get(userId) ?? 0;
    const isFull =
      this.#isClosed ||
      (this.#waitingBytes > 0 && this.#waitingBytes + bytes > this.#maxWaitingBytes) ||
      (own > 0 && own + bytes > MAX_WAITING_BYTES_EACH);
    if (isFull)
      throw new Rejection('busy', 'Too many snapshots are waiting: send them again later');
  }

  #count(userId: string, bytes: number): void {
    this.#waitingBytes += bytes;
    const own = (this.#bytesOf.get(userId) ?? 0) + bytes;
    if (own > 0) this.#bytesOf.set(userId, own);
    else this.#bytesOf.delete(userId);
  }

  #start(): { thread: Worker; ready: Promise<unknown> } {
    if (this.#thread && this.#ready) return { thread: this.#thread, ready: this.#ready };
    const thread = new Worker(READING_THREAD, {
      env: threadEnvironment(),
      resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY_MB },
    });
    this.#thread = thread;
    this.#ready = new Promise((resolve) => thread.once('message', resolve));
    thread.on('message', (message: ReadMessage | 'ready') => {
      if (message !== 'ready') this.#take(message);
    });
    // The reason is told to whoever waits; the next large body starts another thread.
    let failure: unknown;
    thread.on('error', (error) => {
      failure = error;
    });
    thread.on('exit', () => this.#end(thread, failure));
    // Whoever waits for an answer keeps the process alive, not this.
    thread.unref();
    return { thread, ready: this.#ready };
  }

  #take(message: ReadMessage): void {
    const waiting = this.#waiting.get(message.number);
    if (!waiting) return;
    this.#waiting.delete(message.number);
    this.#count(waiting.userId, -waiting.bytes);
    if ('kind' in message) {
      waiting.reject(new Rejection(message.kind, message.message, message.faults));
      return;
    }
    const ids = AccountIds.read(message.ids.count, message.ids.bytes);
    waiting.resolve({ ids, ...message.columns });
  }

  #end(thread: Worker, failure: unknown): void {
    if (this.#thread !== thread) return;
    this.#thread = undefined;
    this.#ready = undefined;
    const error = failure ?? new Rejection('busy', 'The server is stopping: try again later');
    for (const [number, { userId, bytes, reject }] of [...this.#waiting]) {
      this.#waiting.delete(number);
      this.#count(userId, -bytes);
      reject(error);
    }
  }
}
