import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { needs } from '../../../test/needs.ts';
import { testContext } from '../../../test/servers/test-context.ts';
import { openTestDatabase, type TestDatabase } from '../../../test/servers/test-databases.ts';
import type { Quotas } from '../../domain/quotas/quotas.ts';
import { listMailRows } from '../../storage/mail-store.ts';
import { insertUser } from '../../storage/user-store.ts';
import { listAudit } from '../audit/list-audit.ts';
import type { Context, Principal } from '../context.ts';
import { decideQuotaRequest } from './decide-quota-request.ts';
import { listQuotaRequests } from './list-quota-requests.ts';
import type { QuotaSettings } from './quota-settings.ts';
import { readRegionQuotas, readUserQuotas } from './read-quotas.ts';
import { requestQuotas } from './request-quotas.ts';
import { setQuotas } from './set-quotas.ts';

needs('postgres');

const DEFAULTS: Quotas = {
  maxAccounts: 10,
  maxDeployedG1Accounts: 10,
  maxDeployedG2Accounts: 10,
  maxDeployedCopyAccounts: 10,
  maxDedicatedIpv4: 0,
};
const OLGA = { actor: 'cli:olga', tokenId: null };
const OPERATOR = { actor: 'operator', tokenId: null };
const ALL = { limit: 1000, offset: 0 };

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`quota requests on ${kind}`, () => {
    let opened: TestDatabase;
    before(async () => {
      opened = await openTestDatabase(kind);
    });
    after(() => opened.close());

    /** A separate user, so that no test sees another's. */
    async function setUp(more: Partial<QuotaSettings> = {}) {
      const context: Context & QuotaSettings = {
        ...(await testContext(opened.database)),
        regions: ['main', 'east'],
        quotaDefaults: DEFAULTS,
        quotaPolicy: { approveUpTo: {} },
        mailDomain: 'example.com',
        ...more,
      };
      const userId = randomUUID();
      const email = `${userId}@example.com`;
      await insertUser(opened.database, { id: userId, email, name: null, createdAtMs: 0 });
      const principal: Principal = {
        userId,
        tokenId: 'token',
        scopes: new Set(['read', 'write']),
        accountNumbers: undefined,
      };
      const mails = async () =>
        (await listMailRows(opened.database, undefined, 1000, 0)).filter(({ to }) => to === email);
      const requests = async () =>
        (await listQuotaRequests(context, ALL)).filter((request) => request.userId === userId);
      const audit = () => listAudit(context, { ...ALL, userId });
      return { context, principal, userId, email, mails, requests, audit };
    }

    test('a first request is new, a second one updates it, field by field', async () => {
      const { context, principal, requests } = await setUp();
      const first = await requestQuotas(context, principal, 'main', {
        maxAccounts: 20,
        maxDedicatedIpv4: 1,
        justification: 'a new desk',
      });
      assert.equal(first.created, true);
      const second = await requestQuotas(context, principal, 'main', { maxAccounts: 30 });
      assert.deepEqual(second, { id: first.id, created: false });
      const [request, ...more] = await requests();
      assert.deepEqual(more, []);
      assert.deepEqual(
        request?.current,
        Object.fromEntries(Object.entries(DEFAULTS).map(([name, max]) => [name, { max, used: 0 }])),
        'what it is decided by: what there may be, and what there is',
      );
      assert.deepEqual(request?.requested, { maxAccounts: 30, maxDedicatedIpv4: 1 });
      assert.equal(request?.justification, 'a new desk');
    });

    test('concurrent requests make one', async () => {
      const { context, principal, requests } = await setUp();
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          requestQuotas(context, principal, 'main', { maxAccounts: 20 + n }),
        ),
      );
      assert.equal(answers.filter(({ created }) => created).length, 1);
      assert.equal((await requests()).length, 1);
    });

    test('each region has its own request', async () => {
      const { context, principal, requests } = await setUp();
      await requestQuotas(context, principal, 'main', { maxAccounts: 20 });
      const east = await requestQuotas(context, principal, 'east', { maxAccounts: 20 });
      assert.equal(east.created, true);
      assert.equal((await requests()).length, 2);
    });

    test('an unknown region is a fault, and so is an empty request', async () => {
      const { context, principal } = await setUp();
      await assert.rejects(requestQuotas(context, principal, 'west', { maxAccounts: 1 }), {
        code: 'validation',
        details: [{ parameter: 'region', message: 'must be one of main, east' }],
      });
      await assert.rejects(requestQuotas(context, principal, 'main', { justification: '' }), {
        code: 'validation',
        details: [
          { parameter: 'body', message: 'must name at least one quota or a justification' },
        ],
      });
    });

    test('a justification alone is a request, decided by an operator and answered to its user', async () => {
      const policy = { quotaPolicy: { approveUpTo: { maxAccounts: 1000 } } };
      const { context, principal, requests, mails } = await setUp(policy);
      const justification = '500 traders in March';
      const words = await requestQuotas(context, principal, 'main', { justification });
      assert.equal(words.created, true);
      const [request] = await requests();
      assert.deepEqual(
        [request?.state, request?.requested, request?.justification],
        ['pending', {}, justification],
      );
      await decideQuotaRequest(context, OLGA, words.id, { decision: 'approve' });
      assert.equal((await readRegionQuotas(context, principal, 'main')).maxAccounts, 10);
      assert.equal((await mails())[0]?.subject, 'Your quota request for main was approved');
    });

    test('approval changes the quotas, mails old and new, and is in the audit', async () => {
      const { context, principal, userId, mails, audit } = await setUp();
      const { id = '' } = await requestQuotas(context, principal, 'main', { maxAccounts: 25 });
      const message = 'Welcome <aboard>';
      await decideQuotaRequest(context, OLGA, id, { decision: 'approve', message });
      assert.equal((await readRegionQuotas(context, principal, 'main')).maxAccounts, 25);
      assert.deepEqual(await readRegionQuotas(context, principal, 'east'), DEFAULTS);
      const [mail, ...others] = await mails();
      assert.deepEqual(others, []);
      assert.equal(mail?.subject, 'Your quota request for main was approved');
      assert.match(mail?.text ?? '', /\(maxAccounts\) +10 +25 +25\n/);
      assert.match(mail?.text ?? '', /\n> Welcome <aboard>\n/);
      assert.match(mail?.html ?? '', /Welcome &lt;aboard&gt;/);
      assert.match(mail?.messageId ?? '', /^<[0-9a-f-]{36}@example\.com>$/);
      const entries = await audit();
      const approved = entries.find(({ action }) => action === 'quota.approved');
      assert.equal(approved?.actor, 'cli:olga');
      assert.deepEqual(approved?.details, {
        requestId: id,
        region: 'main',
        requested: { maxAccounts: 25 },
        from: DEFAULTS,
        to: { ...DEFAULTS, maxAccounts: 25 },
        message,
      });
      const asked = entries.find(({ action }) => action === 'quota.requested');
      assert.equal(asked?.actor, `user:${userId}`);
    });

    test('declining leaves the quotas and mails the outcome', async () => {
      const { context, principal, mails } = await setUp();
      const { id = '' } = await requestQuotas(context, principal, 'main', { maxAccounts: 25 });
      await decideQuotaRequest(context, OPERATOR, id, { decision: 'decline' });
      assert.deepEqual(await readRegionQuotas(context, principal, 'main'), DEFAULTS);
      const [mail] = await mails();
      assert.equal(mail?.subject, 'Your quota request for main was declined');
      assert.match(mail?.text ?? '', /\(maxAccounts\) +10 +25 +10\n/);
    });

    test('a second decision is a conflict, also when both come at once', async () => {
      const { context, principal, mails } = await setUp();
      const { id = '' } = await requestQuotas(context, principal, 'main', { maxAccounts: 25 });
      const decisions = (['approve', 'decline', 'approve', 'decline'] as const).map((decision) =>
        decideQuotaRequest(context, OPERATOR, id, { decision }),
      );
      const results = await Promise.allSettled(decisions);
      const refused = results.filter((result) => result.status === 'rejected');
      assert.equal(refused.length, 3);
      assert.ok(refused.every((result) => result.reason.code === 'conflict'));
      assert.equal((await mails()).length, 1);
    });

    test('a decision on a missing request is not found', async () => {
      const { context } = await setUp();
      await assert.rejects(decideQuotaRequest(context, OPERATOR, 'x', { decision: 'approve' }), {
        code: 'notFound',
      });
    });

    test('after a decision the next request is new again', async () => {
      const { context, principal } = await setUp();
      const { id = '' } = await requestQuotas(context, principal, 'main', { maxAccounts: 25 });
      await decideQuotaRequest(context, OPERATOR, id, { decision: 'decline' });
      const next = await requestQuotas(context, principal, 'main', { maxAccounts: 15 });
      assert.equal(next.created, true);
      assert.notEqual(next.id, id);
    });

    test('without its mail, a decision is not made', async () => {
      const { context, principal, requests } = await setUp();
      const { id = '' } = await requestQuotas(context, principal, 'main', { maxAccounts: 25 });
      // The only id of a decision is that of its mail.
      const newId = () => {
        throw new Error('the disk is full');
      };
      const failing = decideQuotaRequest({ ...context, newId }, OPERATOR, id, {
        decision: 'approve',
      });
      await assert.rejects(failing, /the disk is full/);
      assert.equal((await requests())[0]?.state, 'pending');
      assert.deepEqual(await readRegionQuotas(context, principal, 'main'), DEFAULTS);
    });

    test('requests within the policy are approved at once and mailed', async () => {
      const { context, principal, mails, requests } = await setUp({
        quotaPolicy: { approveUpTo: { maxAccounts: 50 } },
      });
      const answer = await requestQuotas(context, principal, 'main', { maxAccounts: 50 });
      assert.equal(answer.created, true);
      assert.equal((await readRegionQuotas(context, principal, 'main')).maxAccounts, 50);
      const [request] = await requests();
      assert.equal(request?.state, 'approved');
      assert.equal(request?.decidedBy, 'policy');
      assert.equal((await mails()).length, 1);
      await requestQuotas(context, principal, 'main', { maxAccounts: 51 });
      assert.equal((await requests()).find((r) => r.id !== request?.id)?.state, 'pending');
      await requestQuotas(context, principal, 'main', { maxAccounts: 49 });
      assert.equal((await readRegionQuotas(context, principal, 'main')).maxAccounts, 49);
    });

    test('the policy decides twenty requests of a user a day, then an operator must', async () => {
      const { context, principal, mails, requests } = await setUp({
        quotaPolicy: { approveUpTo: { maxAccounts: 50 } },
      });
      for (let n = 0; n < 25; n++)
        await requestQuotas(context, principal, 'main', { maxAccounts: 20 + n });
      assert.equal((await mails()).length, 20);
      const pending = (await requests()).filter(({ state }) => state === 'pending');
      assert.deepEqual(
        pending.map(({ requested }) => requested),
        [{ maxAccounts: 44 }],
      );
      const tomorrow = { ...context, now: () => Date.now() + 86_400_000 };
      const next = await requestQuotas(tomorrow, principal, 'main', { maxAccounts: 50 });
      assert.equal(next.created, false);
      assert.equal((await mails()).length, 21);
    });

    test('an operator sets quotas without a request', async () => {
      const { context, principal, userId, audit, mails } = await setUp();
      await setQuotas(context, OPERATOR, userId, 'east', { ...DEFAULTS, maxDedicatedIpv4: 7 });
      const [main, east] = await readUserQuotas(context, principal);
      assert.equal(main?.maxDedicatedIpv4.quota, 0);
      assert.deepEqual(east?.maxDedicatedIpv4, { quota: 7, usageInPercents: 0 });
      assert.equal((await audit())[0]?.action, 'quota.set');
      assert.deepEqual(await mails(), []);
      await assert.rejects(setQuotas(context, OPERATOR, 'nobody', 'east', DEFAULTS), {
        code: 'notFound',
      });
      await assert.rejects(setQuotas(context, OPERATOR, userId, 'west', DEFAULTS), {
        code: 'validation',
      });
    });

    test('a token of some accounts can not request quotas', async () => {
      const { context, principal } = await setUp();
      const narrow = { ...principal, accountNumbers: new Set([1]) };
      await assert.rejects(requestQuotas(context, narrow, 'main', { maxAccounts: 20 }), {
        code: 'forbidden',
      });
    });
  });
}
