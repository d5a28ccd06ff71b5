import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { HOUR_MS } from '../../src/domain/broker-time.ts';
import { needs } from '../needs.ts';
import {
  type Answer,
  type Client,
  newAccount,
  newUser,
  startPlimsoll,
} from '../servers/plimsoll-process.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { until } from '../servers/until.ts';
import { SwallowingProxy } from './swallowing-proxy.ts';

needs('postgres', 'server');

const BEGIN_MS = Date.UTC(2026, 0, 5);
/** More than there are connections to the database. */
const AT_ONCE = 5;
/** Longer than anyone may be kept waiting: a request that takes so long hangs. */
const HANGS_AFTER_MS = 60_000;

type Request = (client: Client, accountId: string) => Promise<Answer>;

/** Questions to the database, each in its own way. */
const REQUESTS: Record<string, Request> = {
  accounts: (client) => client.callOnce('GET', '/users/current/accounts'),
  chart: (client, id) =>
    client.callOnce('GET', `/users/current/accounts/${id}/equity-chart?realTime=true`),
  trackers: (client, id) => client.callOnce('GET', `/users/current/accounts/${id}/trackers`),
  statistics: (client, id) => client.callOnce('GET', `/users/current/accounts/${id}/metrics`),
  deals: (client, id) => client.callOnce('POST', `/users/current/accounts/${id}/deals`, [DEAL]),
  snapshot: (client, id) => client.callOnce('POST', '/users/current/snapshots', [snapshot(id, 1)]),
  'new account': (client) => client.callOnce('POST', '/users/current/accounts', ACCOUNT),
};
const DEAL = {
  ...{ id: 'deposit', type: 'DEAL_TYPE_BALANCE', profit: 100 },
  brokerTime: '2026-01-05 00:00:00.000',
};
const ACCOUNT = {
  ...{ name: 'Another', platform: 'p5', login: '7', broker: 'Test broker' },
  ...{ currency: 'USD', leverage: 100 },
};

const snapshot = (accountId: string, hour: number) => {
  const brokerTime = new Date(BEGIN_MS + hour * HOUR_MS).toISOString();
  const time = brokerTime.replace('T', ' ').replace('Z', '');
  return { accountId, brokerTime: time, balance: 100, equity: 100 + hour };
};

describe('a database that falls silent', () => {
  for (const how of ['deliver', 'forget'] as const) {
    it(`is reported in answers, and used again when it is back (${how})`, async (t) => {
      const { environment, close } = await openTestDatabase('postgres');
      t.after(close);
      const proxy = await SwallowingProxy.start(new URL(environment.DATABASE_URL ?? ''));
      const url = new URL(environment.DATABASE_URL ?? '');
      url.port = String(proxy.port);
      const server = await startPlimsoll({ DATABASE_URL: url.href, LOG_LEVEL: 'fatal' });
      t.after(async () => {
        await server.kill();
        proxy.stop();
      });
      const client = await newUser(server.address);
      const id = await newAccount(client, { id: 'ours' });
      assert.equal((await client.post('/users/current/snapshots', [snapshot(id, 0)])).status, 200);

      proxy.fallSilent();
      await Promise.all(
        Object.entries(REQUESTS).map(([name, ask]) => refused(t, name, () => ask(client, id))),
      );
      await refused(t, 'readiness', () => client.callOnce('GET', '/health/ready'));
      assert.equal((await client.get('/health/live')).status, 200);

      const beginMs = performance.now();
      proxy[how]();
      await until(
        async () => (await client.callOnce('GET', '/health/ready')).status === 200,
        'readiness',
      );
      await allWell(client, id);
      t.diagnostic(`all well ${seconds(beginMs)} after it was back`);
    });
  }

  it('delays no one for longer than the lock when all connections wait for it', async (t) => {
    const { environment, close } = await openTestDatabase('postgres');
    t.after(close);
    const server = await startPlimsoll({ ...environment, LOG_LEVEL: 'fatal' });
    t.after(() => server.kill());
    const client = await newUser(server.address);
    const id = await newAccount(client, { id: 'ours' });
    assert.equal((await client.post('/users/current/snapshots', [snapshot(id, 0)])).status, 200);
    const other = new pg.Client({ connectionString: environment.DATABASE_URL });
    await other.connect();
    await other.query('begin; lock table account, tracker, deal in access exclusive mode');
    await Promise.all(
      Object.entries(REQUESTS).map(([name, ask]) => answered(t, name, () => ask(client, id))),
    );
    await other.end();
    await allWell(client, id);
  });
});

/** Asked several times at once, always refused in the way that tells to come back. */
async function refused(t: Diagnostics, name: string, ask: () => Promise<Answer>): Promise<void> {
  for (const { status, headers } of await answered(t, name, ask)) {
    assert.equal(status, 503, name);
    assert.ok(Number(headers.get('retry-after')) > 0, name);
  }
}

async function answered(
  t: Diagnostics,
  name: string,
  ask: () => Promise<Answer>,
): Promise<Answer[]> {
  const beginMs = performance.now();
  const timer = new AbortController();
  const hangs = new Promise<never>((_, reject) => {
    const timeout = setTimeout(() => reject(new Error(`${name} hangs`)), HANGS_AFTER_MS);
    timer.signal.addEventListener('abort', () => clearTimeout(timeout));
  });
  try {
    const all = Promise.all(Array.from({ length: AT_ONCE }, ask));
    const answers = await Promise.race([all, hangs]);
    t.diagnostic(`${name}: answered after at most ${seconds(beginMs)}`);
    return answers;
  } finally {
    timer.abort();
  }
}

type Diagnostics = { diagnostic(message: string): void };

const seconds = (beginMs: number): string =>
  `${((performance.now() - beginMs) / 1000).toFixed(1)} s`;

/** Nothing is left of it, without a restart. */
async function allWell(client: Client, id: string): Promise<void> {
  for (const [name, ask] of Object.entries(REQUESTS)) {
    await until(async () => (await ask(client, id)).status < 300, `${name} answered`);
  }
  assert.equal((await client.post('/users/current/snapshots', [snapshot(id, 2)])).status, 200);
  await until(async () => {
    const path = `/users/current/accounts/${id}/equity-chart`;
    const range = 'startTime=2026-01-05%2000:00:00.000&endTime=2026-01-06%2000:00:00.000';
    type Hours = { lastEquity: number }[];
    const hours = await client.asOfNow<Hours>(`${path}?realTime=true&${range}`);
    return hours.map(({ lastEquity }) => lastEquity).join() === '100,101,102';
  }, 'a chart of all three hours');
}
