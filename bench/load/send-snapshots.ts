import { setTimeout as sleep } from 'node:timers/promises';
import { formatBrokerTime } from '../../src/domain/broker-time.ts';
import { accountId, TOKEN } from '../data/user.ts';

const ROWS_PER_REQUEST = 1000;
const AT_ONCE = 8;
const RETRY_MS = 50;

/** One snapshot of each of the first accounts, in requests of some; again a moment after 503. */
export async function sendSnapshots(
  address: string,
  accounts: number,
  timeMs: number,
  equityOf: (index: number) => number,
): Promise<void> {
  const brokerTime = formatBrokerTime(timeMs);
  const firsts = Array.from(
    { length: Math.ceil(accounts / ROWS_PER_REQUEST) },
    (_, place) => place * ROWS_PER_REQUEST,
  ).values();
  const worker = async (): Promise<void> => {
    for (const first of firsts) {
      const rows = Array.from(
        { length: Math.min(ROWS_PER_REQUEST, accounts - first) },
        (_, row) => {
          const equity = equityOf(first + row);
          const facts = { accountId: accountId(first + row), brokerTime, balance: 100_000, equity };
          return JSON.stringify(facts);
        },
      );
      await send(address, rows.join('\n'));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function send(address: string, body: string): Promise<void> {
  const headers = { 'auth-token': TOKEN, 'content-type': 'application/x-ndjson' };
  for (;;) {
    const request = { method: 'POST', headers, body };
    const answer = await fetch(`${address}/users/current/snapshots`, request);
    const text = await answer.text();
    if (answer.status === 200) return;
    if (answer.status !== 503) throw new Error(`POST snapshots: ${answer.status} ${text}`);
    await sleep(RETRY_MS);
  }
}
