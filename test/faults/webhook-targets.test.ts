import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { it } from 'node:test';
import { WebhookClient } from '../../src/network/send-webhook.ts';
import type { Principal } from '../../src/services/context.ts';
import {
  createWebhook,
  readDeadLetters,
  replayWebhook,
} from '../../src/services/webhooks/manage-webhooks.ts';
import { storeEvents } from '../../src/storage/event-store.ts';
import { WebhookSender } from '../../src/workers/webhook-sender/webhook-sender.ts';
import { silent, testContext } from '../servers/test-context.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { TestTime } from '../servers/test-time.ts';
import { untilPassed } from '../servers/until.ts';
import { newAccount } from '../storage-contract/fixture.ts';
import { eventOf, ownPartition } from '../storage-contract/live-fixture.ts';

const MAX_ATTEMPTS = 12;
const STEP_MS = 20_000;

/** Possible answers of a target instead of 200; undefined cuts the connection. */
const REFUSALS = [
  'HTTP/1.1 500 Broken\r\ncontent-length: 0\r\n\r\n',
  undefined,
  'this is no HTTP\r\n\r\n',
  'HTTP/1.1 307 Elsewhere\r\nlocation: /other\r\ncontent-length: 0\r\n\r\n',
  `HTTP/1.1 404 Huge\r\ncontent-length: 1000000\r\n\r\n${'x'.repeat(1_000_000)}`,
  'HTTP/1.1 200 Half\r\ncontent-length: 100\r\n\r\nhalf',
];
const TAKEN = 'HTTP/1.1 204 Taken\r\nconnection: close\r\n\r\n';

it('gives an event up after its attempts, continues, and sends dead letters again', async (t) => {
  const stored = await openTestDatabase('sqlite');
  const { database } = stored;
  const { number, userId } = await newAccount(database);
  const time = new TestTime();
  let isGood = false;
  let calls = 0;
  const taken: string[] = [];
  const target = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (head) => {
      calls += 1;
      const refusal = REFUSALS[calls % REFUSALS.length];
      if (isGood) {
        taken.push(/webhook-id: (\d+)/i.exec(head.toString())?.[1] ?? '');
        socket.end(TAKEN);
      } else if (refusal === undefined) socket.resetAndDestroy();
      else socket.end(refusal);
    });
  }).listen(0, '127.0.0.1');
  await once(target, 'listening');
  const address = target.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const context = await testContext(database, { now: () => time.now(), newId: () => 'hook' });
  const { secrets } = context;
  const scopes = new Set<never>();
  const principal: Principal = { userId, tokenId: 't', scopes, accountNumbers: undefined };
  const url = `http://127.0.0.1:${port}/`;
  await createWebhook({ ...context, allowPrivate: true }, principal, { url });
  const { partition, epoch } = await ownPartition(database);
  const events = [1, 2].map((day) => eventOf(number, { startTimeMs: day, position: day }));
  await storeEvents(database, partition, epoch, events, 0);
  const client = new WebhookClient({ allowPrivate: true });
  const sender = new WebhookSender(
    { database, claims: context.claims, time, logger: silent },
    {
      secrets,
      send: (to, headers, body, signal) => client.send(to, headers, body, { signal }),
      random: () => 0,
    },
  );
  t.after(async () => {
    await sender.stop();
    client.close();
    target.close();
    await stored.close();
  });
  sender.start();
  const letters = async () =>
    (await readDeadLetters(context, principal, 'hook', { before: 1e9, limit: 10 })).items;
  /** Time passes until something holds, more slowly than the lease of a delivery ends. */
  const later = (holds: () => Promise<boolean>): Promise<void> =>
    untilPassed(() => {
      time.setClock(time.now() + STEP_MS);
      return time.pass(1000);
    }, holds);
  await later(async () => (await letters()).length === 2);
  assert.equal(calls, 2 * MAX_ATTEMPTS);
  assert.deepEqual(
    (await letters()).map(({ sequenceNumber, attempts }) => [sequenceNumber, attempts]),
    [
      [2, MAX_ATTEMPTS],
      [1, MAX_ATTEMPTS],
    ],
  );
  isGood = true;
  assert.deepEqual(await replayWebhook(context, principal, 'hook', undefined), { replayed: 2 });
  await later(async () => (await letters()).length === 0);
  assert.deepEqual(taken, ['1', '2']);
});
