import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silent, testContext } from '../../../test/servers/test-context.ts';
import { openTestDatabase } from '../../../test/servers/test-databases.ts';
import { TestTime } from '../../../test/servers/test-time.ts';
import { untilPassed } from '../../../test/servers/until.ts';
import { newAccount } from '../../../test/storage-contract/fixture.ts';
import { eventOf, ownPartition } from '../../../test/storage-contract/live-fixture.ts';
import { sleep } from '../../domain/timekeeper.ts';
import type { Account } from '../../storage/account-store.ts';
import { storeEvents } from '../../storage/event-store.ts';
import { insertWebhook } from '../../storage/webhook-store.ts';
import { EVENT_KINDS } from '../../words/events.ts';
import { WebhookSender } from './webhook-sender.ts';

const [SLOW_USERS, HOOKS, SLOW_MS] = [20, 20, 9000];
const STEP_MS = 100;
/** The database works in the meantime, which does not count as the test's time. */
const FINE_STEP_MS = 10;

test('a fast webhook gets its event within a second besides twenty users with slow ones', async (t) => {
  const stored = await openTestDatabase('sqlite');
  const { database } = stored;
  const time = new TestTime();
  const context = await testContext(database, { now: () => time.now() });
  const stopping = new AbortController();
  const openOf = new Map<string, number>();
  let told: number | undefined;
  const sender = new WebhookSender(
    { database, claims: context.claims, time, logger: silent },
    {
      secrets: { open: async () => 'secret', settingIds: ['key'] },
      send: async ({ hostname, pathname }) => {
        if (hostname === 'slow') {
          openOf.set(pathname, (openOf.get(pathname) ?? 0) + 1);
          await sleep(time, SLOW_MS, stopping.signal);
          openOf.set(pathname, (openOf.get(pathname) ?? 0) - 1);
        } else told = time.elapsed();
        return { isTaken: true, result: '200' };
      },
      random: () => 0.5,
    },
  );
  t.after(async () => {
    stopping.abort();
    await sender.stop();
    await stored.close();
  });
  const accountWith = async (url: string, hooks: number): Promise<Account> => {
    const account = await newAccount(database);
    const { userId } = account;
    for (let n = 0; n < hooks; n += 1) {
      await database.transaction((tx) =>
        insertWebhook(tx, {
          ...{ id: `${userId}-${n}`, userId, url, events: [...EVENT_KINDS], delivery: 'single' },
          ...{ secret: Uint8Array.of(1), secretKeyId: 'key' },
          ...{ createdAtMs: 1, lastNumber: 0, wantedNumber: 0, attempts: 0 },
          ...{ dueAtMs: 0, tookMs: 0, lastResult: null },
        }),
      );
    }
    return account;
  };
  const slow: Account[] = [];
  for (let n = 0; n < SLOW_USERS; n += 1) slow.push(await accountWith(`http://slow/${n}`, HOOKS));
  const fast = await accountWith('http://fast/', 1);
  let round = 0;
  const breach = async (accounts: readonly Account[]): Promise<void> => {
    round += 1;
    const position = round;
    // Again each time: its owner shows no beat, so it counts as gone.
    const { partition, epoch } = await ownPartition(database);
    const events = accounts.map(({ number, userId }, ordinal) => ({
      ...eventOf(number, { position, ordinal, startTimeMs: round }),
      userId,
    }));
    await storeEvents(database, partition, epoch, events, 0);
    database.announce('plimsoll_events', '');
  };
  await breach(slow);
  sender.start();
  const waits: number[] = [];
  // From the first moment, when no target is known to be slow, until all are.
  for (let n = 0; n < 6; n += 1) {
    told = undefined;
    const beganMs = time.elapsed();
    await breach([fast]);
    await untilPassed(
      () => time.pass(FINE_STEP_MS),
      async () => told !== undefined,
      'the event of the fast webhook',
    );
    waits.push((told ?? 0) - beganMs);
    await breach(slow);
    for (let step = 0; step < 20; step += 1) await time.pass(STEP_MS);
  }
  assert.ok(
    waits.every((ms) => ms <= 1000),
    `${waits.join(', ')} ms`,
  );
  assert.ok(openOf.size > 0);
  for (const [user, open] of openOf) assert.ok(open <= 6, `${open} requests open for ${user}`);
});
