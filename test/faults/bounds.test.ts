import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, describe, it } from 'node:test';
import Fastify from 'fastify';
import { Registry } from 'prom-client';
import { createLogger } from '../../src/app/logger.ts';
import { systemTime as time } from '../../src/app/system-time.ts';
import { ClockViews } from '../../src/domain/live/clock-views.ts';
import { EventFeed } from '../../src/feeds/event-feed.ts';
import { sendEventStream } from '../../src/http/event-stream.ts';
import { registerSnapshots } from '../../src/http/routes/risk/snapshots.ts';
import { registerTrackerEvents } from '../../src/http/routes/risk/tracker-events.ts';
import { createServer } from '../../src/http/server.ts';
import { IngestAccounts } from '../../src/ingest/ingest-accounts.ts';
import { SnapshotReader } from '../../src/ingest/snapshot-reader.ts';
import { SnapshotWriter } from '../../src/ingest/snapshot-writer.ts';
import type { Account } from '../../src/storage/account-store.ts';
import { FaultyDatabase } from '../servers/faulty-database.ts';
import { testContext } from '../servers/test-context.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { until } from '../servers/until.ts';
import { gate, newAccount } from '../storage-contract/fixture.ts';

const logger = createLogger('silent');

/** The real HTTP stack over parts with small bounds, and five users with an account each. */
async function startBounded() {
  const stored = await openTestDatabase('sqlite');
  const database = new FaultyDatabase(stored.database);
  const owned: Account[] = [];
  for (let user = 0; user < 5; user += 1) owned.push(await newAccount(database));
  const { journal, ...context } = await testContext(database, { logger });
  const { catalogue } = context;
  const feed = new EventFeed({ database, catalogue, time, logger, maxWaiting: 2 });
  await feed.start();
  const accounts = new IngestAccounts(database, catalogue, new ClockViews());
  const bounds = { maxRequests: 8, maxBytes: 100_000 };
  const snapshots = new SnapshotWriter({ database, journal, time, accounts, ...bounds });
  const reader = new SnapshotReader();
  const scopes = new Set(['read', 'ingest'] as const);
  const server = await createServer({
    logger,
    metrics: new Registry(),
    newId: () => 'request',
    trustedProxies: [],
    corsOrigins: [],
    compatibility: 'none',
    refusalsPerMinute: 0,
    requestsPerMinute: 0,
    authenticate: async ({ token }) => ({
      userId: token,
      tokenId: 't',
      scopes,
      accountNumbers: undefined,
    }),
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
  return { address, feed, database, owned };
}

async function assertBusy(answer: Response): Promise<void> {
  assert.equal(answer.status, 503);
  assert.ok(Number(answer.headers.get('retry-after')) > 0);
  assert.equal(((await answer.json()) as { error: string }).error, 'ServiceUnavailableError');
}

describe('bounds', () => {
  it('lets a bounded number wait for events and asks the next one to retry', async () => {
    const { address, feed, owned } = await startBounded();
    const wait = () =>
      fetch(`${address}/users/current/tracker-events/stream?wait=60`, {
        headers: { 'auth-token': owned[0]?.userId ?? '' },
      });
    const waiting = [wait(), wait()];
    await until(() => feed.waiting === 2);
    await assertBusy(await wait());
    feed.close();
    for (const answer of await Promise.all(waiting)) {
      assert.deepEqual([answer.status, await answer.json()], [200, []]);
    }
  });

  it('accepts a bounded number of snapshots, asks others to retry, and continues', async () => {
    const { address, database, owned } = await startBounded();
    const [last] = owned.slice(-1);
    assert.ok(last);
    const send = ({ id, userId }: Account, rows = 1) =>
      fetch(`${address}/users/current/snapshots`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'auth-token': userId },
        body: JSON.stringify(
          Array(rows).fill({
            ...{ accountId: id, brokerTime: '2025-03-01 10:00:00', balance: 1, equity: 1 },
          }),
        ),
      });
    /** Commits wait from now on; how many of them do. */
    const hold = () => {
      const { opened, open } = gate();
      let held = 0;
      database.faults.before = ({ sql }) => {
        if (sql !== 'begin') return undefined;
        held += 1;
        return opened;
      };
      return { held: () => held, release: open };
    };
    const all = hold();
    const taken: Promise<Response>[] = [];
    for (const account of owned.slice(0, 4)) {
      // Two of a user may wait: that a third is refused tells that they do.
      const answers = [send(account), send(account), send(account)];
      const refused = await Promise.race(
        answers.map(async (answer, index) => ({ index, answer: await answer })),
      );
      await assertBusy(refused.answer);
      taken.push(...answers.filter((_, index) => index !== refused.index));
    }
    await assertBusy(await send(last));
    all.release();
    for (const answer of await Promise.all(taken)) assert.equal(answer.status, 200);
    const one = hold();
    const small = send(last);
    await until(() => one.held() > 0, 'a commit');
    await assertBusy(await send(last, 2000));
    one.release();
    assert.equal((await small).status, 200);
    assert.equal((await send(last, 2000)).status, 200, 'one alone may be as large as it likes');
  });

  it('cuts a slow reader of a stream and says why, and keeps others alive', async () => {
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
    await until(() => tail.includes('event: closed'));
    assert.match(tail, /event: closed\ndata: \{"reason":"slow-consumer"\}/);
    socket.destroy();
  });
});
