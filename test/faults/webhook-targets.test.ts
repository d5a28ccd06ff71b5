import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { it } from 'node:test';
import { createLogger } from '../../src/app/logger.ts';
import {
  createWebhook,
  readDeadLetters,
  replayWebhook,
} from '../../src/services/webhooks/manage-webhooks.ts';
import { WebhookSecrets } from '../../src/services/webhooks/webhook-secrets.ts';
import { WebhookSender } from '../../src/services/webhooks/webhook-sender.ts';
import { Catalogue } from '../../src/storage/catalogue.ts';
import { insertEvent, numberEvents } from '../../src/storage/event-store.ts';
import { storeSimulatedAccounts, USER_ID } from '../engine/live-fixture.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { until } from '../servers/until.ts';
import { simulatedAccounts } from '../simulation/simulated-accounts.ts';

const HOUR_MS = 3_600_000;
const MAX_ATTEMPTS = 12;

/** What a target may say instead of 200; undefined cuts the connection. */
const REFUSALS = [
  'HTTP/1.1 500 Broken\r\ncontent-length: 0\r\n\r\n',
  undefined,
  'this is no HTTP\r\n\r\n',
  'HTTP/1.1 307 Elsewhere\r\nlocation: /other\r\ncontent-length: 0\r\n\r\n',
  `HTTP/1.1 404 Huge\r\ncontent-length: 1000000\r\n\r\n${'x'.repeat(1_000_000)}`,
  'HTTP/1.1 200 Half\r\ncontent-length: 100\r\n\r\nhalf',
];
const TAKEN = 'HTTP/1.1 204 Taken\r\nconnection: close\r\n\r\n';

it('gives an event up after its attempts, goes on, and sends dead letters again', async (t) => {
  const stored = await openTestDatabase('sqlite');
  const { database } = stored;
  await storeSimulatedAccounts(database, simulatedAccounts(1, 1, 0, 0));
  let nowMs = Date.UTC(2025, 2, 1);
  let isGood = false;
  let calls = 0;
  const taken: string[] = [];
  const target = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (head) => {
      calls += 1;
      const refusal = REFUSALS[calls % REFUSALS.length];
      if (isGood) {
        taken.push(/idempotency-key: (\d+)/i.exec(head.toString())?.[1] ?? '');
        socket.end(TAKEN);
      } else if (refusal === undefined) socket.resetAndDestroy();
      else socket.end(refusal);
    });
  }).listen(0, '127.0.0.1');
  await once(target, 'listening');
  const address = target.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const logger = createLogger('silent');
  const secrets = new WebhookSecrets(database, undefined);
  const catalogue = new Catalogue(database);
  const now = () => nowMs;
  const context = { database, catalogue, now, newId: () => 'hook', logger, secrets };
  const scopes = new Set<never>();
  const principal = { userId: USER_ID, tokenId: 't', scopes, accountIds: undefined };
  await createWebhook(context, principal, { url: `http://127.0.0.1:${port}/` });
  await database.transaction(async (tx) => {
    for (const day of [1, 2]) await insertEvent(tx, eventOf(day));
    await numberEvents(tx);
  });
  const sender = new WebhookSender(context, { secrets, allowPrivate: true, random: () => 0 });
  t.after(async () => {
    await sender.stop();
    target.close();
    await stored.close();
  });
  sender.start();
  const letters = () => readDeadLetters(context, principal, 'hook', 10);
  /** Time passes by the hour until something holds. */
  const later = (holds: () => Promise<boolean>): Promise<void> =>
    until(async () => {
      nowMs += HOUR_MS;
      await database.transaction((tx) => tx.notify('plimsoll_events', ''));
      await new Promise((resolve) => setTimeout(resolve, 10));
      return holds();
    });
  await later(async () => (await letters()).length === 2);
  assert.equal(calls, 2 * MAX_ATTEMPTS);
  assert.deepEqual(
    (await letters()).map(({ sequenceNumber, attempts }) => [sequenceNumber, attempts]),
    [
      [1, MAX_ATTEMPTS],
      [2, MAX_ATTEMPTS],
    ],
  );
  isGood = true;
  assert.deepEqual(await replayWebhook(context, principal, 'hook', undefined), { replayed: 2 });
  await later(async () => (await letters()).length === 0);
  assert.deepEqual(taken, ['1', '2']);
});

const eventOf = (day: number) => ({
  accountCreatedAtMs: 1,
  moneyDigits: 4,
  partition: 0,
  position: day,
  ordinal: 0,
  beforeBreach: new Uint8Array(),
  event: {
    accountId: 'account-0',
    trackerId: 'tracker',
    period: 'date' as const,
    startTimeMs: day,
    timeMs: day,
    exceededThresholdType: 'drawdown' as const,
    absoluteDrawdown: 1,
    relativeDrawdown: 0.1,
    absoluteProfit: 0,
    relativeProfit: 0,
    allowed: 0,
    inclusive: false,
    baseline: 1,
    initialBalance: 1,
    balance: 1,
    equity: 0,
    adjustment: 0,
  },
});
