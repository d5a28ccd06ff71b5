import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import type { Account } from '../../src/storage/account-store.ts';
import { type Claim, deleteClaim, insertClaims } from '../../src/storage/claim-store.ts';
import type { Database } from '../../src/storage/database.ts';
import {
  countDeadLetters,
  type DeadLetter,
  deleteDeadLetter,
  listDeadLetters,
  listDueDeadLetters,
  replayDeadLetters,
  writeDeadLetter,
} from '../../src/storage/dead-letter-store.ts';
import { readLastNumber } from '../../src/storage/event-number-store.ts';
import { storeEvents } from '../../src/storage/event-store.ts';
import {
  deleteWebhookRow,
  findWebhook,
  findWebhooks,
  insertWebhook,
  listDueWebhooks,
  listWebhooks,
  saveWebhook,
  type Webhook,
  wakeWebhook,
  wakeWebhooks,
} from '../../src/storage/webhook-store.ts';
import { newAccount, newUser, useDatabase } from './fixture.ts';
import { eventOf, ownPartition } from './live-fixture.ts';

type Used = ReturnType<typeof useDatabase>;

/** A right clock never goes beyond this here. */
const MAX_PAUSE_MS = 100_000;
/** Those of all users whose targets are not slow. */
const ANY = { isSlow: false, slowMs: 1000, exceptUsers: [], limit: 100 };

const SEALED = Uint8Array.of(1, 2);
/** A driver returns bytes in a class of its own. */
const plainly = (webhook: Webhook | undefined) =>
  webhook && { ...webhook, secret: [...webhook.secret] };
const webhookOf = (userId: string, fields: Partial<Webhook> = {}): Webhook => ({
  ...{ id: randomUUID(), userId, url: 'https://a.example/', events: ['drawdown', 'profit'] },
  ...{
    delivery: 'single',
    secret: SEALED,
    secretKeyId: 'key',
    createdAtMs: 1,
    attempts: 0,
    dueAtMs: 0,
  },
  ...{ lastNumber: 0, wantedNumber: 0, tookMs: 0 },
  ...{ lastResult: null, ...fields },
});
const letterOf = (webhookId: string, sequenceNumber: number): DeadLetter => ({
  ...{ webhookId, sequenceNumber, attempts: 12, failedAtMs: 5, lastResult: '500' },
  dueAtMs: null,
});

export function registerWebhookContract(kind: Database['kind']): void {
  describe('webhook store', () => registerWebhooks(useDatabase(kind)));
  describe('dead letter store', () => registerLetters(useDatabase(kind)));
}

