import { setTimeout as sleep } from 'node:timers/promises';
import { formatBrokerTime } from '../../src/domain/broker-time.ts';
import { accountId } from '../data/user.ts';
import { HttpClient } from '../http-client.ts';
import { percentile } from '../measure.ts';

const FIRST_MS = Date.now() - 3_600_000;
const ROWS = 1000;
/**
 * The poll must be waiting by the time of the breach, and breaches alone must not use up a share.
 */
const REST_MS = 20;

type Event = { sequenceNumber: number };

/** Breaches one after the other, each posted to a process and waited for at the next one. */
export class SpreadBreaches {
  readonly #http = new HttpClient();
  readonly #addresses: readonly string[];
  #next = 0;
  #last = 0;
  #sequenceNumber = 0;

  constructor(addresses: readonly string[]) {
    this.#addresses = addresses;
  }

  /** So many accounts from `first` on have a snapshot, and are in memory. */
  async prepare(first: number, accounts: number): Promise<void> {
    this.#next = first;
    this.#last = first + accounts - 1;
    for (let from = first; from <= this.#last; from += ROWS) {
      const rows = Array.from({ length: ROWS }, (_, row) => snapshot(from + row, 0, 100_000));
      await this.#post(0, rows.join('\n'));
    }
  }

  /** Milliseconds from the start of a POST to the poller's answer, of those told until `over`. */
  async p99Ms(over: Promise<unknown>): Promise<number> {
    let isOver = false;
    const ended = over.then(() => {
      isOver = true;
    });
    const times: number[] = [];
    while (!isOver && this.#next <= this.#last) times.push(await this.#tell());
    await ended;
    return percentile(times, 0.99);
  }

  close(): void {
    this.#http.close();
  }

  async #tell(): Promise<number> {
    const account = this.#next;
    this.#next += 1;
    const poll = this.#poll(account + 1);
    await sleep(REST_MS);
    const began = performance.now();
    const posted = this.#post(account, snapshot(account, 60_000, 90_000));
    const events = await poll;
    const tookMs = performance.now() - began;
    await posted;
    this.#sequenceNumber = events.at(-1)?.sequenceNumber ?? this.#sequenceNumber;
    return tookMs;
  }

  #post(turn: number, body: string): Promise<string> {
    return this.#http.post(`${this.#at(turn)}/users/current/snapshots`, body);
  }

  async #poll(turn: number): Promise<Event[]> {
    const query = `previousSequenceNumber=${this.#sequenceNumber}&wait=25`;
    const path = `/users/current/drawdown-events/stream?${query}`;
    return JSON.parse(await this.#http.get(this.#at(turn) + path)) as Event[];
  }

  #at(turn: number): string {
    return this.#addresses[turn % this.#addresses.length] ?? '';
  }
}

const snapshot = (account: number, afterMs: number, equity: number): string => {
  const brokerTime = formatBrokerTime(FIRST_MS + afterMs);
  return JSON.stringify({ accountId: accountId(account), brokerTime, balance: 100_000, equity });
};
