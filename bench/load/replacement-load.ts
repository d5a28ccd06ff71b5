import { setTimeout as sleep } from 'node:timers/promises';
import { formatBrokerTime } from '../../src/domain/broker-time.ts';
import { accountId } from '../data/user.ts';
import { RetryingClient } from './retrying-client.ts';

const SENDERS = 16;
const ROWS = 60;
const EVERY_MS = 250;
/** Of the first accounts, one in each partition, whose limits of a day break again and again. */
const BREAKERS = 16;
const REST_MS = 300;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** As many days as breaches take that follow each other. */
const FIRST_DAY_MS = Date.now() - 1000 * DAY_MS;
const SNAPSHOTS = '/users/current/snapshots';
const EVENTS = '/users/current/drawdown-events/stream';

export const REPLACEMENT_ACCOUNTS = BREAKERS + SENDERS * ROWS;

/**
 * From the first try on: until a request was taken, and until a breach that it brought was told.
 */
export type Longest = { takenMs: number; toldMs: number };
type Event = { sequenceNumber: number; accountId: string; startBrokerTime: string };

/**
 * Some thousand snapshots a second and a breach every few milliseconds, to whichever process is
 * there.
 */
export class ReplacementLoad {
  readonly #addresses: readonly string[];
  readonly #told = new Map<string, () => void>();
  readonly #sending: Promise<unknown>;
  readonly #polling: Promise<unknown>;
  #longest: Longest = { takenMs: 0, toldMs: 0 };
  #isEnding = false;
  #isOver = false;

  constructor(addresses: readonly string[]) {
    this.#addresses = addresses;
    this.#sending = Promise.all([
      ...Array.from({ length: SENDERS }, (_, place) => this.#send(place)),
      ...Array.from({ length: BREAKERS }, (_, place) => this.#break(place)),
    ]);
    this.#polling = Promise.all(addresses.map((address) => this.#poll(address)));
  }

  /** The longest since it was taken last. */
  take(): Longest {
    const longest = this.#longest;
    this.#longest = { takenMs: 0, toldMs: 0 };
    return longest;
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#sending;
    this.#isOver = true;
    await this.#polling;
  }

  async #send(place: number): Promise<void> {
    const client = new RetryingClient(this.#addresses, place);
    const first = BREAKERS + place * ROWS;
    for (let timeMs = Date.now() - DAY_MS; !this.#isEnding; timeMs += EVERY_MS) {
      const began = performance.now();
      const rows = Array.from({ length: ROWS }, (_, row) => rowOf(first + row, timeMs, 100_000));
      await client.call(SNAPSHOTS, rows.join('\n'));
      const tookMs = performance.now() - began;
      this.#longest.takenMs = Math.max(this.#longest.takenMs, tookMs);
      await sleep(Math.max(0, EVERY_MS - tookMs));
    }
  }

  async #break(account: number): Promise<void> {
    const client = new RetryingClient(this.#addresses, account);
    for (let dayMs = FIRST_DAY_MS; !this.#isEnding; dayMs += DAY_MS) {
      const began = performance.now();
      const told = Promise.withResolvers<void>();
      this.#told.set(keyOf(accountId(account), formatBrokerTime(dayMs)), told.resolve);
      const rows = [rowOf(account, dayMs, 100_000), rowOf(account, dayMs + HOUR_MS, 90_000)];
      await client.call(SNAPSHOTS, rows.join('\n'));
      await told.promise;
      this.#longest.toldMs = Math.max(this.#longest.toldMs, performance.now() - began);
      await sleep(REST_MS);
    }
  }

  /** Of one process: a breach is told when the first of them tells it. */
  async #poll(address: string): Promise<void> {
    const client = new RetryingClient([address]);
    let last = 0;
    while (!this.#isOver) {
      const text = await client.call(`${EVENTS}?previousSequenceNumber=${last}&wait=2`);
      for (const event of JSON.parse(text) as Event[]) {
        last += 1;
        if (event.sequenceNumber !== last) throw new Error(`Event ${last} was not told`);
        this.#told.get(keyOf(event.accountId, event.startBrokerTime))?.();
      }
    }
  }
}

const keyOf = (account: string, brokerTime: string): string =>
  `${account} ${brokerTime.slice(0, 10)}`;

const rowOf = (account: number, timeMs: number, equity: number): string =>
  JSON.stringify({
    ...{ accountId: accountId(account), brokerTime: formatBrokerTime(timeMs) },
    ...{ balance: 100_000, equity },
  });