function registerWebhooks(use: Used): void {
  const add = async (webhook: Webhook): Promise<Webhook> => {
    await use.database.transaction((tx) => insertWebhook(tx, webhook));
    return webhook;
  };
  /** Stores events of an account and wakes the webhooks of its user; the last one's number. */
  async function happen({ number }: Account, count: number): Promise<number> {
    const { partition, epoch } = await ownPartition(use.database);
    const first = (await readLastNumber(use.database)) + 1;
    const events = Array.from({ length: count }, (_, n) =>
      eventOf(number, { startTimeMs: first + n, ordinal: n }),
    );
    await storeEvents(use.database, partition, epoch, events, 0);
    await wakeWebhooks(use.database);
    return readLastNumber(use.database);
  }
  const take = async ({ id }: Webhook): Promise<Claim> => {
    const taken = use.database.transaction((tx) => insertClaims(tx, 'webhook', [id], 'sender'));
    const [claim] = await taken;
    assert.ok(claim);
    return claim;
  };
  const due = async (nowMs: number, ...ids: string[]) =>
    (await listDueWebhooks(use.database, nowMs, MAX_PAUSE_MS, ['key'], ANY))
      .map(({ id }) => id)
      .filter((id) => ids.length === 0 || ids.includes(id))
      .sort();

  it('gives back every field, to its user only', async () => {
    const [userId, other] = [await newUser(use.database), await newUser(use.database)];
    const full = webhookOf(userId, {
      ...{ events: ['profit'], lastNumber: 2 ** 40, attempts: 3, dueAtMs: 4 },
      ...{ lastResult: '500 é', createdAtMs: 2 },
    });
    const first = webhookOf(userId);
    for (const webhook of [first, full]) await add(webhook);
    assert.deepEqual(plainly(await findWebhook(use.database, userId, full.id)), plainly(full));
    assert.equal(await findWebhook(use.database, other, full.id), undefined);
    const listed = await listWebhooks(use.database, userId, 20);
    assert.deepEqual(listed.map(plainly), [first, full].map(plainly));
    assert.deepEqual(await listWebhooks(use.database, other, 20), []);
  });

  it('is due when its user has had events, it is free, and its time has come', async () => {
    const account = await newAccount(use.database);
    const { userId } = account;
    const before = await readLastNumber(use.database);
    const at = (fields: Partial<Webhook>) =>
      add(webhookOf(userId, { lastNumber: before, wantedNumber: before, ...fields }));
    const behind = await at({});
    const waiting = await at({ dueAtMs: 100, attempts: 1 });
    const held = await at({});
    const claim = await take(held);
    const idle = await add(webhookOf(await newUser(use.database)));
    const all = [behind, waiting, held, idle].map(({ id }) => id);
    assert.deepEqual(await due(200, ...all), []);
    const last = await happen(account, 1_200);
    assert.deepEqual(await due(50, ...all), [behind.id]);
    assert.deepEqual(await due(100, ...all), [behind.id, waiting.id].sort());
    await deleteClaim(use.database, claim.fence);
    assert.deepEqual(await due(200, ...all), [behind.id, waiting.id, held.id].sort());
    const few = { ...ANY, limit: 2 };
    assert.equal((await listDueWebhooks(use.database, 200, MAX_PAUSE_MS, ['key'], few)).length, 2);
    for (const each of [behind, held])
      await saveWebhook(use.database, { ...each, lastNumber: last });
    assert.deepEqual(await due(50, ...all), []);
    await happen(account, 1);
    assert.deepEqual(await due(50, ...all), [behind.id, held.id].sort());
  });

  it('that is saved while events happen is due again', async () => {
    const account = await newAccount(use.database);
    const before = await readLastNumber(use.database);
    const webhook = await add(
      webhookOf(account.userId, { lastNumber: before, wantedNumber: before }),
    );
    const seen = await happen(account, 1);
    await happen(account, 1);
    await saveWebhook(use.database, { ...webhook, lastNumber: seen });
    assert.deepEqual(await due(50, webhook.id), [webhook.id]);
  });

  it('that was made while an event was told of is woken by itself', async () => {
    const account = await newAccount(use.database);
    const last = await happen(account, 1);
    const webhook = await add(
      webhookOf(account.userId, { lastNumber: last - 1, wantedNumber: last - 1 }),
    );
    await wakeWebhooks(use.database);
    assert.deepEqual(await due(50, webhook.id), []);
    await use.database.transaction((tx) => wakeWebhook(tx, webhook.id));
    assert.deepEqual(await due(50, webhook.id), [webhook.id]);
  });

  it('is woken at once by what comes after a gap of numbers, as a restored copy has one', async (t) => {
    const account = await newAccount(use.database);
    const before = await readLastNumber(use.database);
    const webhook = await add(
      webhookOf(account.userId, { lastNumber: before, wantedNumber: before }),
    );
    await use.database.run('update event_head set last_number = last_number + 10000000');
    const transaction = t.mock.method(use.database, 'transaction');
    await wakeWebhooks(use.database);
    assert.equal(transaction.mock.callCount(), 1);
    transaction.mock.restore();
    const last = await happen(account, 1);
    assert.equal(last, before + 10_000_001);
    assert.deepEqual(await due(50, webhook.id), [webhook.id]);
  });

  it('is due when a clock that was wrong has put it off too far', async () => {
    const userId = await newUser(use.database);
    const behind = { lastNumber: 1, wantedNumber: 2 };
    const dueAtMs = 50 + MAX_PAUSE_MS + 1;
    const putOff = await add(webhookOf(userId, { ...behind, dueAtMs, attempts: 1 }));
    assert.deepEqual(await due(50, putOff.id), [putOff.id]);
    assert.deepEqual(await due(51, putOff.id), []);
    // It did not fail: it was only served by a clock that ran ahead.
    const served = await add(webhookOf(userId, { ...behind, dueAtMs: 1000 }));
    assert.deepEqual(await due(51, served.id), [served.id]);
  });

  it('is saved with how far it has come', async () => {
    const webhook = await add(webhookOf(await newUser(use.database)));
    const state = { ...webhook, lastNumber: 7, attempts: 1, dueAtMs: 9, lastResult: '500' };
    await saveWebhook(use.database, state);
    const found = await findWebhook(use.database, webhook.userId, webhook.id);
    assert.deepEqual(plainly(found), plainly(state));
    const all = await findWebhooks(use.database, [webhook.id, 'none']);
    assert.deepEqual(all.map(plainly), [plainly(state)]);
  });

  it('goes with its dead letters', async () => {
    const webhook = await add(webhookOf(await newUser(use.database)));
    await writeDeadLetter(use.database, letterOf(webhook.id, 1));
    await use.database.transaction((tx) => deleteWebhookRow(tx, webhook.id));
    assert.equal(await findWebhook(use.database, webhook.userId, webhook.id), undefined);
    assert.deepEqual(await listDeadLetters(use.database, webhook.id, 1e9, 10), []);
  });
}

