import { Worker } from 'node:worker_threads';
import { ownMemory } from '../domain/own-memory.ts';
import { threadEnvironment } from '../domain/thread-environment.ts';
import { AccountIds } from './account-ids.ts';
import type { SnapshotBody } from './read-snapshots.ts';
import { SnapshotReading } from './read-snapshots.ts';
import type { BodyMessage, ReadMessage, ReadNow } from './reading-thread.ts';
import { Rejection } from './rejection.ts';

/** Shorter bodies are read at once: handing one over costs as much as reading some hundred rows. */
const LEAST_BYTES = 16 * 1024;
/** The most bytes of bodies that may wait for the thread: of all users, and of each one. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
const MAX_WAITING_BYTES_EACH = 24 * 1024 * 1024;
/**
 * Bodies read in turns are in memory together, so longer ones than LARGE_BYTES are handed to the
 * thread only up to MAX_LARGE_BYTES in all, or one alone; shorter ones pass them.
 */
const LARGE_BYTES = 1024 * 1024;
const MAX_LARGE_BYTES = 24 * 1024 * 1024;
/** Several times what the largest body takes. A thread that needs more ends; a new one starts. */
const THREAD_MEMORY_MB = 512;
/** Bodies are numbered below this, as the number shared with the thread is an Int32. */
const MAX_NUMBER = 2 ** 31;
/** The thread's code: TypeScript in a checkout, JavaScript in the package. */
const READING_THREAD = new URL(
  `./reading-thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);

type Waiting = {
  userId: string;
  bytes: number;
  isNdjson: boolean;
  /** Set until it is handed to the thread. */
  body: Buffer | undefined;
  resolve: (columns: SnapshotBody) => void;
  reject: (error: unknown) => void;
};

/**
 * Reads the rows of bodies: large ones in a separate thread, so that the main thread stays free to
 * fold and answer. The first one starts it.
 */
export class SnapshotReader {
  readonly #maxWaitingBytes: number;
  readonly #maxLargeBytes: number;
  readonly #threadMemoryMb: number;
  readonly #reading = new SnapshotReading();
  readonly #waiting = new Map<number, Waiting>();
  readonly #bytesOf = new Map<string, number>();
  #thread: Worker | undefined;
  readonly #readNow = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  #numbers = 0;
  #waitingBytes = 0;
  #largeBytes = 0;
  #isClosed = false;

  constructor({
    maxWaitingBytes = MAX_WAITING_BYTES,
    maxLargeBytes = MAX_LARGE_BYTES,
    threadMemoryMb = THREAD_MEMORY_MB,
  } = {}) {
    this.#maxWaitingBytes = maxWaitingBytes;
    this.#maxLargeBytes = maxLargeBytes;
    this.#threadMemoryMb = threadMemoryMb;
  }

  /** Bytes of bodies that wait for the thread or are being read by it. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** Reads a body; a large one's memory is handed over and lost to the caller. Throws Rejection. */
  async read(userId: string, body: Buffer, isNdjson: boolean): Promise<SnapshotBody> {
    if (body.length < LEAST_BYTES) return this.#reading.read(body, isNdjson);
    this.#admit(userId, body.length);
    this.#numbers = (this.#numbers + 1) % MAX_NUMBER;
    const number = this.#numbers;
    const bytes = body.length;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { userId, bytes, isNdjson, body, resolve, reject });
      this.#count(userId, bytes);
      this.#handOver();
    });
  }

  /** Hands bodies to the thread in order: large ones while there is room, smaller ones always. */
  #handOver(): void {
    let isFull = false;
    for (const [number, waiting] of this.#waiting) {
      const { body, bytes, isNdjson } = waiting;
      if (!body) continue;
      if (bytes > LARGE_BYTES) {
        isFull ||= this.#largeBytes > 0 && this.#largeBytes + bytes > this.#maxLargeBytes;
        if (isFull) continue;
        this.#largeBytes += bytes;
      }
      waiting.body = undefined;
      try {
        const own = ownMemory(body);
        const message: BodyMessage = { number, body: own, isNdjson };
        this.#thread ??= this.#start();
        this.#thread.postMessage(message, [own.buffer]);
      } catch (error) {
        this.#leave(number, waiting);
        waiting.reject(error);
      }
    }
  }

  /** Refuses what still waits. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const thread = this.#thread;
    if (!thread) return;
    this.#end(thread, undefined);
    await thread.terminate();
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

  #start(): Worker {
    const thread = new Worker(READING_THREAD, {
      env: threadEnvironment(),
      resourceLimits: { maxOldGenerationSizeMb: this.#threadMemoryMb },
      workerData: { readNow: this.#readNow } satisfies ReadNow,
    });
    thread.on('message', (message: ReadMessage) => this.#take(message));
    // All bodies that were handed to it are refused; a new thread reads the others.
    let failure: unknown;
    thread.on('error', (error) => {
      failure = error;
    });
    thread.on('exit', () => this.#end(thread, failure));
    // The thread alone must not keep the process alive.
    thread.unref();
    return thread;
  }

  #take(message: ReadMessage): void {
    const waiting = this.#waiting.get(message.number);
    if (!waiting) return;
    this.#leave(message.number, waiting);
    this.#handOver();
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
    const stopping = new Rejection('busy', 'The server is stopping: try again later');
    const again = new Rejection('busy', 'Reading them was interrupted: send them again');
    for (const [number, waiting] of [...this.#waiting]) {
      // Bodies not handed over yet are read by the next thread.
      if (waiting.body && !this.#isClosed) continue;
      this.#leave(number, waiting);
      const isCause = failure !== undefined && number === this.#readNow[0];
      waiting.reject(this.#isClosed ? stopping : isCause ? refusalOf(failure) : again);
    }
    if (!this.#isClosed) this.#handOver();
  }

  #leave(number: number, { userId, bytes, body }: Waiting): void {
    this.#waiting.delete(number);
    this.#count(userId, -bytes);
    if (!body && bytes > LARGE_BYTES) this.#largeBytes -= bytes;
  }
}

/** The error for a body whose reading ended the thread. */
function refusalOf(failure: unknown): unknown {
  const isMemory =
    failure instanceof Error && 'code' in failure && failure.code === 'ERR_WORKER_OUT_OF_MEMORY';
  if (!isMemory) return failure;
  return new Rejection('tooLarge', 'Reading it takes too much memory: send fewer rows at a time');
}
