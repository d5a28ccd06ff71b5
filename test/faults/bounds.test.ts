import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, describe, it } from 'node:test';
import Fastify from 'fastify';
import { Registry } from 'prom-client';
import { createLogger } from '../../src/app/logger.ts';
import { sendEventStream } from '../../src/http/event-stream.ts';
import { registerSnapshots } from '../../src/http/routes/risk/snapshots.ts';
import { registerTrackerEvents } from '../../src/http/routes/risk/tracker-events.ts';
import { createServer } from '../../src/http/server.ts';
import { AccountDirectory } from '../../src/services/snapshots/account-directory.ts';
import { SnapshotReader } from '../../src/services/snapshots/snapshot-reader.ts';
import { SnapshotWriter } from '../../src/services/snapshots/snapshot-writer.ts';
import { EventFeed } from '../../src/services/tracker-events/event-feed.ts';
import { Catalogue } from '../../src/storage/catalogue.ts';
import { storeSimulatedAccounts, USER_ID } from '../engine/live-fixture.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { until } from '../servers/until.ts';
import { simulatedAccounts } from '../simulation/simulated-accounts.ts';

const logger = createLogger('silent');

/** The real HTTP stack over parts with small bounds. */
async function startBounded() {
  const stored = await openTestDatabase('sqlite');
  const { database } = stored;
  await storeSimulatedAccounts(database, simulatedAccounts(1, 1, 0, 0));
  const catalogue = new Catalogue(database);
  const context = { database, catalogue, now: Date.now, newId: () => 'id', logger };
  const feed = new EventFeed(database, logger, 2);
  await feed.start();
  const directory = new AccountDirectory(database);
  const bounds = { maxWaitingRequests: 2, maxWaitingBytes: 100_000 };
  const snapshots = new SnapshotWriter({ ...context, directory, engine: undefined, ...bounds });
  const reader = new SnapshotReader(directory);
  const scopes = new Set(['read', 'ingest'] as const);
  const server = await createServer({
    logger,
    metrics: new Registry(),
    newId: () => 'request',
    trustedProxies: [],
    corsOrigins: [],
    refusalsPerMinute: 0,
    requestsPerMinute: 0,
    authenticate: async () => ({ userId: USER_ID, tokenId: 't', scopes, accountIds: undefined }),
    routes: (routes) => {
      registerTrackerEvents(routes, { ...context, feed });
      registerSnapshots(routes, { reader, snapshots });
    },
  });
  const address = await server.listen({ port: 0, host: '127.0.0.1' });
  after(async () => {
    feed.close();
    await reader.close();
    await server.close();
    await stored.close();
  });
  return { address, feed, database };
}

async function assertBusy(answer: Response): Promise<void> {
  assert.equal(answer.status, 503);
  assert.ok(Number(answer.headers.get('retry-after')) > 0);
  assert.equal(((await answer.json()) as { error: string }).error, 'ServiceUnavailableError');
}

describe('bounds', () => {
  it('lets so many wait for events and asks the next one to come back', async () => {
    const { address, feed } = await startBounded();
    const url = `${address}/users/current/tracker-events/stream?wait=60`;
    const waiting = [fetch(url), fetch(url)];
    await until(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return feed.waiting === 2;
    });
    await assertBusy(await fetch(url));
    feed.close();
    for (const answer of await Promise.all(waiting)) {
      assert.deepEqual([answer.status, await answer.json()], [200, []]);
    }
  });

  it('takes as many snapshots as may wait, asks others to come back, and serves on', async () => {
    const { address, database } = await startBounded();
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const held = database.transaction(() => released);
    const brokerTime = '2025-03-01 10:00:00';
    const row = { accountId: 'account-0', brokerTime, balance: 1, equity: 1 };
    const send = (rows: number) =>
      fetch(`${address}/users/current/snapshots`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(Array(rows).fill(row)),
      });
    const answers = await Promise.race([
      Promise.all([send(1), send(1), send(1), send(1), send(1), send(1)]),
      new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 500)),
    ]);
    assert.equal(answers, undefined, 'those that are taken wait for their commit');
    await assertBusy(await send(1));
    await assertBusy(await send(2000));
    release();
    await held;
    await until(async () => (await send(1)).status === 200);
  });

  it('cuts a slow reader of a stream and tells why, and shows others that it lives', async () => {
    const server = Fastify().decorate('lastHeaders', () => ({}));
    after(() => server.close());
    const item = { id: 1, data: 'x'.repeat(1_000_000) };
    const limits = { stallMs: 200, farewellMs: 5000 };
    const parts = { stillAllowed: async () => true, now: () => 0 };
    server.get('/much', (_request, reply) =>
      sendEventStream(reply, { next: async () => [item], ...parts }, limits),
    );
    let turns = 0;
    const next = async () => (++turns > 2 ? undefined : []);
    server.get('/quiet', (_request, reply) => sendEventStream(reply, { next, ...parts }, limits));
    const address = new URL(await server.listen({ port: 0, host: '127.0.0.1' }));
    const quiet = await (await fetch(new URL('/quiet', address))).text();
    assert.equal(quiet.match(/^: heartbeat$/gm)?.length, 2);
    assert.match(quiet, /event: closed\ndata: \{"reason":"server-stopping"\}\n\n$/);
    const socket = connect(Number(address.port), address.hostname);
    await once(socket, 'connect');
    socket.pause();
    socket.write('GET /much HTTP/1.1\r\nhost: test\r\n\r\n');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    let tail = '';
    socket.setEncoding('latin1').on('data', (part: string) => {
      tail = (tail + part).slice(-200);
    });
    socket.resume();
    await until(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return tail.includes('event: closed');
    });
    assert.match(tail, /event: closed\ndata: \{"reason":"slow-consumer"\}/);
    socket.destroy();
  });
});
