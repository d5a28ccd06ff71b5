import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type P5ServerProcess, startP5Server } from '../../test/servers/p5-server-process.ts';
import { accountId } from '../data/user.ts';
import { HttpClient } from '../http-client.ts';

export const FIRST_LOGIN = 500_000;
const BALANCE = 10_000;
const QUOTE_EVERY_MS = 1000;
/** What a step of the price takes; commission and spread of the position are less. */
const LOTS = 0.1;
const STEP = 0.001;
const STEP_MONEY = STEP * 100_000 * LOTS;
const FIRST_PRICE = 1.25;
const EVENTS = '/users/current/tracker-events/stream';

type Event = { sequenceNumber: number; accountId: string; trackerId: string };

/** A p5 server far away whose accounts hold a position each, that moves every second. */
export async function startPlatform(
  stack: AsyncDisposableStack,
  accounts: number,
): Promise<P5ServerProcess> {
  const platform = await startP5Server({ tls: true });
  stack.defer(() => platform.remove());
  await openBulk(platform, accounts);
  stack.defer(keepQuoting(platform));
  return platform;
}

/** Opens accounts with a position each, and moves the server 20 ms away. */
export async function openBulk(platform: P5ServerProcess, count: number): Promise<void> {
  const bulk = { first: FIRST_LOGIN, count, group: 'real', groups: 3, balance: BALANCE };
  await platform.control('/bulk', bulk);
  await platform.control('/network', { latencyMs: 20 });
}

/**
 * Moves the price of those positions every second, until the function that it returns is called.
 * That resolves when no call is under way: the platform may end then.
 */
export function keepQuoting(platform: P5ServerProcess): () => Promise<void> {
  let price = 1.1;
  let quoted: Promise<unknown> = Promise.resolve();
  const quote = (): Promise<unknown> => {
    price = price > 1.09 ? price - 0.0001 : 1.1;
    return platform.control('/quote', { symbol: 'EURUSD', bid: price, ask: price });
  };
  const quotes = setInterval(() => {
    quoted = quoted.then(quote);
  }, QUOTE_EVERY_MS);
  return async () => {
    clearInterval(quotes);
    await quoted;
  };
}

/**
 * Some of the platform's accounts, with a position of another symbol and a limit each: a further
 * step of its price breaks the limit of one more.
 */
export class FallingPrice {
  readonly #platform: P5ServerProcess;
  readonly #places: readonly number[];
  readonly #trackers = new Map<string, number>();
  readonly #http = new HttpClient();
  #address = '';
  #last = 0;
  #steps = 0;

  private constructor(platform: P5ServerProcess, places: readonly number[]) {
    this.#platform = platform;
    this.#places = places;
  }

  /** Opens the positions, of accounts that are spread over all. */
  static async open(
    platform: P5ServerProcess,
    accounts: number,
    breaches: number,
  ): Promise<FallingPrice> {
    const places = Array.from({ length: breaches }, (_, place) =>
      Math.floor((place * accounts) / breaches),
    );
    for (const place of places) {
      const login = FIRST_LOGIN + place;
      await platform.control('/open', { login, symbol: 'GBPUSD', side: 'buy', lots: LOTS });
    }
    return new FallingPrice(platform, places);
  }

  /** Sets the limits. */
  async watch(stack: AsyncDisposableStack, address: string): Promise<void> {
    this.#address = address;
    stack.defer(() => this.#http.close());
    for (const [step, place] of this.#places.entries()) {
      const tracker = await this.#http.postJson(this.#of(place, '/trackers'), {
        ...{ name: 'loss', period: 'lifetime', baseline: 'initialCapital' },
        ...{ initialCapital: BALANCE, absoluteDrawdownThreshold: (step + 1) * STEP_MONEY },
      });
      this.#trackers.set((JSON.parse(tracker) as { id: string }).id, step);
    }
  }

  /** Milliseconds from each step of the price until somebody who waits has the event. */
  async breaches(): Promise<number[]> {
    const waits: number[] = [];
    for (const step of this.#places.keys()) {
      const told = this.#told(step);
      await sleep(randomInt(QUOTE_EVERY_MS));
      this.#steps += 1;
      const price = FIRST_PRICE - this.#steps * STEP;
      const changedMs = performance.now();
      await this.#platform.control('/quote', { symbol: 'GBPUSD', bid: price, ask: price });
      waits.push((await told) - changedMs);
    }
    return waits;
  }

  /** When the event of a step's account comes. */
  async #told(step: number): Promise<number> {
    for (;;) {
      const query = `previousSequenceNumber=${this.#last}`;
      const page = await this.#http.get(`${this.#address}${EVENTS}?${query}`);
      const atMs = performance.now();
      const events = JSON.parse(page) as Event[];
      this.#last = events.at(-1)?.sequenceNumber ?? this.#last;
      if (events.some(({ trackerId }) => this.#trackers.get(trackerId) === step)) return atMs;
    }
  }

  #of(place: number, path: string): string {
    return `${this.#address}/users/current/accounts/${accountId(place)}${path}`;
  }
}
