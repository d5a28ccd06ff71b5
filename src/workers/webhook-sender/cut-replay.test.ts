import assert from 'node:assert/strict';
import { it } from 'node:test';
import { silent, testContext } from '../../../test/servers/test-context.ts';
import { openTestDatabase } from '../../../test/servers/test-databases.ts';
import { TestTime } from '../../../test/servers/test-time.ts';
import { untilPassed } from '../../../test/servers/until.ts';
import { newAccount } from '../../../test/storage-contract/fixture.ts';
import { eventOf, ownPartition } from '../../../test/storage-contract/live-fixture.ts';
import type { Principal } from '../../services/context.ts';
import { createWebhook } from '../../services/webhooks/manage-webhooks.ts';
import { listDeadLetters, replayDeadLetters } from '../../storage/dead-letter-store.ts';
import { storeEvents } from '../../storage/event-store.ts';
import { listWebhooks } from '../../storage/webhook-store.ts';
import { WebhookSender } from './webhook-sender.ts';

it('a replay that the end of the process cuts is still due', async (t) => {
  const stored = await openTestDatabase('sqlite');
  const { database } = stored;
  const time = new TestTime();
  const { number, userId } = await newAccount(database);
  const context = await testContext(database, { now: () => time.now(), newId: () => 'hook' });
  const { claims, secrets } = context;
  const principal: Principal = {
    ...{ userId, tokenId: 't', scopes: new Set<never>(), accountNumbers: undefined },
  };
  const wanted = { url: 'http://127.0.0.1:9/' };
  await createWebhook({ ...context, allowPrivate: true }, principal, wanted);
  const cut = Promise.withResolvers<void>();
  let [isReplay, isAsked] = [false, false];
  const sender = new WebhookSender(
    { database, claims, time, logger: silent },
    {
      secrets,
      send: async () => {
        isAsked = isReplay;
        if (isReplay) await cut.promise;
        return { isTaken: false, result: isReplay ? 'no answer in time' : 'answered 500' };
      },
      random: () => 0,
    },
  );
  t.after(async () => {
    cut.resolve();
    await sender.stop();
    await stored.close();
  });
  sender.start();
  const { partition, epoch } = await ownPartition(database);
  const event = eventOf(number, { startTimeMs: 0, ordinal: 0 });
  await storeEvents(database, partition, epoch, [event], 0);
  const letters = () => listDeadLetters(database, 'hook', 10, 10);
  const pass = async (): Promise<void> => {
    const [webhook] = await listWebhooks(database, userId, 1);
    if (webhook && webhook.dueAtMs > time.now()) time.setClock(webhook.dueAtMs);
    await time.pass(250);
  };
  await untilPassed(pass, async () => (await letters()).length === 1, 'a dead letter');
  isReplay = true;
  await database.transaction((tx) => replayDeadLetters(tx, 'hook', time.now()));
  await untilPassed(pass, () => isAsked, 'the replay');
  const stopped = sender.stop();
  cut.resolve();
  await stopped;
  const [letter] = await letters();
  assert.notEqual(letter?.dueAtMs, null);
  assert.equal(letter?.lastResult, 'answered 500');
});
