import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { FaultyDatabase } from '../../../test/servers/faulty-database.ts';
import { silent, testContext } from '../../../test/servers/test-context.ts';
import { openTestDatabase } from '../../../test/servers/test-databases.ts';
import { TestTime } from '../../../test/servers/test-time.ts';
import { untilPassed } from '../../../test/servers/until.ts';
import { newAccount } from '../../../test/storage-contract/fixture.ts';
import { eventOf, ownPartition } from '../../../test/storage-contract/live-fixture.ts';
import type { Principal } from '../../services/context.ts';
import { createWebhook, readDeadLetters } from '../../services/webhooks/manage-webhooks.ts';
import { DatabaseUnavailable } from '../../storage/database.ts';
import { storeEvents } from '../../storage/event-store.ts';
import { listWebhooks } from '../../storage/webhook-store.ts';
import type { WebhookDelivery } from '../../words/service.ts';
import { WebhookSender } from './webhook-sender.ts';

const PATROL_MS = 1000;
const EVENTS = 700;
/** As long as webhook-sender.ts leases one. */
const LEASE_MS = 45_000;

type Numbered = { sequenceNumber: number };
type Sent = { type: string; data: Numbered | Numbered[] };
type Posted = { id: string; numbers: number[]; type: string; elapsedMs: number };

/** A sender with one webhook, and events that happen; a test refuses some numbers. */
async function openWorld(t: TestContext, delivery: WebhookDelivery | undefined) {
  const stored = await openTestDatabase('sqlite');
  const { database } = stored;
  const time = new TestTime();
  const account = await newAccount(database);
  const { userId } = account;
  const context = await testContext(database, { now: () => time.now(), newId: () => 'hook' });
  const { secrets } = context;
  const scopes = new Set<never>();
  const principal: Principal = { userId, tokenId: 't', scopes, accountNumbers: undefined };
  const url = 'http://127.0.0.1:9/';
  await createWebhook({ ...context, allowPrivate: true }, principal, { url, delivery });
  const posted: Posted[] = [];
  const flights = { now: 0, most: 0 };
  let refused = (_: number): boolean => false;
  const network = new FaultyDatabase(database);
  const sender = new WebhookSender(
    { database: network, claims: context.claims, time, logger: silent },
    {
      secrets,
      send: async (_, headers, body) => {
        flights.now += 1;
        flights.most = Math.max(flights.most, flights.now);
        await sleep(1);
        flights.now -= 1;
        const { type, data } = JSON.parse(body) as Sent;
        const events = Array.isArray(data) ? data : [data];
        const numbers = events.map(({ sequenceNumber }) => sequenceNumber);
        const elapsedMs = time.elapsed();
        posted.push({ id: headers['webhook-id'] ?? '', numbers, type, elapsedMs });
        const isTaken = !numbers.some(refused);
        return { isTaken, result: isTaken ? 'answered 204' : 'answered 500' };
      },
      random: () => 0,
    },
  );
  t.after(async () => {
    await sender.stop();
    await stored.close();
  });
  sender.start();
  const { partition, epoch } = await ownPartition(database);
  const events = Array.from({ length: EVENTS }, (_, n) =>
    eventOf(account.number, { startTimeMs: n, ordinal: n }),
  );
  return {
    posted,
    flights,
    network,
    refuse: (test: (number: number) => boolean) => {
      refused = test;
    },
    happen: async () => {
      await storeEvents(database, partition, epoch, events, 0);
      const isOver = async (): Promise<boolean> => {
        const [webhook] = await listWebhooks(database, userId, 20);
        // No one waits for the next attempt.
        if (webhook && webhook.dueAtMs > time.now()) {
          time.setClock(webhook.dueAtMs);
        }
        return webhook?.lastNumber === EVENTS;
      };
      // Slower than a busy disk: an outage is over within a lease.
      await untilPassed(() => time.pass(PATROL_MS / 8), isOver, 'everything delivered or given up');
    },
    letters: async () =>
      (await readDeadLetters(context, principal, 'hook', { before: 1e9, limit: 10 })).items,
  };
}

const ALL = Array.from({ length: EVENTS }, (_, n) => n + 1);
const numbersOf = (posted: readonly Posted[]) => posted.flatMap(({ numbers }) => numbers);

/** The state at the beginning of a turn. */
const READS_EVENTS = /^\s*select .*money_digits/s;

describe('sending events to a webhook', () => {
  it('one after another, each once, by default', async (t) => {
    const { posted, flights, happen } = await openWorld(t, undefined);
    await happen();
    assert.deepEqual(numbersOf(posted), ALL);
    assert.equal(flights.most, 1);
    assert.ok(posted.every(({ id, numbers }) => id === `${numbers[0]}`));
    assert.equal(posted[0]?.type, 'tracker.drawdown');
  });

  it('in batches, in order, with their first and last number', async (t) => {
    const { posted, flights, happen } = await openWorld(t, 'batch');
    await happen();
    assert.deepEqual(numbersOf(posted), ALL);
    assert.equal(flights.most, 1);
    assert.equal(posted.length, 7);
    assert.deepEqual([posted[1]?.id, posted[1]?.type], ['101-200', 'tracker.batch']);
  });

  it('soon after an outage that interrupted its turn, not when its lease ends', async (t) => {
    const { posted, happen, network } = await openWorld(t, undefined);
    let outages = 0;
    network.faults.before = ({ sql }) => {
      if (outages > 0 || !READS_EVENTS.test(sql)) return;
      outages += 1;
      throw new DatabaseUnavailable('The database is not there');
    };
    await happen();
    assert.equal(outages, 1);
    assert.deepEqual(numbersOf(posted), ALL);
    const [first] = posted;
    assert.ok(first && first.elapsedMs < LEASE_MS, `after ${first?.elapsedMs} ms`);
  });

  it('several at a time', async (t) => {
    const { posted, flights, happen } = await openWorld(t, 'parallel');
    await happen();
    assert.deepEqual(
      numbersOf(posted).toSorted((a, b) => a - b),
      ALL,
    );
    assert.equal(flights.most, 64);
  });
});

for (const delivery of ['single', 'batch', 'parallel'] as const) {
  it(`that refuses an event gets all others, and that one is a dead letter: ${delivery}`, async (t) => {
    const { posted, refuse, happen, letters } = await openWorld(t, delivery);
    refuse((number) => number === 333);
    await happen();
    const taken = posted.filter(({ numbers }) => !numbers.includes(333));
    const others = ALL.filter((number) => number !== 333);
    assert.deepEqual(
      [...new Set(numbersOf(taken))].toSorted((a, b) => a - b),
      others,
    );
    assert.deepEqual(
      (await letters()).map(({ sequenceNumber }) => sequenceNumber),
      [333],
    );
  });
}
