import { Worker } from 'node:worker_threads';
import { threadEnvironment } from '../domain/thread-environment.ts';
import type { FoldedAccount, Slice } from '../histories/fold-slice.ts';
import type { PositionReader, PositionsAt } from '../histories/positions-at.ts';
import { DatabaseUnavailable } from '../storage/database.ts';
import { TradeChunk } from '../storage/trade-store.ts';
import type { FromHistoryThread, HistoryAnswer, ToHistoryThread } from './history-messages.ts';
import type { Settings } from './settings.ts';

/** The thread's code: TypeScript in a checkout, JavaScript in the package. */
const THREAD = new URL(
  `./history-thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);
const HEAP_MB = 512;
/** An answer takes a tenth of a second; a thread that is stuck must not keep accounts for ever. */
const ANSWER_MS = 60_000;
/** A thread that nobody needs gives its memory and its connection back. */
const IDLE_MS = 30_000;

type Where = Pick<Settings, 'DATABASE_URL' | 'PLIMSOLL_DATA'>;
type Asked = { answered: PromiseWithResolvers<HistoryAnswer>; deadline: NodeJS.Timeout };
/** Of each kind of message by itself. */
type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;

/**
 * Folds slices of long histories, and tells what was open, in a thread that it starts when asked.
 */
export class HistoryFolder {
  readonly #where: Where;
  readonly #asked = new Map<number, Asked>();
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #newest = 0;

  constructor({ DATABASE_URL, PLIMSOLL_DATA }: Where) {
    this.#where = { DATABASE_URL, PLIMSOLL_DATA };
  }

  async fold({ number, id, currency }: FoldedAccount): Promise<Slice> {
    const answer = await this.#ask({ account: { number, id, currency } });
    if (!('slice' in answer)) throw new Error('Invariant: a slice was asked for');
    const { chunks, ...slice } = answer.slice;
    return {
      ...slice,
      chunks: chunks.map(({ chunkNumber, body, marks, figures }) => {
        const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
        return TradeChunk.read(chunkNumber, bytes, marks, figures);
      }),
    };
  }

  async positionsAt(...positionsAt: Parameters<PositionReader>): Promise<PositionsAt> {
    const answer = await this.#ask({ positionsAt });
    if (!('positions' in answer)) throw new Error('Invariant: positions were asked for');
    return answer.positions;
  }

  #ask(question: WithoutId<ToHistoryThread>): Promise<HistoryAnswer> {
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const id = ++this.#newest;
    const answered = Promise.withResolvers<HistoryAnswer>();
    const deadline = setTimeout(
      () => this.#end(worker, new DatabaseUnavailable('Folding a history takes too long')),
      ANSWER_MS,
    );
    this.#asked.set(id, { answered, deadline });
    const message: ToHistoryThread = { id, ...question };
    worker.postMessage(message);
    return answered.promise;
  }

  async stop(): Promise<void> {
    const worker = this.#worker;
    if (worker) this.#end(worker, new DatabaseUnavailable('The server is stopping'));
    await worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(THREAD, {
      workerData: this.#where,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      env: threadEnvironment(),
    });
    worker.unref();
    worker.on('message', (message: FromHistoryThread) => this.#settle(message));
    worker.on('error', (error) =>
      this.#end(worker, error instanceof Error ? error : new Error(String(error))),
    );
    worker.on('exit', () => this.#end(worker, new Error('The thread of histories ended')));
    return worker;
  }

  #settle(message: FromHistoryThread): void {
    const asked = this.#asked.get(message.id);
    if (!asked) return;
    this.#asked.delete(message.id);
    clearTimeout(asked.deadline);
    if ('failure' in message) asked.answered.reject(errorOf(message.failure));
    else asked.answered.resolve(message);
    if (this.#asked.size > 0) return;
    const worker = this.#worker;
    this.#idle = setTimeout(() => worker && this.#end(worker, new Error('Idle')), IDLE_MS).unref();
  }

  /** Ends a thread; whoever waits for it is told, and the next to ask starts another. */
  #end(worker: Worker, reason: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    clearTimeout(this.#idle);
    for (const { answered, deadline } of this.#asked.values()) {
      clearTimeout(deadline);
      answered.reject(reason);
    }
    this.#asked.clear();
    void worker.terminate();
  }
}

const errorOf = ({ message, isUnavailable }: { message: string; isUnavailable: boolean }): Error =>
  isUnavailable
    ? new DatabaseUnavailable(message)
    : new Error(`Folding a history failed: ${message}`);
