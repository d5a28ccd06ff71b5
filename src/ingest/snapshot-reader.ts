import { ownMemory } from '../threads/own-memory.ts';
import { Thread, ThreadEnded } from '../threads/thread.ts';
import { AccountIds } from './account-ids.ts';
import type { SnapshotBody } from './read-snapshots.ts';
import { SnapshotReading } from './read-snapshots.ts';
import { Rejection } from './rejection.ts';
import type { BodyMessage, ReadMessage, ReadNow } from './snapshot-thread.ts';

/** Shorter bodies are read here: a transfer costs as much as reading some hundred rows. */
const LEAST_BYTES = 16 * 1024;
/** The most bytes of bodies that may wait for the thread: of all users, and of each one. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
const MAX_WAITING_BYTES_EACH = 24 * 1024 * 1024;
/**
 * Bodies read in turns are in memory together, so longer ones than LARGE_BYTES go to the thread
 * only up to MAX_LARGE_BYTES in all, or one alone; shorter ones overtake them.
 */
const LARGE_BYTES = 1024 * 1024;
const MAX_LARGE_BYTES = 24 * 1024 * 1024;
/** Several times the need of the largest body. A thread that needs more ends; a new one starts. */
const THREAD_MEMORY_MB = 512;
/** Bodies are numbered below this, as the number shared with the thread is an Int32. */
const MAX_NUMBER = 2 ** 31;
type Waiting = {
  userId: string;
  bytes: number;
  isNdjson: boolean;
  /** Set until it is sent to the thread. */
  body: Buffer | undefined;
  resolve: (columns: SnapshotBody) => void;
  reject: (error: unknown) => void;
};

/**
 * Reads the rows of bodies: large ones in a separate thread, so that the main thread stays free to
 * fold and answer. The first large body starts it.
 */
export class SnapshotReader {
  readonly #maxWaitingBytes: number;
  readonly #maxLargeBytes: number;
  readonly #reading = new SnapshotReading();
  readonly #waiting = new Map<number, Waiting>();
  readonly #bytesOf = new Map<string, number>();
  readonly #thread: Thread<BodyMessage, ReadMessage>;
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
    this.#thread = new Thread('snapshot-thread', import.meta.url, {
      data: { readNow: this.#readNow } satisfies ReadNow,
      heapMb: threadMemoryMb,
    });
  }

  /** Bytes of bodies that wait for the thread or are being read by it. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** Reads a body; a large one's memory is transferred and lost to the caller. Throws Rejection. */
  async read(userId: string, body: Buffer, isNdjson: boolean): Promise<SnapshotBody> {
    if (body.length < LEAST_BYTES) return this.#reading.read(body, isNdjson);
    this.#admit(userId, body.length);
    this.#numbers = (this.#numbers + 1) % MAX_NUMBER;
    const number = this.#numbers;
    const bytes = body.length;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { userId, bytes, isNdjson, body, resolve, reject });
      this.#count(userId, bytes);
      this.#sendBodies();
    });
  }

  /** Sends bodies to the thread in order: large ones while there is room, smaller ones always. */
  #sendBodies(): void {
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
      const own = ownMemory(body);
      this.#thread.ask({ number, body: own, isNdjson }, [own.buffer]).then(
        (read) => this.#take(number, waiting, read),
        (error: unknown) => this.#refuse(number, waiting, error),
      );
    }
  }

  /** Refuses all waiting bodies. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const stopping = new Rejection('busy', 'The server is stopping: try again later');
    for (const [number, waiting] of [...this.#waiting]) {
      if (waiting.body) this.#refuse(number, waiting, stopping);
    }
    await this.#thread.end(stopping);
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

  #take(number: number, waiting: Waiting, read: ReadMessage): void {
    this.#leave(number, waiting);
    this.#sendBodies();
    if ('kind' in read) waiting.reject(new Rejection(read.kind, read.message, read.faults));
    else {
      const { ids, columns } = read;
      waiting.resolve({ ids: AccountIds.read(ids.count, ids.bytes), ...columns });
    }
  }

  /** When a thread ends, all its bodies are refused; a new one reads the others. */
  #refuse(number: number, waiting: Waiting, error: unknown): void {
    this.#leave(number, waiting);
    if (!this.#isClosed) this.#sendBodies();
    if (!(error instanceof ThreadEnded)) waiting.reject(error);
    else if (error.cause !== undefined && number === this.#readNow[0]) {
      waiting.reject(refusalOf(error.cause));
    } else waiting.reject(new Rejection('busy', 'Reading them was interrupted: send them again'));
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
