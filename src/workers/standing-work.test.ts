import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needs } from '../../test/needs.ts';
import { openTestDatabase } from '../../test/servers/test-databases.ts';
import { newAccount } from '../../test/storage-contract/fixture.ts';
import { eventOf, ownPartition } from '../../test/storage-contract/live-fixture.ts';
import { platformFixture } from '../services/platform-accounts/platform.fixture.ts';
import { removeAccount } from '../storage/account-store.ts';
import { storeEvents } from '../storage/event-store.ts';
import { queueMail } from '../storage/mail-store.ts';
import { insertWebhook } from '../storage/webhook-store.ts';
import { broke } from './breach-worker/breach.fixture.ts';
import { StandingWork } from './standing-work.ts';

needs('postgres');

for (const kind of ['sqlite', 'postgres'] as const) {
  test(`reports how long untried work has been waiting, on ${kind}`, async () => {
    await using stack = new AsyncDisposableStack();
    const opened = await openTestDatabase(kind);
    stack.defer(() => opened.close());
    const { database } = opened;
    let elapsedMs = 0;
    let head = 0;
    const standing = new StandingWork(database, async () => head, {
      now: () => 9_000,
      elapsed: () => elapsedMs,
    });
    const late = async (): Promise<Record<string, number>> =>
      Object.fromEntries((await standing.look()).filter(([, seconds]) => seconds > 0));
    const pass = (ms: number): Promise<Record<string, number>> => {
      elapsedMs += ms;
      return late();
    };
    assert.deepEqual(await pass(1_000), {});
    const { number, userId } = await newAccount(database);
    const { partition, epoch } = await ownPartition(database);
    await storeEvents(database, partition, epoch, [eventOf(number)], 0);
    assert.deepEqual(await pass(1_000), {});
    assert.deepEqual(await pass(9_000), { seals: 9 }, 'no webhook is to be woken');
    await database.transaction((tx) =>
      insertWebhook(tx, {
        ...{ id: 'hook', userId, url: 'https://a.example/', events: ['drawdown'] },
        ...{ delivery: 'single', secret: Uint8Array.of(1), secretKeyId: 'key' },
        ...{ createdAtMs: 1, attempts: 0, dueAtMs: 0, lastNumber: 0, wantedNumber: 0 },
        ...{ tookMs: 0, lastResult: null },
      }),
    );
    await database.transaction(async (tx) => {
      const mail = { to: 'a@b.c', subject: 's', text: 't', html: 'h' };
      await queueMail(tx, 'due', { ...mail, messageId: 'x' }, 5_000);
      await queueMail(tx, 'later', { ...mail, messageId: 'y' }, 99_000);
    });
    assert.deepEqual(await pass(1_000), { seals: 10 });
    assert.deepEqual(await pass(700_000), { mail: 700, wakingWebhooks: 700, seals: 710 });
    // A failed try is no standing still.
    await database.run("update mail_outbox set attempts = 1 where id = 'due'");
    await database.run('update seal_head set last_number = 1');
    await database.run('update webhook_feed set last_number = 1');
    assert.deepEqual(await pass(1_000), {});
    await database.transaction((tx) => removeAccount(tx, number, 1));
    await database.run('update removed_account set is_folded = 1');
    assert.deepEqual(await pass(5_000), { mail: 5 });
    assert.deepEqual(await pass(5_000), { mail: 10, removal: 5 });
    // The journal is folded by a process, or all see that none does.
    head = 7;
    await database.run('delete from removed_account');
    await database.run("update mail_outbox set state = 'sent'");
    assert.deepEqual(await pass(1_000), {});
    assert.deepEqual(await pass(61_000), { folding: 61 });
    await database.run('update journal_partition set position = 5');
    assert.deepEqual(await pass(1_000), {});
    await database.run('update journal_partition set position = 7');
    assert.deepEqual(await pass(61_000), {});
  });

  test(`an action at a breach stands still once it is due, on ${kind}`, async () => {
    await using stack = new AsyncDisposableStack();
    const { files, profile, close } = await platformFixture(kind);
    stack.defer(close);
    const { database } = files;
    let [elapsedMs, nowMs] = [0, 9_000];
    const time = { now: () => nowMs, elapsed: () => elapsedMs };
    const standing = new StandingWork(database, async () => 0, time);
    const pass = async (ms: number): Promise<number | undefined> => {
      elapsedMs += ms;
      return new Map(await standing.look()).get('breachActions');
    };
    await broke(database, { profileId: profile.id, login: 1, periodEndMs: 10_000 }, [
      { action: 'disableTrading' },
      { action: 'enableTrading', moment: 'reset' },
    ]);
    assert.deepEqual([await pass(0), await pass(61_000)], [0, 61]);
    await database.run("update breach_action set state = 'done' where moment = 'breach'");
    assert.deepEqual([await pass(0), await pass(61_000)], [0, 0], 'before the reset');
    nowMs = 10_000;
    assert.deepEqual([await pass(0), await pass(61_000)], [0, 61]);
  });
}
