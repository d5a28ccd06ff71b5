/** No place became free in time, or too many wait for one already. */
export class NoPlaceLeft extends Error {
  constructor() {
    super('Too many statements are being read');
    this.name = 'NoPlaceLeft';
  }
}

type Waiting = { take: () => void; refuse: (error: unknown) => void };

/** A bounded number of places, and of waiting callers, each for a bounded time. */
export class ThreadPlaces {
  readonly #most: number;
  readonly #mostWaiting: number;
  readonly #waitMs: number;
  readonly #waiting: Waiting[] = [];
  #taken = 0;

  constructor(most: number, mostWaiting: number, waitMs: number) {
    this.#most = most;
    this.#mostWaiting = mostWaiting;
    this.#waitMs = waitMs;
  }

  get taken(): number {
    return this.#taken;
  }

  /** Returns how to give the place back. Throws NoPlaceLeft, or the signal's reason. */
  async take(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#taken < this.#most) this.#taken += 1;
    else await this.#wait(signal);
    let isTaken = true;
    return () => {
      if (isTaken) this.#release();
      isTaken = false;
    };
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    if (this.#waiting.length >= this.#mostWaiting) throw new NoPlaceLeft();
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        take() {
          settle();
          resolve();
        },
        refuse(error) {
          settle();
          reject(error);
        },
      };
      const leave = (error: unknown) => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        waiting.refuse(error);
      };
      const onAbort = () => leave(signal?.reason);
      const timer = setTimeout(() => leave(new NoPlaceLeft()), this.#waitMs);
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      signal?.addEventListener('abort', onAbort);
      this.#waiting.push(waiting);
    });
  }

  /** The longest waiting caller gets the place. */
  #release(): void {
    const next = this.#waiting.shift();
    if (next) next.take();
    else this.#taken -= 1;
  }
}
