import { Worker } from 'node:worker_threads';
import type { Deal } from '../../domain/deal.ts';
import { ownMemory } from '../../threads/own-memory.ts';
import { heapLimits, threadEnvironment } from '../../threads/thread.ts';
import type { ReadOptions } from '../statement.ts';
import { UnreadableStatement } from '../unreadable-statement.ts';
import type { FromWorker, StatementHead, ToWorker } from './messages.ts';
import { ThreadPlaces } from './places.ts';
import { failureOf, NotInTime, READ_LIMITS, type ReadLimits, tooLong } from './read-limits.ts';

/** Threads at a time, files that may wait for one, and how long. */
const WORKERS_MAX = 2;
const WAITING_MAX = 4;
const WAIT_MS = 30_000;
const STACK_MB = 4;
/** A thread waits this long for the next file: a new one takes longer to begin than most files. */
const IDLE_MS = 30_000;
/** After a larger file a thread ends, and gives its memory back. */
const KEPT_BYTES = 4 * 1024 * 1024;

/** The thread's code: TypeScript in a checkout, JavaScript in the package. */
const WORKER_CODE = new URL(
  `./reading-thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);

export type WorkerOptions = ReadOptions & {
  /** Ends the reading at any point. */
  signal?: AbortSignal | undefined;
  limits?: Partial<ReadLimits> | undefined;
  newThread?: ((limits: ReadLimits) => Worker) | undefined;
};

/**
 * A statement that a thread has read and holds. It ends with its last page, or when it is disposed
 * of.
 */
export type StatementReading = AsyncDisposable & {
  head: StatementHead;
  /** The deals in order, some at a time; once. */
  pages(): AsyncGenerator<Deal[], void, undefined>;
};

const places = new ThreadPlaces(WORKERS_MAX, WAITING_MAX, WAIT_MS);

/** Threads that read a statement or hold one. */
export const statementThreads = (): number => places.taken;

/**
 * Reads a statement in a separate thread, with limits of time and memory. Takes the file's memory
 * with it, so that `bytes` are empty afterwards. Throws UnreadableStatement for a file that can't
 * be read, or not within the limits; NoPlaceLeft while too many are being read; NotInTime if it
 * took too long by the clock; the signal's reason.
 */
export async function readStatementInThread(
  bytes: Uint8Array,
  options: WorkerOptions,
): Promise<StatementReading> {
  const { signal, newThread: _, limits: __, ...file } = options;
  const limits = { ...READ_LIMITS, ...options.limits };
  const endsMs = performance.now() + limits.totalMs;
  const giveBack = await places.take(signal);
  let worker: ReadingWorker | undefined;
  try {
    const isUsual = !options.newThread && limits.heapMb === READ_LIMITS.heapMb;
    const kept = isUsual ? idle.take() : undefined;
    const thread = kept ?? (options.newThread ?? newThread)(limits);
    const isKept = isUsual && bytes.length <= KEPT_BYTES;
    worker = new ReadingWorker(thread, { limits, endsMs, isKept }, giveBack, signal);
    return await readingOf(worker, bytes, file);
  } catch (error) {
    await worker?.end();
    // A machine may have no free thread.
    giveBack();
    throw error;
  }
}

const newThread = ({ heapMb }: ReadLimits): Worker =>
  new Worker(WORKER_CODE, {
    resourceLimits: { ...heapLimits(heapMb), stackSizeMb: STACK_MB },
    env: threadEnvironment(),
  });

/** Threads without a file, the last one first. */
class IdleThreads {
  readonly #threads: { thread: Worker; ends: NodeJS.Timeout }[] = [];

  take(): Worker | undefined {
    const last = this.#threads.pop();
    clearTimeout(last?.ends);
    if (last) forget(last.thread).ref();
    return last?.thread;
  }

  async keep(thread: Worker): Promise<void> {
    forget(thread);
    if (this.#threads.length === WORKERS_MAX) {
      await thread.terminate();
      return;
    }
    const ends = setTimeout(() => void thread.terminate(), IDLE_MS).unref();
    thread.unref();
    thread.on('error', () => {}).on('exit', () => this.#drop(thread));
    this.#threads.push({ thread, ends });
  }

  #drop(thread: Worker): void {
    const at = this.#threads.findIndex((one) => one.thread === thread);
    if (at >= 0) clearTimeout(this.#threads.splice(at, 1)[0]?.ends);
  }
}

/** Takes the listeners of its last file away; Node has others of its own. */
const forget = (thread: Worker): Worker =>
  thread.removeAllListeners('message').removeAllListeners('error').removeAllListeners('exit');

const idle = new IdleThreads();

async function readingOf(
  worker: ReadingWorker,
  bytes: Uint8Array,
  options: ReadOptions,
): Promise<StatementReading> {
  return {
    head: await worker.read(bytes, options),
    pages: () => worker.pages(),
    [Symbol.asyncDispose]: () => worker.end(),
  };
}

/** A thread, its deadlines, and its answers. */
class ReadingWorker {
  readonly #worker: Worker;
  readonly #limits: ReadLimits;
  readonly #endsMs: number;
  /** The thread may read another file when this one has been handed out. */
  readonly #isKept: boolean;
  readonly #giveBack: () => void;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort = () => this.#fail(this.#signal?.reason);
  #clock: NodeJS.Timeout | undefined;
  #processor: NodeJS.Timeout | undefined;
  #answer: PromiseWithResolvers<FromWorker> | undefined;
  #isAnswered = false;
  #usedBefore: Promise<number> = Promise.resolve(0);
  #failure: { error: unknown } | undefined;
  #ended: Promise<unknown> | undefined;

  constructor(
    thread: Worker,
    { limits, endsMs, isKept }: { limits: ReadLimits; endsMs: number; isKept: boolean },
    giveBack: () => void,
    signal: AbortSignal | undefined,
  ) {
    this.#limits = limits;
    this.#endsMs = endsMs;
    this.#isKept = isKept;
    this.#giveBack = giveBack;
    this.#signal = signal;
    this.#worker = thread;
    this.#worker.on('error', (error) => this.#fail(failureOf(error, limits)));
    this.#worker.on('exit', () => this.#fail(new Error('The reading worker ended')));
    signal?.addEventListener('abort', this.#onAbort);
    if (signal?.aborted) this.#onAbort();
  }

  async read(bytes: Uint8Array, { onProgress, ...options }: ReadOptions): Promise<StatementHead> {
    const { processorMs, readMs } = this.#limits;
    // A thread answers this with the next work that it gets.
    this.#usedBefore = this.#used();
    this.#limitProcessor(processorMs);
    this.#limitClock(readMs);
    this.#worker.on('message', (message: FromWorker) => {
      if (message.kind === 'progress') this.#tell(onProgress, message.doneShare);
      else {
        this.#isAnswered = message.kind !== 'failed';
        this.#answer?.resolve(message);
      }
    });
    const own = ownMemory(bytes);
    const answer = await this.#ask({ kind: 'read', bytes: own, ...options }, [own.buffer]);
    if (answer.kind === 'unreadable')
      throw new UnreadableStatement(answer.expected, answer.where, answer.table);
    if (answer.kind !== 'head') throw strange(answer);
    clearTimeout(this.#processor);
    this.#processor = undefined;
    this.#limitClock();
    return answer.head;
  }

  async *pages(): AsyncGenerator<Deal[], void, undefined> {
    try {
      for (let next = this.#ask({ kind: 'page' }); ; ) {
        const answer = await next;
        if (answer.kind !== 'page') throw strange(answer);
        if (answer.deals.length === 0) return;
        // The thread packs the next page while this one is stored.
        next = this.#ask({ kind: 'page' });
        // A caller that stops before the end gets no further result.
        next.catch(() => {});
        yield answer.deals;
      }
    } finally {
      await this.end();
    }
  }

  async end(): Promise<void> {
    clearTimeout(this.#clock);
    clearTimeout(this.#processor);
    this.#signal?.removeEventListener('abort', this.#onAbort);
    // A thread that still answers, or failed, is not asked again.
    const isSound = this.#isKept && !this.#failure && this.#isAnswered;
    this.#failure ??= { error: new Error('The statement was handed out already') };
    this.#ended ??= isSound ? idle.keep(this.#worker) : this.#worker.terminate();
    await this.#ended;
    this.#giveBack();
  }

  #ask(message: ToWorker, moved: ArrayBuffer[] = []): Promise<FromWorker> {
    if (this.#failure) return Promise.reject(this.#failure.error);
    this.#answer = Promise.withResolvers();
    this.#isAnswered = false;
    this.#worker.postMessage(message, moved);
    return this.#answer.promise;
  }

  /** Failures here end the reading, not the process. */
  #tell(onProgress: ReadOptions['onProgress'], doneShare: number): void {
    try {
      onProgress?.(doneShare);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Milliseconds of processor time; a thread that has not begun yet has used nothing. */
  async #used(): Promise<number> {
    const used = await this.#worker.cpuUsage().catch(() => ({ user: 0, system: 0 }));
    return (used.user + used.system) / 1000;
  }

  /** A file is refused for its own processor time, not for that of others. */
  #limitProcessor(leftMs: number): void {
    const timer = setTimeout(async () => {
      const usedMs = (await this.#used()) - (await this.#usedBefore);
      // It has been read, or has failed.
      if (this.#failure || this.#processor !== timer) return;
      const { processorMs } = this.#limits;
      const leftMs = processorMs - usedMs;
      if (leftMs <= processorMs / 10) this.#fail(tooLong(this.#limits));
      else this.#limitProcessor(leftMs);
    }, leftMs);
    this.#processor = timer;
  }

  /** For this long from now, or to the end of all work on the file. */
  #limitClock(ms = Number.POSITIVE_INFINITY): void {
    const leftMs = this.#endsMs - performance.now();
    const failure = new NotInTime(ms < leftMs ? ms : this.#limits.totalMs);
    clearTimeout(this.#clock);
    this.#clock = setTimeout(() => this.#fail(failure), Math.min(ms, leftMs));
  }

  /** Refuses all waiting and further callers. */
  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#answer?.reject(this.#failure.error);
    void this.end();
  }
}

const strange = (answer: FromWorker): Error => {
  if (answer.kind !== 'failed') return new Error(`Invariant: the worker answered ${answer.kind}`);
  const error = new Error(`Reading a statement failed: ${answer.message}`);
  if (answer.stack !== undefined) error.stack = answer.stack;
  return error;
};
