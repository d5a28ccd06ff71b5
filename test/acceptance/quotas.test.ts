import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs, testedOn } from '../needs.ts';
import {
  ADMIN_TOKEN,
  Client,
  newAccount,
  newUser,
  retry,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';

needs('postgres', 'server');

type Fault = { parameter: string; message: string };
type ErrorBody<D = Fault[]> = { error: string; message: string; details?: D };
type Entry = { quota: number; usageInPercents: number };
type UserQuotas = Record<string, Entry> & { region: string };
type QuotaRequest = {
  id: string;
  userId: string;
  state: string;
  requested: object;
  justification?: string;
};

const NAMES = [
  'maxAccounts',
  'maxDeployedG1Accounts',
  'maxDeployedG2Accounts',
  'maxDeployedCopyAccounts',
  'maxDedicatedIpv4',
];
const TEN = Object.fromEntries(NAMES.map((name) => [name, 10]));

for (const kind of testedOn()) {
  describe(`quotas on ${kind}`, () => {
    let running: TestServer;
    let admin: Client;
    const address = (): string => running.server.address;
    before(async () => {
      running = await startOn(kind, {
        PLIMSOLL_REGIONS: 'main,east',
        PLIMSOLL_QUOTAS: 'maxAccounts=100,maxDeployedG1Accounts=50',
        PLIMSOLL_QUOTA_CEILINGS: 'maxDedicatedIpv4=5',
      });
      admin = new Client(address(), ADMIN_TOKEN);
    });
    after(() => running.close());

    const quotasOf = async (user: Client, region = 'main'): Promise<UserQuotas> => {
      const answer = await user.get<UserQuotas[]>('/users/current/quotas');
      assert.equal(answer.status, 200);
      const found = answer.body.find((item) => item.region === region);
      assert.ok(found);
      return found;
    };
    const setQuotas = async (user: { userId: string }, quotas: object): Promise<void> => {
      const path = `/admin/users/${user.userId}/regions/main/quotas`;
      assert.equal((await admin.call('PUT', path, { ...TEN, ...quotas })).status, 204);
    };
    const patch = (user: Client, body: unknown, region = 'main') =>
      user.call<ErrorBody & { id: string }>(
        'PATCH',
        `/users/current/regions/${region}/quotas`,
        body,
      );
    const requestsOf = async (user: { userId: string }): Promise<QuotaRequest[]> => {
      const answer = await admin.get<QuotaRequest[]>('/admin/quota-requests');
      return answer.body.filter((request) => request.userId === user.userId);
    };

    it('reads every region with its five quotas and no more', async () => {
      const user = await newUser(address());
      const answer = await user.get<UserQuotas[]>('/users/current/quotas');
      assert.deepEqual(
        answer.body.map((item) => item.region),
        ['main', 'east'],
      );
      for (const item of answer.body)
        assert.deepEqual(Object.keys(item).sort(), [...NAMES, 'region'].sort());
      assert.deepEqual(answer.body[0]?.maxAccounts, { quota: 100, usageInPercents: 0 });
      assert.deepEqual((await user.get('/users/current/regions')).body, ['main', 'east']);
    });

    it('reads the plain maxima of a region; an unknown one is 404', async () => {
      const user = await newUser(address());
      await setQuotas(user, { maxAccounts: 3 });
      const plain = await user.get('/users/current/regions/main/quotas');
      assert.deepEqual(plain.body, { ...TEN, maxAccounts: 3 });
      assert.equal((await user.get('/users/current/regions/west/quotas')).status, 404);
    });

    it('counts usage from the accounts that exist, right at once', async () => {
      const user = await newUser(address());
      await setQuotas(user, { maxDedicatedIpv4: 4 });
      const usage = async () => {
        const quotas = await quotasOf(user);
        return NAMES.map((name) => quotas[name]?.usageInPercents);
      };
      const first = await newAccount(user, { tier: 'g2', copy: true, dedicatedIpv4: true });
      assert.deepEqual(await usage(), [10, 0, 10, 10, 25]);
      await user.call('PATCH', `/users/current/accounts/${first}`, { tier: 'g1' });
      assert.deepEqual(await usage(), [10, 10, 0, 10, 25]);
      await user.call('PATCH', `/users/current/accounts/${first}`, { deployed: false });
      assert.deepEqual(await usage(), [10, 0, 0, 0, 25]);
      await user.call('DELETE', `/users/current/accounts/${first}`);
      assert.deepEqual(await usage(), [0, 0, 0, 0, 0]);
      assert.equal((await quotasOf(user, 'east')).maxAccounts?.usageInPercents, 0);
    });

    it('lets two hundred concurrent creations make exactly ten accounts', async () => {
      const user = await newUser(address());
      await setQuotas(user, {});
      const attempts = Array.from({ length: 200 }, (_, n) =>
        retry(() =>
          user.post<ErrorBody<unknown>>('/users/current/accounts', {
            name: `Account ${n}`,
            platform: 'p5',
            login: String(1000 + n),
            broker: 'Test broker',
            currency: 'USD',
            leverage: 100,
          }),
        ),
      );
      const answers = await Promise.all(attempts);
      assert.equal(answers.filter(({ status }) => status === 201).length, 10);
      const refused = answers.filter(({ status }) => status === 403);
      assert.equal(refused.length, 190);
      assert.deepEqual(refused[0]?.body.details, [
        { quota: 'maxAccounts', max: 10, used: 10 },
        { quota: 'maxDeployedG1Accounts', max: 10, used: 10 },
      ]);
      assert.match(refused[0]?.body.message ?? '', /maxAccounts/);
      const accounts = await user.get<unknown[]>('/users/current/accounts');
      assert.equal(accounts.body.length, 10);
      assert.equal((await quotasOf(user)).maxAccounts?.usageInPercents, 100);
    });

    it('lets concurrent deployments take exactly the places left', async () => {
      const user = await newUser(address());
      await setQuotas(user, { maxDeployedG1Accounts: 3 });
      const ids = await Promise.all(
        Array.from({ length: 9 }, () => newAccount(user, { deployed: false })),
      );
      const deploy = (id: string) =>
        retry(() => user.call('PATCH', `/users/current/accounts/${id}`, { deployed: true }));
      const answers = await Promise.all(ids.map(deploy));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [
        ...Array(3).fill(200),
        ...Array(6).fill(403),
      ]);
    });

    it('keeps accounts beyond a lowered quota, and lets them be changed and deleted', async () => {
      const user = await newUser(address());
      const [one, two] = [await newAccount(user), await newAccount(user)];
      await setQuotas(user, { maxAccounts: 1, maxDeployedG1Accounts: 0 });
      assert.equal((await quotasOf(user)).maxAccounts?.usageInPercents, 200);
      assert.equal((await quotasOf(user)).maxDeployedG1Accounts?.usageInPercents, 100);
      const renamed = await user.call('PATCH', `/users/current/accounts/${one}`, { name: 'x' });
      assert.equal(renamed.status, 200);
      assert.equal((await user.call('DELETE', `/users/current/accounts/${two}`)).status, 204);
    });

    it('answers 201 with an id to a first request and 204 without a body to the next', async () => {
      const user = await newUser(address());
      const first = await patch(user, { maxAccounts: 150, justification: 'a new\ndesk' });
      assert.equal(first.status, 201);
      const second = await patch(user, { maxDeployedG2Accounts: 70 });
      assert.equal(second.status, 204);
      assert.equal(second.body, undefined);
      const [request, ...more] = await requestsOf(user);
      assert.deepEqual(more, []);
      assert.equal(request?.id, first.body.id);
      assert.deepEqual(request?.requested, { maxAccounts: 150, maxDeployedG2Accounts: 70 });
      assert.equal((await quotasOf(user)).maxAccounts?.quota, 100);
    });

    it('makes one request of fifty concurrent ones', async () => {
      const user = await newUser(address());
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) => retry(() => patch(user, { maxAccounts: 200 + n }))),
      );
      assert.equal(answers.filter(({ status }) => status === 201).length, 1);
      assert.equal(answers.filter(({ status }) => status === 204).length, 49);
      assert.equal((await requestsOf(user)).length, 1);
    });

    it('names every fault of a request', async () => {
      const user = await newUser(address());
      const answer = await patch(user, {
        maxAccounts: -1,
        maxDeployedG1Accounts: 1.5,
        maxDeployedG2Accounts: 1e12,
        maxDeployedCopyAccounts: '7',
        maxDedicatedIpv4: null,
        maxWishes: 3,
        justification: 'x'.repeat(2001),
      });
      assert.equal(answer.status, 400);
      assert.equal(answer.body.error, 'ValidationError');
      const named = new Set(answer.body.details?.map((fault) => fault.parameter));
      assert.deepEqual(named, new Set([...NAMES, 'maxWishes', 'justification']));
      const both = await patch(user, { maxAccounts: -1 }, 'west');
      assert.deepEqual(both.body.details?.map((fault) => fault.parameter).sort(), [
        'maxAccounts',
        'region',
      ]);
      assert.equal((await patch(user, { maxAccounts: 1_000_001 })).status, 400);
      assert.equal((await patch(user, { maxAccounts: 1_000_000 })).status, 201);
    });

    it('refuses an unknown region, a body that is no object, and an empty request', async () => {
      const user = await newUser(address());
      const region = await patch(user, { maxAccounts: 5 }, 'west');
      assert.equal(region.status, 400);
      assert.equal(region.body.details?.[0]?.parameter, 'region');
      for (const body of [[], null, {}, undefined, { justification: '' }])
        assert.equal((await patch(user, body)).status, 400, JSON.stringify(body));
      assert.deepEqual(await requestsOf(user), []);
      assert.equal((await patch(user, { justification: 'please' })).status, 201);
      assert.equal((await requestsOf(user))[0]?.justification, 'please');
      assert.equal((await patch(user, { justification: 'please do' })).status, 204);
    });

    it("approves requests within the settings' ceilings at once", async () => {
      const user = await newUser(address());
      await setQuotas(user, { maxDedicatedIpv4: 1 });
      assert.equal((await patch(user, { maxDedicatedIpv4: 5 })).status, 201);
      assert.equal((await quotasOf(user)).maxDedicatedIpv4?.quota, 5);
      assert.equal((await requestsOf(user))[0]?.state, 'approved');
    });

    it('decides once: the quotas change, a second decision is 409', async () => {
      const user = await newUser(address());
      const { id } = (await patch(user, { maxAccounts: 150 })).body;
      const path = `/admin/quota-requests/${id}/decision`;
      const decision = await admin.post(path, { decision: 'approve', message: 'Well deserved' });
      assert.equal(decision.status, 204);
      assert.equal((await quotasOf(user)).maxAccounts?.quota, 150);
      assert.equal((await admin.post(path, { decision: 'decline' })).status, 409);
      const unknown = '/admin/quota-requests/nothing/decision';
      assert.equal((await admin.post(unknown, { decision: 'approve' })).status, 404);
      assert.equal((await admin.post(path, { decision: 'perhaps' })).status, 400);
      const pending = await admin.get<QuotaRequest[]>('/admin/quota-requests?state=pending');
      assert.ok(!pending.body.some((request) => request.id === id));
    });

    it('records who requested, who decided, when, and from what to what', async () => {
      const user = await newUser(address());
      const { id } = (await patch(user, { maxAccounts: 150 })).body;
      await admin.post(`/admin/quota-requests/${id}/decision`, { decision: 'decline' });
      type AuditEntry = { at: string; actor: string; action: string; details: { from: object } };
      const audit = await admin.get<AuditEntry[]>(`/admin/audit?userId=${user.userId}`);
      assert.deepEqual(
        audit.body.map(({ actor, action }) => [actor, action]),
        [
          ['operator', 'quota.declined'],
          [`user:${user.userId}`, 'quota.requested'],
          ['operator', 'token.created'],
          ['operator', 'user.created'],
        ],
      );
      assert.deepEqual(Object.keys(audit.body[0]?.details.from ?? {}).sort(), [...NAMES].sort());
      assert.match(audit.body[0]?.at ?? '', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    });

    it('keeps the mail of a decision, logged for lack of a mail server', async () => {
      const user = await newUser(address());
      const { id } = (await patch(user, { maxAccounts: 150 })).body;
      await admin.post(`/admin/quota-requests/${id}/decision`, { decision: 'approve' });
      type Mail = { id: string; to: string; state: string; text: string };
      const users = await admin.get<{ id: string; email: string }[]>('/admin/users');
      const email = users.body.find((found) => found.id === user.userId)?.email;
      const mails = await admin.get<Mail[]>('/admin/mail');
      const mail = mails.body.find(({ to }) => to === email);
      assert.match(mail?.text ?? '', /\(maxAccounts\) +100 +150 +150\n/);
      assert.match(running.server.log(), /SMTP_URL is not set/);
    });

    it('keeps users from quotas of others and from the operator’s calls', async () => {
      const user = await newUser(address());
      for (const path of ['/admin/quota-requests', '/admin/audit', '/admin/mail'])
        assert.equal((await user.get(path)).status, 403, path);
      assert.equal((await new Client(address(), 'x').get('/users/current/quotas')).status, 401);
      const path = `/admin/users/${user.userId}/regions/main/quotas`;
      assert.equal((await user.call('PUT', path, TEN)).status, 403);
      const { maxAccounts: _, ...four } = TEN;
      assert.equal((await admin.call('PUT', path, four)).status, 400);
    });
  });
}
