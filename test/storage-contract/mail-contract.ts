import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'node:test';
import type { Database } from '../../src/storage/database.ts';
import {
  countOpenMail,
  findMail,
  listMailRows,
  queueMail,
  requeueMail,
} from '../../src/storage/mail-store.ts';
import type { OutboxStore } from '../../src/workers/outbox/outbox.ts';
import { type ClaimedMail, createOutboxStore } from '../../src/workers/outbox/outbox-store.ts';
import { FaultyDatabase } from '../servers/faulty-database.ts';
import { testClaims } from '../servers/test-claims.ts';
import { useDatabase } from './fixture.ts';

export function registerMailContract(kind: Database['kind']): void {
  describe('mail store', () => {
    const use = useDatabase(kind);
    let store: OutboxStore<ClaimedMail>;
    // Each test has a separate hour, so that it takes nothing of another's.
    let nowMs = 0;
    before(() => {
      store = createOutboxStore(use.database, testClaims(use.database));
    });

    async function queue(to?: string): Promise<string> {
      const id = randomUUID();
      const mail = {
        messageId: `<${id}@example.com>`,
        to: to ?? `${id}@example.com`,
        subject: 'Quotas',
        text: 'text',
        html: '<p>html</p>',
      };
      await queueMail(use.database, id, mail, nowMs);
      return id;
    }
    /** Ends the remains of other tests. */
    const freshHour = async () => {
      nowMs += 3_600_000;
      await use.database.run("update mail_outbox set state = 'sent' where state = 'queued'");
    };
    const take = (limit = 10) => store.take(limit, nowMs, []);
    const takeOne = async (): Promise<ClaimedMail> => {
      const [mail] = await take();
      assert.ok(mail);
      return mail;
    };
    /** As when the sending process is declared gone. */
    const loseClaims = () => use.database.run('delete from claim');

    it('a mail is sent by one process, and comes up as the next attempt when that has died', async () => {
      await freshHour();
      const id = await queue();
      const first = await takeOne();
      assert.deepEqual([first.id, first.attempt], [id, 1]);
      assert.equal(first.messageId, `<${id}@example.com>`);
      nowMs += 86_400_000;
      assert.deepEqual(await take(), []);
      await loseClaims();
      const second = await takeOne();
      assert.deepEqual([second.attempt, second.queuedMs], [2, first.queuedMs]);
    });

    it('many senders at once take every mail once', async () => {
      await freshHour();
      const ids = await Promise.all(Array.from({ length: 40 }, () => queue()));
      const taken = await Promise.all(Array.from({ length: 40 }, () => take(3)));
      const rest = await take(100);
      const seen = [...taken.flat(), ...rest].map((mail) => mail.id);
      assert.deepEqual(seen.sort(), ids.sort());
    });

    it('one recipient has two places at a time, and others the rest', async () => {
      await freshHour();
      for (let n = 0; n < 5; n += 1) await queue('slow@example.com');
      const other = await queue();
      const first = await take(4);
      assert.equal(first.filter(({ to }) => to === 'slow@example.com').length, 2);
      assert.ok(first.some(({ id }) => id === other));
      assert.deepEqual(await store.take(1, nowMs, first), []);
    });

    it('a mail that a clock ten days ahead queued, took or deferred waits for no such day', async () => {
      await freshHour();
      const rightMs = nowMs;
      nowMs += 10 * 86_400_000;
      const taken = await queue();
      await takeOne();
      const deferred = await queue();
      await store.retry(await takeOne(), nowMs + 2_000, '451 later');
      const queued = await queue();
      await loseClaims();
      nowMs = rightMs;
      assert.deepEqual((await take()).map(({ id }) => id).sort(), [taken, deferred, queued].sort());
    });

    it('a retried mail comes up when it is due', async () => {
      await freshHour();
      const id = await queue();
      await store.retry(await takeOne(), nowMs + 2_000, '451 later');
      nowMs += 1_999;
      assert.deepEqual(await take(), []);
      nowMs += 1;
      assert.equal((await takeOne()).attempt, 2);
      assert.equal((await findMail(use.database, id))?.lastResult, '451 later');
    });

    it('a sender that was replaced can neither delay nor give up the mail', async () => {
      await freshHour();
      const id = await queue();
      const former = await takeOne();
      await loseClaims();
      await takeOne();
      await store.giveUp(former, nowMs, '550 nobody');
      await store.retry(former, nowMs + 1, '451 later');
      const mail = await findMail(use.database, id);
      assert.deepEqual([mail?.state, mail?.dueAtMs, mail?.lastResult], ['queued', nowMs, null]);
      assert.deepEqual(await take(), [], 'it is still held');
    });

    it('a mail settled while another process was about to take it can be sent again', async () => {
      await freshHour();
      const id = await queue();
      const slow = new FaultyDatabase(use.database);
      let listed = (): Promise<void> | void => {};
      slow.faults.before = ({ sql }) => (sql === 'begin' ? listed() : undefined);
      const claims = testClaims(slow);
      await claims.start();
      listed = async () => {
        listed = () => {};
        await store.giveUp(await takeOne(), nowMs, '550 nobody');
      };
      assert.deepEqual(await createOutboxStore(slow, claims).take(10, nowMs, []), []);
      assert.equal(await requeueMail(use.database, id, nowMs), true);
      assert.equal((await takeOne()).id, id);
    });

    it('a sent mail stays sent, whatever comes late', async () => {
      await freshHour();
      const id = await queue();
      const former = await takeOne();
      await loseClaims();
      const next = await takeOne();
      await store.complete(former, 'sent', nowMs + 1, '250 ok');
      await store.retry(next, nowMs, '451 later');
      await store.giveUp(next, nowMs, '550 nobody');
      await store.complete(next, 'logged', nowMs + 2, 'written');
      const mail = await findMail(use.database, id);
      assert.equal(mail?.state, 'sent');
      assert.equal(mail?.settledAtMs, nowMs + 1);
      assert.equal(mail?.lastResult, '250 ok');
      assert.equal(await requeueMail(use.database, id, nowMs), false);
    });

    it('a mail given up is listed, and queued again with a fresh count', async () => {
      await freshHour();
      const id = await queue();
      await store.giveUp(await takeOne(), nowMs, '550 nobody');
      const failed = await listMailRows(use.database, 'failed', 1000, 0);
      assert.ok(failed.some((mail) => mail.id === id && mail.lastResult === '550 nobody'));
      assert.equal(await requeueMail(use.database, id, nowMs + 5), true);
      nowMs += 5;
      const again = await takeOne();
      assert.equal(again.attempt, 1);
      assert.equal(again.queuedMs, nowMs);
      assert.equal(again.messageId, `<${id}@example.com>`);
    });

    it('a logged mail can be queued again', async () => {
      await freshHour();
      const id = await queue();
      await store.complete(await takeOne(), 'logged', nowMs, 'written to the log');
      assert.equal(await requeueMail(use.database, id, nowMs), true);
      assert.equal(await requeueMail(use.database, 'nothing', nowMs), false);
    });

    it('counts mails that wait and those that were given up', async () => {
      await freshHour();
      const before = await countOpenMail(use.database);
      await queue();
      await queue();
      await store.giveUp(await takeOne(), nowMs, '550 nobody');
      const { queued, failed } = await countOpenMail(use.database);
      assert.deepEqual([queued, failed], [before.queued + 1, before.failed + 1]);
    });
  });
}
