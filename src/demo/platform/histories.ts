import { DAY_MS, MINUTE_MS } from '../../domain/broker-time.ts';
import { sleep, type Timekeeper } from '../../domain/timekeeper.ts';
import type { Ledger } from './ledger.ts';

/** Ledgers kept at a time, each some 80 KB for 100 days of trading. */
const MAX_LEDGERS = 512;
/** How long a slice blocks the event loop; a day of the busiest account takes a millisecond. */
const SLICE_MS = 5;
/** Work below this is done at once. */
const AT_ONCE_MS = MINUTE_MS;

/**
 * The ledgers of all simulated platforms of the process. Working one out from its beginning takes
 * tens of milliseconds, so it is done in slices, for one ledger of each user in turn, and never for
 * more than half of the time: simulations only slow down simulations. Accounts without operations
 * by hand are equal on all platforms that began on the same day, and share a ledger.
 */
export class Histories {
  readonly #time: Timekeeper;
  /** By the identity of their history, the longest unused first. */
  readonly #ledgers = new Map<string, Ledger>();
  /** The latest work of each user, if any. */
  readonly #works = new Map<string, Promise<unknown>>();
  #slices: Promise<unknown> = Promise.resolve();
  #names = 0;

  constructor(time: Timekeeper) {
    this.#time = time;
  }

  /** For keys of unshared ledgers. */
  newName(): string {
    this.#names += 1;
    return `own ${this.#names}`;
  }

  /** The ledger of the key, if cached. */
  kept(key: string): Ledger | undefined {
    return this.#ledgers.get(key);
  }

  forget(key: string): void {
    this.#ledgers.delete(key);
  }

  /** The ledger of the key, created if not cached, and computed at least up to the moment. */
  async reach(
    { userId, key }: { userId: string; key: string },
    make: () => Ledger,
    toUtcMs: number,
  ): Promise<Ledger> {
    const ledger = this.#ledgers.get(key) ?? make();
    this.#ledgers.delete(key);
    this.#ledgers.set(key, ledger);
    const [oldest] = this.#ledgers.keys();
    if (this.#ledgers.size > MAX_LEDGERS && oldest !== undefined) this.#ledgers.delete(oldest);
    if (toUtcMs - ledger.reachedUtcMs <= AT_ONCE_MS) ledger.advance(toUtcMs);
    else await this.#inTurn(userId, () => this.#workOut(ledger, toUtcMs));
    return ledger;
  }

  async #inTurn(userId: string, work: () => Promise<void>): Promise<void> {
    const before = this.#works.get(userId) ?? Promise.resolve();
    const turn = before.then(work, work);
    this.#works.set(userId, turn);
    try {
      await turn;
    } finally {
      if (this.#works.get(userId) === turn) this.#works.delete(userId);
    }
  }

  async #workOut(ledger: Ledger, toUtcMs: number): Promise<void> {
    while (ledger.reachedUtcMs < toUtcMs) {
      const slice = () => this.#slice(ledger, toUtcMs);
      this.#slices = this.#slices.then(slice, slice);
      await this.#slices;
    }
  }

  async #slice(ledger: Ledger, toUtcMs: number): Promise<void> {
    const { elapsed } = this.#time;
    const startedAtMs = elapsed();
    do ledger.advance(Math.min(toUtcMs, ledger.reachedUtcMs + DAY_MS));
    while (ledger.reachedUtcMs < toUtcMs && elapsed() - startedAtMs < SLICE_MS);
    // Pauses are as long as the work.
    await sleep(this.#time, elapsed() - startedAtMs);
  }
}
