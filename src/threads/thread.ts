import { parentPort, type ResourceLimits, Worker } from 'node:worker_threads';

export type ThreadOptions = {
  /** For the thread's `workerData`. */
  data?: unknown;
  heapMb?: number;
  /** A thread without questions for this long ends and frees its memory. */
  idleMs?: number;
  /**
   * An answer that takes longer ends the thread, with the error of `late` for all waiting
   * questions.
   */
  answerMs?: number;
  late?: () => Error;
};

/** A thread ended before it answered: `cause` says why, unless it ended normally. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
}

type Asked<Ask> = { id: number; ask: Ask };
type Answered<Answer> = { id: number } & ({ answer: Answer } | { failure: unknown });
type Waiting<Answer> = PromiseWithResolvers<Answer> & { deadline: NodeJS.Timeout | undefined };

/**
 * A thread that answers questions, several at a time. The first question starts it, also after its
 * end. Its environment has no settings or secrets, and it does not keep the process alive. Callers
 * bound their waiting questions.
 */
export class Thread<Ask, Answer> {
  readonly #code: URL;
  readonly #options: ThreadOptions;
  readonly #waiting = new Map<number, Waiting<Answer>>();
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #newest = 0;

  /** @param name the thread's file without its ending, beside the file at `from` */
  constructor(name: string, from: string, options: ThreadOptions = {}) {
    // TypeScript in a checkout, JavaScript in the package.
    this.#code = new URL(`./${name}${from.endsWith('.ts') ? '.ts' : '.js'}`, from);
    this.#options = options;
  }

  /** Rejects with ThreadEnded, or with the error given to `end`. Moves memory to the thread. */
  async ask(ask: Ask, moved: ArrayBuffer[] = []): Promise<Answer> {
    const { answerMs, late } = this.#options;
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    const id = ++this.#newest;
    const message: Asked<Ask> = { id, ask };
    this.#worker.postMessage(message, moved);
    const answered = Promise.withResolvers<Answer>();
    const tooLate = (): void => void this.end(late?.() ?? new ThreadEnded('It takes too long'));
    const deadline = answerMs === undefined ? undefined : setTimeout(tooLate, answerMs);
    this.#waiting.set(id, { ...answered, deadline });
    return answered.promise;
  }

  /** Ends the thread and rejects all waiting questions; the next question starts another. */
  async end(reason: Error): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    clearTimeout(this.#idle);
    for (const { reject, deadline } of this.#waiting.values()) {
      clearTimeout(deadline);
      reject(reason);
    }
    this.#waiting.clear();
    await worker?.terminate();
  }

  #start(): Worker {
    const { data: workerData, heapMb } = this.#options;
    const worker = new Worker(this.#code, {
      env: threadEnvironment(),
      resourceLimits: heapLimits(heapMb),
      workerData,
    });
    const ended = (reason: Error): void => {
      if (this.#worker === worker) void this.end(reason);
    };
    worker.on('message', (message: Answered<Answer>) => this.#settle(message));
    worker.on('error', (cause) => ended(new ThreadEnded('The thread failed', { cause })));
    worker.on('exit', () => ended(new ThreadEnded('The thread ended')));
    worker.unref();
    return worker;
  }

  #settle(message: Answered<Answer>): void {
    const { idleMs } = this.#options;
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    clearTimeout(waiting?.deadline);
    if ('failure' in message) waiting?.reject(message.failure);
    else waiting?.resolve(message.answer);
    if (idleMs === undefined || this.#waiting.size > 0) return;
    this.#idle = setTimeout(() => void this.end(new ThreadEnded('Idle')), idleMs).unref();
  }
}

/**
 * The thread's side: answers each question. Errors of `answer` go to the caller. `moved` lists
 * memory of an answer to be transferred.
 */
export function answerAsks<Ask, Answer>(
  answer: (ask: Ask) => Answer | Promise<Answer>,
  moved: (answer: Answer) => ArrayBuffer[] = () => [],
): void {
  parentPort?.on('message', async ({ id, ask }: Asked<Ask>) => {
    try {
      const given = await answer(ask);
      const message: Answered<Answer> = { id, answer: given };
      parentPort?.postMessage(message, moved(given));
    } catch (failure) {
      parentPort?.postMessage({ id, failure } satisfies Answered<Answer>);
    }
  });
}

/** V8 gives each thread some 60 MB for what is new, however little of it lives on. */
const YOUNG_MB = 12;

/** Of a thread's heap; without `heapMb`, what is old is bounded by V8 alone. */
export const heapLimits = (heapMb?: number): ResourceLimits => ({
  maxYoungGenerationSizeMb: YOUNG_MB,
  ...(heapMb === undefined ? {} : { maxOldGenerationSizeMb: heapMb }),
});

const CACHE = 'NODE_COMPILE_CACHE';

/**
 * The environment of a thread that reads foreign data: no settings, no secrets, only where Node
 * keeps compiled code. With that, a thread starts in half the time.
 */
export function threadEnvironment(): Record<string, string> {
  const folder = process.env[CACHE];
  return folder === undefined ? {} : { [CACHE]: folder };
}
