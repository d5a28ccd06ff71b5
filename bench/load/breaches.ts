import { formatBrokerTime } from '../../src/domain/broker-time.ts';
import { accountId, TOKEN } from '../data/user.ts';
import type { Polled, Pollers } from './pollers.ts';

const SNAPSHOTS = '/users/current/snapshots';
const FIRST_MS = Date.now() - 3_600_000;

/** Breaches one account after the other, each seen by all who wait. */
export class Breaches {
  readonly clients: Pollers;
  readonly polled: Polled;
  #account = 0;
  sequenceNumber = 0;

  constructor(clients: Pollers, polled: Polled) {
    this.clients = clients;
    this.polled = polled;
  }

  /** All accounts have a first snapshot, and are in memory. */
  async prepare(accounts: number): Promise<void> {
    const rows = Array.from({ length: accounts }, (_, index) => snapshot(index, 0, 100_000));
    const headers = { 'auth-token': TOKEN, 'content-type': 'application/x-ndjson' };
    const request = { method: 'POST', headers, body: rows.join('\n') };
    const answer = await fetch(this.polled.address + SNAPSHOTS, request);
    if (answer.status !== 200) throw new Error(await answer.text());
  }

  /** Milliseconds from the start of the breaching POST until the last one's answer. */
  async tell(): Promise<number> {
    const body = snapshot(this.#account, 60_000, 90_000);
    this.#account += 1;
    const { lastMs, answer } = await this.clients.post(this.polled, body);
    const events = JSON.parse(answer) as { sequenceNumber: number }[];
    this.sequenceNumber = events.at(-1)?.sequenceNumber ?? this.sequenceNumber;
    return lastMs;
  }
}

const snapshot = (account: number, afterMs: number, equity: number): string => {
  const brokerTime = formatBrokerTime(FIRST_MS + afterMs);
  return JSON.stringify({ accountId: accountId(account), brokerTime, balance: 100_000, equity });
};
