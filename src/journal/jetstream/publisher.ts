import { sleep, type Timekeeper } from '../../domain/timekeeper.ts';
import { JournalUnavailable, type Stream } from './stream.ts';

/** How long a message may take, including its turn: requests must be answered within 5 s. */
const PATIENCE_MS = 4000;
/**
 * How long one attempt may take. Retries end within PATIENCE_MS, far less than the time for which
 * the stream remembers ids, so no copy is ever taken for another message.
 */
const TRY_MS = 1000;
const RETRY_MS = 100;

type Waiter = { resolve: (head: number) => void; reject: (error: unknown) => void };

/**
 * Appends messages to the stream, one at a time: with several being sent, a retried one would land
 * after later ones.
 */
export class Publisher {
  readonly #stream: Stream;
  readonly #time: Timekeeper;
  /** The prefix of the ids of this process' messages. */
  readonly #origin: string;
  /** Appends an empty commit, to find the end of the stream while nothing else is written. */
  readonly #mark: () => Promise<unknown>;
  #count = 0;
  /** The sequence number of this process' last message. */
  #last = 0;
  #turn: Promise<unknown> = Promise.resolve();
  /** How many messages of this process wait for their turn. */
  #waiting = 0;
  #waiters: Waiter[] = [];

  constructor(parts: {
    stream: Stream;
    time: Timekeeper;
    origin: string;
    mark: () => Promise<unknown>;
  }) {
    this.#stream = parts.stream;
    this.#time = parts.time;
    this.#origin = parts.origin;
    this.#mark = parts.mark;
  }

  /** Appends a message; resolves with its sequence number. Throws JournalUnavailable. */
  append(body: Uint8Array): Promise<number> {
    this.#count += 1;
    const id = `${this.#origin}-${this.#count}`;
    this.#waiting += 1;
    return this.#inTurn(async (untilMs) => {
      this.#waiting -= 1;
      // Everything acknowledged before this moment, by any process, has a lower number.
      const waiters = this.#waiters;
      this.#waiters = [];
      try {
        const sequence = await this.#publish(id, body, untilMs);
        if (sequence <= this.#last) throw new JournalUnavailable('The stream was made again');
        this.#last = sequence;
        for (const { resolve } of waiters) resolve(sequence);
        return sequence;
      } catch (error) {
        for (const { reject } of waiters) reject(error);
        throw error;
      }
    });
  }

  /** Appends a message that other processes may append as well, under the same id. */
  share(id: string, body: Uint8Array): Promise<number> {
    return this.#inTurn((untilMs) => this.#publish(id, body, untilMs));
  }

  /**
   * A sequence number no lower than that of anything acknowledged before the call, by any process.
   * The stream's own state may be out of date: a leader that was paused does not know of its
   * successor. A replicated message is never out of date, so the end is the number of a new one.
   */
  head(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#waiters.push({ resolve, reject });
      // A message that still waits for its turn is good enough.
      if (this.#waiting === 0) this.#mark().catch(() => {});
    });
  }

  #inTurn<T>(work: (untilMs: number) => Promise<T>): Promise<T> {
    const untilMs = this.#time.elapsed() + PATIENCE_MS;
    const turn = this.#turn.then(() => work(untilMs));
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #publish(id: string, body: Uint8Array, untilMs: number): Promise<number> {
    for (;;) {
      const leftMs = untilMs - this.#time.elapsed();
      if (leftMs <= 0) throw new JournalUnavailable('The journal accepts nothing at the moment');
      try {
        return await this.#stream.publish(id, body, Math.min(TRY_MS, leftMs));
      } catch (error) {
        if (!(error instanceof JournalUnavailable)) throw error;
        if (untilMs - this.#time.elapsed() <= RETRY_MS) throw error;
        await sleep(this.#time, RETRY_MS);
      }
    }
  }
}
