import { formatBrokerTime } from '../../src/domain/broker-time.ts';
import type { NeighbourAsk } from './neighbour.ts';
import { sendLast } from './send-last.ts';
/**
 * A process that is a user who follows one account: reads its tracker, records snapshots of it and
 * asks for its events, one after the other, until it is told to stop. It sends how long it waited
 * for each, tries that were put off with 503 or 202 included.
 */
export type NeighbourOrder = {
  address: string;
  token: string;
  accountId: string;
  trackerId: string;
  /** In turns. */
  asks: readonly NeighbourAsk[];
  /** Time of its first snapshot. */
  startMs?: number;
};

const BATCH = 100;
const START_MS = Date.UTC(2026, 0, 5);
const PAUSE_MS = 5;
const RETRY_MS = 50;

const order = JSON.parse(process.argv[2] ?? '{}') as NeighbourOrder;
const { address, token, accountId, trackerId, asks, startMs = START_MS } = order;
const headers = { 'auth-token': token, 'content-type': 'application/json' };
let isOver = false;
let rows = 0;

function batch(): string {
  const list = Array.from({ length: BATCH }, () => {
    rows += 1;
    const brokerTime = formatBrokerTime(startMs + rows * 1000);
    return { accountId, brokerTime, balance: 10_000, equity: 10_000 + (rows % 50) };
  });
  return JSON.stringify(list);
}

const user = `${address}/users/current`;
const account = `${user}/accounts/${accountId}`;
const get = (path: string) => () => fetch(path, { headers });
const REQUESTS: Record<NeighbourAsk, () => Promise<Response>> = {
  tracker: get(`${account}/trackers/${trackerId}/statistics?realTime=true`),
  snapshots: () => fetch(`${user}/snapshots`, { method: 'POST', headers, body: batch() }),
  events: get(`${user}/tracker-events/stream?previousSequenceNumber=0&wait=0`),
  account: get(account),
  overview: get(`${user}/accounts-overview`),
  chart: get(`${account}/equity-chart`),
  statistics: get(`${account}/metrics`),
  deals: get(`${account}/deals`),
  incidents: get(`${user}/incidents`),
};

async function live(): Promise<number[]> {
  const waits: number[] = [];
  while (!isOver) {
    for (const ask of asks) {
      const beginMs = performance.now();
      while ((await statusOf(REQUESTS[ask])) !== 200) await pause(RETRY_MS);
      waits.push(performance.now() - beginMs);
    }
    await pause(PAUSE_MS);
  }
  return waits;
}

async function statusOf(ask: () => Promise<Response>): Promise<number> {
  const answer = await ask();
  const text = await answer.text();
  if ([200, 202, 503].includes(answer.status)) return answer.status;
  throw new Error(`${answer.status} ${text}`);
}

const pause = (forMs: number): Promise<void> => new Promise((done) => setTimeout(done, forMs));

process.once('message', () => {
  isOver = true;
});
process.send?.('ready');
const waits = await live();
sendLast(waits);
