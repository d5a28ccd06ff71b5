import { sleep, type Timekeeper } from '../../domain/timekeeper.ts';
import { JournalUnavailable, type Stream } from './stream.ts';

/** How long somebody waits for a message to be taken, its turn included: answers come within 5 s. */
const PATIENCE_MS = 4000;
/**
 * How long one try may take. A message is tried again only within PATIENCE_MS, which is far less than
 * the time for which the stream remembers ids: no copy of it is ever taken for another message.
 */
const TRY_MS = 1000;
const RETRY_MS = 100;

type Hope = { resolve: (head: number) => void; reject: (error: unknown) => void };

/**
 * Appends messages to the stream, one after the other: with several under way, one that is tried
 * again lands behind those that came after it.
 */
export class Publisher {
  readonly #stream: Stream;
  readonly #time: Timekeeper;
  /** Begins the ids of this process' messages. */
  readonly #origin: string;
  /** Appends an empty commit, for whoever asks where the end is while nothing is written. */
  readonly #mark: () => Promise<unknown>;
  #count = 0;
  /** Where the last of this process' messages has landed. */
  #last = 0;
  #turn: Promise<unknown> = Promise.resolve();
  /** Messages of this process that wait for their turn. */
  #waiting = 0;
  #hopes: Hope[] = [];

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

  /** Appends a message of this process; its sequence number. Throws JournalUnavailable. */
  append(body: Uint8Array): Promise<number> {
    this.#count += 1;
    const id = `${this.#origin}-${this.#count}`;
    this.#waiting += 1;
    return this.#inTurn(async (untilMs) => {
      this.#waiting -= 1;
      // All that was acknowledged to anybody before this moment has a lower number.
      const hopes = this.#hopes;
      this.#hopes = [];
      try {
        const sequence = await this.#publish(id, body, untilMs);
        if (sequence <= this.#last) throw new JournalUnavailable('The stream has begun anew');
        this.#last = sequence;
        for (const { resolve } of hopes) resolve(sequence);
        return sequence;
      } catch (error) {
        for (const { reject } of hopes) reject(error);
        throw error;
      }
    });
  }

  /** Appends a message that others may append as well, under an id that all know. */
  share(id: string, body: Uint8Array): Promise<number> {
    return this.#inTurn((untilMs) => this.#publish(id, body, untilMs));
  }

  /**
   * A sequence number that is at least that of whatever was acknowledged before the call, to whomever.
   * What the stream says of itself may be out of date: a leader that was paused does not know yet
   * that there is another. What it has replicated cannot be, so the end is where a message lands.
   */
  head(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#hopes.push({ resolve, reject });
      // One that waits for its turn will do.
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