function registerLetters(use: Used): void {
  const list = (webhookId: string) => listDeadLetters(use.database, webhookId, 1e9, 10);
  const due = (webhookId: string) => listDueDeadLetters(use.database, webhookId, 10);
  const numbers = (letters: readonly DeadLetter[]) =>
    letters.map(({ sequenceNumber }) => sequenceNumber);

  it('are listed newest first from before a number, replaced, deleted and counted', async () => {
    const before = await countDeadLetters(use.database);
    const webhookId = randomUUID();
    for (const number of [3, 1, 2])
      await writeDeadLetter(use.database, letterOf(webhookId, number));
    const again = { ...letterOf(webhookId, 2), attempts: 13, failedAtMs: 6, lastResult: '404' };
    await writeDeadLetter(use.database, again);
    const all = await list(webhookId);
    assert.deepEqual(all, [letterOf(webhookId, 3), again, letterOf(webhookId, 1)]);
    assert.deepEqual(numbers(await listDeadLetters(use.database, webhookId, 3, 1)), [2]);
    assert.equal(await countDeadLetters(use.database), before + 3);
    await deleteDeadLetter(use.database, webhookId, 2);
    assert.deepEqual(numbers(await list(webhookId)), [3, 1]);
  });

  it('are sent again when somebody asks for one or all, and their webhook wakes up', async () => {
    const userId = await newUser(use.database);
    const webhook = webhookOf(userId, { dueAtMs: 10_000, attempts: 4, lastNumber: 2 ** 40 });
    await use.database.transaction((tx) => insertWebhook(tx, webhook));
    for (const number of [1, 2, 3])
      await writeDeadLetter(use.database, letterOf(webhook.id, number));
    const replay = (nowMs: number, number?: number) =>
      use.database.transaction((tx) => replayDeadLetters(tx, webhook.id, nowMs, number));
    assert.deepEqual(await due(webhook.id), []);
    assert.equal(await replay(50, 2), 1);
    assert.deepEqual(numbers(await due(webhook.id)), [2]);
    const awake = await listDueWebhooks(use.database, 50, MAX_PAUSE_MS, ['key'], ANY);
    assert.ok(awake.some(({ id }) => id === webhook.id));
    assert.equal(await replay(60), 3);
    assert.equal(await replay(60, 99), 0);
    assert.deepEqual(numbers(await due(webhook.id)), [1, 2, 3]);
  });
}
