/**
 * A process that is a user who follows one account: reads its tracker, records snapshots of it and
 * asks for its events, one after the other, until it is told to stop. It sends how long it waited
 * for each.
 */
import { TOKEN } from '../data/user.ts';

export type NeighbourOrder = { address: string; accountId: string; trackerId: string };

const BATCH = 100;
const START_MS = Date.UTC(2026, 0, 5);
const PAUSE_MS = 5;

const { address, accountId, trackerId } = JSON.parse(process.argv[2] ?? '{}') as NeighbourOrder;
const headers = { 'auth-token': TOKEN, 'content-type': 'application/json' };
let isOver = false;
let rows = 0;

function batch(): string {
  const list = Array.from({ length: BATCH }, () => {
    rows += 1;
    const brokerTime = new Date(START_MS + rows * 1000).toISOString();
    const time = brokerTime.replace('T', ' ').replace('Z', '');
    return { accountId, brokerTime: time, balance: 10_000, equity: 10_000 + (rows % 50) };
  });
  return JSON.stringify(list);
}

const account = `${address}/users/current/accounts/${accountId}`;
const events = `${address}/users/current/tracker-events/stream?previousSequenceNumber=0&wait=0`;
const REQUESTS = [
  () => fetch(`${account}/trackers/${trackerId}/statistics?realTime=true`, { headers }),
  () => fetch(`${address}/users/current/snapshots`, { method: 'POST', headers, body: batch() }),
  () => fetch(events, { headers }),
];

async function live(): Promise<number[]> {
  const waits: number[] = [];
  while (!isOver) {
    for (const ask of REQUESTS) {
      const beginMs = performance.now();
      const answer = await ask();
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
      waits.push(performance.now() - beginMs);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return waits;
}

process.once('message', () => {
  isOver = true;
});
process.send?.('ready');
const waits = await live();
process.send?.(waits);
process.disconnect?.();
