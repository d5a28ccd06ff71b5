import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silent, testContext } from '../../../test/servers/test-context.ts';
import { openTestDatabase } from '../../../test/servers/test-databases.ts';
import { TestTime } from '../../../test/servers/test-time.ts';
import { untilPassed } from '../../../test/servers/until.ts';
import { newAccount } from '../../../test/storage-contract/fixture.ts';
import { eventOf, ownPartition } from '../../../test/storage-contract/live-fixture.ts';
import { createWebhook } from '../../services/webhooks/manage-webhooks.ts';
import { storeEvents } from '../../storage/event-store.ts';
import { listWebhooks } from '../../storage/webhook-store.ts';
import { WebhookSender } from './webhook-sender.ts';

const TIMES = 6;

test('a webhook whose secret cannot be opened is tried once a second, not without a pause', async (t) => {
  const stored = await openTestDatabase('sqlite');
  const { database } = stored;
  const time = new TestTime();
  const { userId, number } = await newAccount(database);
  const context = await testContext(database, { now: () => time.now(), newId: () => 'hook' });
  const principal = { userId, tokenId: 't', scopes: new Set<never>(), accountNumbers: undefined };
  const url = 'http://127.0.0.1:9/';
  await createWebhook({ ...context, allowPrivate: true }, principal, { url });
  let opened = 0;
  const open = async (): Promise<never> => {
    opened += 1;
    throw new Error('damaged');
  };
  const { settingIds } = context.secrets;
  const send = (): never => assert.fail('nothing can be signed');
  const sender = new WebhookSender(
    { database, claims: context.claims, time, logger: silent },
    { secrets: { open, settingIds }, send, random: () => 0 },
  );
  t.after(async () => {
    await sender.stop();
    await stored.close();
  });
  const { partition, epoch } = await ownPartition(database);
  await storeEvents(database, partition, epoch, [eventOf(number)], 0);
  sender.start();
  await untilPassed(
    () => time.pass(50),
    async () => opened >= TIMES,
    'some attempts',
  );
  const passedMs = time.elapsed();
  assert.ok(passedMs >= (TIMES - 1) * 1000, `${TIMES} attempts within ${passedMs} ms`);
  const [webhook] = await listWebhooks(database, userId, 1);
  assert.equal(webhook?.lastNumber, 0, 'the event still waits');
});
