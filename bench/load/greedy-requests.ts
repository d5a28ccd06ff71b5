import { formatBrokerTime } from '../../src/domain/broker-time.ts';
import type { Client } from '../../test/servers/plimsoll-process.ts';

/** A user who sends the worst that is allowed. */
export type Greedy = { client: Client; address: string; accountId: string; statement: Uint8Array };

type Send = (greedy: Greedy, turn: number) => Promise<unknown>;

/** `prepare` is done before anybody looks; `send` goes on without a pause, from several at once. */
export type GreedyKind = {
  name: string;
  what: string;
  atOnce: number;
  prepare?: (greedy: Greedy) => Promise<unknown>;
  send: Send;
};

const MEGABYTE = 1024 * 1024;
const START_MS = Date.UTC(2016, 0, 4);
const HOUR_MS = 3_600_000;
const HOURS = 50_000;
const DEALS = 100_000;
const ROWS = 10_000;
const STREAMS = 1000;

const timeOf = (hour: number): string => formatBrokerTime(START_MS + hour * HOUR_MS);

const accountPath = ({ accountId }: Greedy): string => `/users/current/accounts/${accountId}`;

const wrongDeals = Buffer.from(`[${'{},'.repeat(5 * MEGABYTE)}{}]`);
const wrongSnapshots = Buffer.from('x\n'.repeat(8 * MEGABYTE));

function snapshots({ accountId }: Greedy, from: number): string {
  const rows = Array.from({ length: ROWS }, (_, row) => {
    const brokerTime = timeOf(from + row);
    return JSON.stringify({ accountId, brokerTime, balance: 1e4, equity: 1e4 + (row % 99) });
  });
  return rows.join('\n');
}

const deals = (from: number, count: number): object[] =>
  Array.from({ length: count }, (_, index) => {
    const number = from + index;
    const [hour, isIn] = [Math.floor((number / DEALS) * HOURS), number % 2 === 0];
    return {
      ...{ id: `d${number}`, positionId: `p${number >> 1}`, symbol: 'EURUSD', volume: 1 },
      ...{ type: isIn ? 'DEAL_TYPE_BUY' : 'DEAL_TYPE_SELL', price: 1.1, brokerTime: timeOf(hour) },
      ...{ entry: isIn ? 'DEAL_ENTRY_IN' : 'DEAL_ENTRY_OUT', profit: isIn ? 0 : 1 },
    };
  });

async function fillHours(greedy: Greedy): Promise<void> {
  for (let hour = 0; hour < HOURS; hour += ROWS) {
    const headers = { 'content-type': 'application/x-ndjson' };
    await greedy.client.post('/users/current/snapshots', snapshots(greedy, hour), headers);
  }
}

async function fillDeals(greedy: Greedy): Promise<void> {
  for (let from = 0; from < DEALS; from += ROWS) {
    await greedy.client.post(`${accountPath(greedy)}/deals`, deals(from, ROWS));
  }
}

const seeded = (turn: number) => ({
  ...{ name: `seeded ${turn}`, period: 'day', startBrokerTime: timeOf(0) },
  relativeDrawdownThreshold: 0.5,
});

/** Each holds what it does until somebody aborts it. */
function openStream({ client, address }: Greedy): Promise<unknown> {
  const headers = { 'auth-token': client.token ?? '' };
  return fetch(`${address}/users/current/drawdown-events/live`, { headers });
}

export const GREEDY: readonly GreedyKind[] = [
  {
    name: 'wrong-deals',
    what: 'deals of 16 MB, all wrong',
    atOnce: 2,
    send: (greedy) =>
      greedy.client.call('POST', `${accountPath(greedy)}/deals`, wrongDeals, JSON_TYPE),
  },
  {
    name: 'wrong-snapshots',
    what: 'snapshots of 16 MB, all wrong',
    atOnce: 2,
    send: ({ client }) =>
      client.call('POST', '/users/current/snapshots', wrongSnapshots, NDJSON_TYPE),
  },
  {
    name: 'snapshots',
    what: '10 000 snapshots a request, 4 at a time',
    atOnce: 4,
    send: (greedy, turn) =>
      greedy.client.call(
        'POST',
        '/users/current/snapshots',
        snapshots(greedy, turn * ROWS),
        NDJSON_TYPE,
      ),
  },
  {
    name: 'statement',
    what: 'a statement of more than 100 000 deals',
    atOnce: 2,
    send: (greedy) => greedy.client.post(`${accountPath(greedy)}/statements`, greedy.statement),
  },
  {
    name: 'seeding',
    what: 'previews of a tracker from 50 000 hours and 100 000 deals ago',
    atOnce: 2,
    prepare: async (greedy) => {
      await fillDeals(greedy);
      await fillHours(greedy);
    },
    send: (greedy, turn) =>
      greedy.client.post(`${accountPath(greedy)}/trackers/preview`, seeded(turn)),
  },
  {
    name: 'metrics',
    what: 'statistics of 100 000 deals after each late one',
    atOnce: 2,
    prepare: fillDeals,
    send: async (greedy, turn) => {
      await greedy.client.post(`${accountPath(greedy)}/deals`, [
        { ...deals(turn % DEALS, 1)[0], id: `late ${turn}`, positionId: `late ${turn}` },
      ]);
      return greedy.client.get(`${accountPath(greedy)}/metrics`);
    },
  },
  {
    name: 'account-changes',
    what: 'the clock of an account changed again and again, 4 at a time',
    atOnce: 4,
    send: (greedy, turn) =>
      greedy.client.call('PATCH', accountPath(greedy), {
        brokerClock: { zone: 'UTC', shiftHours: turn % 3 },
      }),
  },
  {
    name: 'streams',
    what: '1000 open event streams asked for again and again',
    atOnce: 8,
    prepare: async (greedy) => {
      await Promise.all(Array.from({ length: STREAMS / 2 }, () => openStream(greedy)));
    },
    send: openStream,
  },
];

const JSON_TYPE = { 'content-type': 'application/json' };
const NDJSON_TYPE = { 'content-type': 'application/x-ndjson' };
