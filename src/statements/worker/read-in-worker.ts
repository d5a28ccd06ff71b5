import { Worker } from 'node:worker_threads';
import type { Deal } from '../../domain/deal.ts';
import { ownMemory } from '../../domain/own-memory.ts';
import type { ReadOptions } from '../statement.ts';
import { UnreadableStatement } from '../unreadable-statement.ts';
import type { FromWorker, StatementHead, ToWorker } from './messages.ts';
import { NoPlaceLeft, Places } from './places.ts';

/** Workers at a time, files that may wait for one, and how long. */
const WORKERS_MAX = 2;
const WAITING_MAX = 4;
const WAIT_MS = 30_000;
/** Time of a processor from the start of the worker to the head of the statement. */
const READ_MS = 60_000;
/** A machine that is busy with other things gives the worker so many times as long. */
const PATIENCE = 5;
/** From there to the end of the last page: whoever stores the deals may take his time. */
const HAND_OUT_MS = 15 * 60_000;
const HEAP_MB = 1_024;
const STACK_MB = 4;

/** The worker's code: TypeScript in a checkout, JavaScript in the package. */
const WORKER_CODE = new URL(
  `./reading-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);

export type ReadLimits = { readMs: number; handOutMs: number; heapMb: number };

export type WorkerOptions = ReadOptions & {
  /** Ends the reading, whatever it is at. */
  signal?: AbortSignal | undefined;
  limits?: Partial<ReadLimits> | undefined;
};

/** A statement that a worker has read and holds. It ends with its last page, or when it is disposed of. */
export type StatementReading = AsyncDisposable & {
  head: StatementHead;
  /** The deals in order, some at a time; once. */
  pages(): AsyncGenerator<Deal[], void, undefined>;
};

const places = new Places(WORKERS_MAX, WAITING_MAX, WAIT_MS);

/**
 * Reads a statement in a thread of its own, with limits of time and memory. Takes the file's memory
 * with it, so that `bytes` are empty afterwards. Throws UnreadableStatement for a file that can't be
 * read, or not within the limits; NoPlaceLeft while too many are being read; the signal's reason.
 */
export async function readStatementInWorker(
  bytes: Uint8Array,
  options: WorkerOptions,
): Promise<StatementReading> {
  const { signal, limits } = options;
  const giveBack = await places.take(signal);
  const worker = new ReadingWorker(
    { readMs: READ_MS, handOutMs: HAND_OUT_MS, heapMb: HEAP_MB, ...limits },
    giveBack,
    signal,
  );
  try {
    const head = await worker.read(bytes, options);
    return {
      head,
      pages: () => worker.pages(),
      [Symbol.asyncDispose]: () => worker.end(),
    };
  } catch (error) {
    await worker.end();
    throw error;
  }
}

/** A worker, its deadline, and what it answers. */
class ReadingWorker {
  readonly #worker: Worker;
  readonly #limits: ReadLimits;
  readonly #giveBack: () => void;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort = () => this.#fail(this.#signal?.reason);
  #timer: NodeJS.Timeout | undefined;
  #answer: PromiseWithResolvers<FromWorker> | undefined;
  #failure: { error: unknown } | undefined;
  #ended: Promise<unknown> | undefined;

  constructor(limits: ReadLimits, giveBack: () => void, signal: AbortSignal | undefined) {
    this.#limits = limits;
    this.#giveBack = giveBack;
    this.#signal = signal;
    this.#worker = new Worker(WORKER_CODE, {
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMb, stackSizeMb: STACK_MB },
      env: {},
    });
    this.#worker.on('error', (error) => this.#fail(failureOf(error, limits)));
    this.#worker.on('exit', () => this.#fail(new Error('The reading worker ended')));
    signal?.addEventListener('abort', this.#onAbort);
    if (signal?.aborted) this.#onAbort();
  }

  async read(
    bytes: Uint8Array,
    { moneyDigits, clock, onProgress }: ReadOptions,
  ): Promise<StatementHead> {
    const { readMs, handOutMs } = this.#limits;
    this.#limitReading(readMs, performance.now());
    this.#worker.on('message', (message: FromWorker) => {
      if (message.kind === 'progress') onProgress?.(message.doneShare);
      else this.#answer?.resolve(message);
    });
    const own = ownMemory(bytes);
    const answer = await this.#ask({ kind: 'read', bytes: own, moneyDigits, clock }, [own.buffer]);
    if (answer.kind === 'unreadable') throw new UnreadableStatement(answer.expected, answer.where);
    if (answer.kind !== 'head') throw strange(answer);
    this.#limitTo(handOutMs, () => new Error(`The deals were not taken in ${handOutMs / 1000} s`));
    return answer.head;
  }

  async *pages(): AsyncGenerator<Deal[], void, undefined> {
    try {
      for (let next = this.#ask({ kind: 'page' }); ; ) {
        const answer = await next;
        if (answer.kind !== 'page') throw strange(answer);
        if (answer.deals.length === 0) return;
        // The worker packs the next page while this one is stored.
        next = this.#ask({ kind: 'page' });
        // Whoever stops before the end does not hear what becomes of it.
        next.catch(() => {});
        yield answer.deals;
      }
    } finally {
      await this.end();
    }
  }

  async end(): Promise<void> {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#failure ??= { error: new Error('The statement was handed out already') };
    this.#ended ??= this.#worker.terminate();
    await this.#ended;
    this.#giveBack();
  }

  #ask(message: ToWorker, moved: ArrayBuffer[] = []): Promise<FromWorker> {
    if (this.#failure) return Promise.reject(this.#failure.error);
    this.#answer = Promise.withResolvers();
    this.#worker.postMessage(message, moved);
    return this.#answer.promise;
  }

  /** A file is refused for what it takes of a processor, not for what others take. */
  #limitReading(leftMs: number, startedMs: number): void {
    const { readMs } = this.#limits;
    clearTimeout(this.#timer);
    const timer = setTimeout(async () => {
      const used = await this.#worker.cpuUsage().catch(() => undefined);
      // It was read meanwhile, or has failed.
      if (!used || this.#failure || this.#timer !== timer) return;
      const leftMs = readMs - (used.user + used.system) / 1000;
      if (leftMs <= readMs / 10)
        this.#fail(
          tooMuch(`a file that can be read in ${readMs / 1000} seconds`, 'it takes longer'),
        );
      else if (performance.now() - startedMs > PATIENCE * readMs) this.#fail(new NoPlaceLeft());
      else this.#limitReading(leftMs, startedMs);
    }, leftMs);
    this.#timer = timer;
  }

  #limitTo(ms: number, failure: () => Error): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fail(failure()), ms);
  }

  /** What waits is refused, and so is whatever comes. */
  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#answer?.reject(this.#failure.error);
    void this.end();
  }
}

const tooMuch = (expected: string, where: string): UnreadableStatement =>
  new UnreadableStatement(
    expected,
    `${where}. Export a shorter period at a time and import the parts one after the other`,
  );

function failureOf(error: unknown, { heapMb }: ReadLimits): unknown {
  const isMemory = error instanceof Error && 'code' in error && error.code === OUT_OF_MEMORY;
  return isMemory
    ? tooMuch(`a file that can be read in ${heapMb} MB of memory`, 'it needs more')
    : error;
}

const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';

const strange = (answer: FromWorker): Error => {
  if (answer.kind !== 'failed') return new Error(`Invariant: the worker answered ${answer.kind}`);
  const error = new Error(`Reading a statement failed: ${answer.message}`);
  if (answer.stack !== undefined) error.stack = answer.stack;
  return error;
};
