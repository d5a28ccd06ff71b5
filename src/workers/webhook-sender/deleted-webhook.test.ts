import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FaultyDatabase } from '../../../test/servers/faulty-database.ts';
import { silent, testContext } from '../../../test/servers/test-context.ts';
import { openTestDatabase } from '../../../test/servers/test-databases.ts';
import { TestTime } from '../../../test/servers/test-time.ts';
import { untilPassed } from '../../../test/servers/until.ts';
import { newAccount } from '../../../test/storage-contract/fixture.ts';
import { eventOf, ownPartition } from '../../../test/storage-contract/live-fixture.ts';
import { createWebhook } from '../../services/webhooks/manage-webhooks.ts';
import { storeEvents } from '../../storage/event-store.ts';
import { deleteWebhookRow, findWebhook } from '../../storage/webhook-store.ts';
import { WebhookSender } from './webhook-sender.ts';

test('a webhook that is deleted just before it is served leaves no claim', async (t) => {
  const stored = await openTestDatabase('sqlite');
  t.after(() => stored.close());
  const { database } = stored;
  const time = new TestTime();
  const { userId, number } = await newAccount(database);
  const context = await testContext(database, { now: () => time.now(), newId: () => 'hook' });
  const principal = { userId, tokenId: 't', scopes: new Set<never>(), accountNumbers: undefined };
  await createWebhook({ ...context, allowPrivate: true }, principal, {
    url: 'http://127.0.0.1:9/',
  });
  const network = new FaultyDatabase(database);
  const sender = new WebhookSender(
    { database: network, claims: context.claims, time, logger: silent },
    { secrets: context.secrets, send: () => assert.fail('it is deleted'), random: () => 0 },
  );
  const { partition, epoch } = await ownPartition(database);
  await storeEvents(database, partition, epoch, [eventOf(number)], 0);
  const isThere = async (): Promise<boolean> =>
    Boolean(await findWebhook(database, userId, 'hook'));
  let isListed = false;
  network.faults.before = async ({ sql }) => {
    isListed ||= sql.includes('took_ms <=');
    if (isListed && sql === 'begin')
      await database.transaction((tx) => deleteWebhookRow(tx, 'hook'));
  };
  sender.start();
  await untilPassed(
    () => time.pass(50),
    async () => !(await isThere()),
    'the deletion',
  );
  await sender.stop();
  const claims = await database.all("select key from claim where kind = 'webhook'");
  assert.deepEqual(claims, []);
});
