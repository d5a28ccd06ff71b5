import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'node:test';
import type { OutboxStore } from '../../src/mail/outbox.ts';
import type { Database } from '../../src/storage/database.ts';
import {
  countOpenMail,
  createOutboxStore,
  findMail,
  listMail,
  queueMail,
  requeueMail,
} from '../../src/storage/mail-store.ts';
import { useDatabase } from './fixture.ts';

const LEASE_MS = 60_000;

export function registerMailContract(kind: Database['kind']): void {
  describe('mail store', () => {
    const use = useDatabase(kind);
    let store: OutboxStore;
    // Each test has an hour of its own, so that it leases nothing of another's.
    let nowMs = 0;
    before(() => {
      store = createOutboxStore(use.database);
    });

    async function queue(): Promise<string> {
      const id = randomUUID();
      const mail = {
        messageId: `<${id}@example.com>`,
        to: 'trader@example.com',
        subject: 'Quotas',
        text: 'text',
        html: '<p>html</p>',
      };
      await queueMail(use.database, id, mail, nowMs);
      return id;
    }
    const freshHour = async () => {
      nowMs += 3_600_000;
      for (const { id } of await listMail(use.database, 'queued', 1000, 0))
        await store.complete(id, 'sent', nowMs, 'tidied');
    };

    it('a leased mail is hidden until its lease ends, and comes up as the next attempt', async () => {
      await freshHour();
      const id = await queue();
      const [first] = await store.lease(10, nowMs, LEASE_MS);
      assert.equal(first?.id, id);
      assert.equal(first?.attempt, 1);
      assert.equal(first?.messageId, `<${id}@example.com>`);
      assert.deepEqual(await store.lease(10, nowMs + LEASE_MS - 1, LEASE_MS), []);
      const [second] = await store.lease(10, nowMs + LEASE_MS, LEASE_MS);
      assert.equal(second?.attempt, 2);
      assert.equal(second?.queuedMs, nowMs);
    });

    it('many senders at once lease every mail once', async () => {
      await freshHour();
      const ids = await Promise.all(Array.from({ length: 40 }, queue));
      const leased = await Promise.all(
        Array.from({ length: 40 }, () => store.lease(3, nowMs, LEASE_MS)),
      );
      const rest = await store.lease(100, nowMs, LEASE_MS);
      const seen = [...leased.flat(), ...rest].map((mail) => mail.id);
      assert.deepEqual(seen.sort(), ids.sort());
    });

    it('a retried mail comes up when it is due', async () => {
      await freshHour();
      const id = await queue();
      await store.lease(10, nowMs, LEASE_MS);
      await store.retry(id, 1, nowMs + 2_000, '451 later');
      assert.deepEqual(await store.lease(10, nowMs + 1_999, LEASE_MS), []);
      const [mail] = await store.lease(10, nowMs + 2_000, LEASE_MS);
      assert.equal(mail?.attempt, 2);
      assert.equal((await findMail(use.database, id))?.lastResult, '451 later');
    });

    it('an attempt that lost its lease can neither delay nor give up the mail', async () => {
      await freshHour();
      const id = await queue();
      await store.lease(10, nowMs, LEASE_MS);
      await store.lease(10, nowMs + LEASE_MS, LEASE_MS);
      await store.giveUp(id, 1, nowMs, '550 nobody');
      await store.retry(id, 1, nowMs, '451 later');
      const mail = await findMail(use.database, id);
      assert.equal(mail?.state, 'queued');
      assert.equal(mail?.dueAtMs, nowMs + 2 * LEASE_MS);
    });

    it('a sent mail stays sent, whatever comes late', async () => {
      await freshHour();
      const id = await queue();
      await store.lease(10, nowMs, LEASE_MS);
      await store.complete(id, 'sent', nowMs + 1, '250 ok');
      await store.retry(id, 1, nowMs, '451 later');
      await store.giveUp(id, 1, nowMs, '550 nobody');
      await store.complete(id, 'logged', nowMs + 2, 'written');
      const mail = await findMail(use.database, id);
      assert.equal(mail?.state, 'sent');
      assert.equal(mail?.settledAtMs, nowMs + 1);
      assert.equal(mail?.lastResult, '250 ok');
      assert.equal(await requeueMail(use.database, id, nowMs), false);
    });

    it('a mail given up is listed, and queued again with a fresh count', async () => {
      await freshHour();
      const id = await queue();
      await store.lease(10, nowMs, LEASE_MS);
      await store.giveUp(id, 1, nowMs, '550 nobody');
      const failed = await listMail(use.database, 'failed', 1000, 0);
      assert.ok(failed.some((mail) => mail.id === id && mail.lastResult === '550 nobody'));
      assert.equal(await requeueMail(use.database, id, nowMs + 5), true);
      const [again] = await store.lease(10, nowMs + 5, LEASE_MS);
      assert.equal(again?.attempt, 1);
      assert.equal(again?.queuedMs, nowMs + 5);
      assert.equal(again?.messageId, `<${id}@example.com>`);
    });

    it('a logged mail can be queued again', async () => {
      await freshHour();
      const id = await queue();
      await store.lease(10, nowMs, LEASE_MS);
      await store.complete(id, 'logged', nowMs, 'written to the log');
      assert.equal(await requeueMail(use.database, id, nowMs), true);
      assert.equal(await requeueMail(use.database, 'nothing', nowMs), false);
    });

    it('counts mails that wait and those that were given up', async () => {
      await freshHour();
      const before = await countOpenMail(use.database);
      const [first = ''] = [await queue(), await queue()];
      await store.lease(10, nowMs, LEASE_MS);
      await store.giveUp(first, 1, nowMs, '550 nobody');
      const { queued, failed } = await countOpenMail(use.database);
      assert.deepEqual([queued, failed], [before.queued + 1, before.failed + 1]);
    });
  });
}
