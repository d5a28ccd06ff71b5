import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs } from '../needs.ts';
import {
  type Client,
  newAccount,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';
import { metricsOf } from '../servers/server-metrics.ts';
import { until } from '../servers/until.ts';

needs('server');

const RANGE = '2000-01-01 00:00:00.000/2100-01-01 00:00:00.000';
type Sync = {
  state: string;
  lastReadAt?: string;
  lastError?: string;
  provenAt?: string;
  differences?: { currency?: string; leverage?: number };
};
type Trades = { trades: { closeTime: string; positionId: string }[] };

describe('accounts on the simulated platforms', () => {
  let running: TestServer;
  let user: Client;
  before(async () => {
    running = await startOn('sqlite');
    user = await newUser(running.server.address);
  });
  after(() => running.close());

  for (const [platform, login] of [
    ['p4', '100001'],
    ['p5', '200001'],
  ] as const)
    it(`shows trades, chart and margin of a ${platform} account, and settles`, async () => {
      const profile = await user.post<{ id: string }>('/users/current/provisioning-profiles', {
        ...{ name: 'Simulated', platform, kind: 'simulated' },
      });
      const profileId = profile.body.id;
      const accountId = await newAccount(user, { platform, login, profileId });
      const account = `/users/current/accounts/${accountId}`;
      const path = `${account}/historical-trades/${encodeURI(RANGE)}`;
      const updated = async (): Promise<Trades['trades']> => {
        let trades: Trades['trades'] = [];
        await until(async () => {
          const answer = await user.get<Trades>(`${path}?updateHistory=true`);
          // Never 503, although the reader of the profile begins with the same history.
          assert.ok(answer.status === 200 || answer.status === 202, JSON.stringify(answer.body));
          if (answer.status === 200) trades = answer.body.trades;
          return answer.status === 200;
        });
        return trades;
      };
      const trades = await updated();
      assert.ok(trades.length > 100);
      assert.equal(new Set(trades.map(({ positionId }) => positionId)).size, trades.length);
      for (let times = 0; times < 3; times += 1)
        assert.deepEqual((await updated()).slice(0, trades.length), trades);
      await until(async () => {
        const chart = await user.get<unknown[]>(`${account}/equity-chart?realTime=true`);
        return chart.status === 200 && chart.body.length > 0;
      });
      const order = { symbol: 'EURUSD', type: 'ORDER_TYPE_BUY', volume: 0.1, openPrice: 1.1 };
      const margin = await user.post<{ margin: number }>(`${account}/calculate-margin`, order);
      assert.equal(margin.body.margin, 110);
    });

  it('makes no empty history of an account that was not read yet', async () => {
    const profile = await user.post<{ id: string }>('/users/current/provisioning-profiles', {
      ...{ name: 'Simulated', platform: 'p5', kind: 'simulated' },
    });
    const ask = async (fields: object) => {
      const id = await newAccount(user, { profileId: profile.body.id, ...fields });
      const path = `/users/current/accounts/${id}/historical-trades/${encodeURI(RANGE)}`;
      const answers: Awaited<ReturnType<typeof user.get<Trades>>>[] = [];
      await until(async () => {
        answers.push(await user.get<Trades>(path));
        return answers.at(-1)?.status !== 202;
      });
      return answers.at(-1);
    };
    const known = await ask({ login: '200005' });
    assert.equal(known?.status, 200);
    assert.ok(known.body.trades.length > 0);
    assert.equal((await ask({ login: '999999' }))?.status, 404);
    const paused = await ask({ login: '200006', deployed: false });
    assert.deepEqual([paused?.status, paused?.body], [200, { trades: [] }]);
  });

  it('shows when an account was read, why not, and differences on the platform', async () => {
    const made = await user.post<{ id: string }>('/users/current/provisioning-profiles', {
      ...{ name: 'Simulated', platform: 'p5', kind: 'simulated' },
    });
    const profileId = made.body.id;
    const bind = (fields: object): Promise<string> => newAccount(user, { profileId, ...fields });
    const good = await bind({ login: '200001', currency: 'USD', leverage: 100 });
    const wrong = await bind({ login: '200002', currency: 'EUR', leverage: 7 });
    const unknown = await bind({ login: '999999' });
    const paused = await bind({ login: '200003', deployed: false });
    const free = await newAccount(user);
    const syncOf = async (id: string) =>
      (await user.get<{ sync?: Sync }>(`/users/current/accounts/${id}`)).body.sync;
    await until(async () => (await syncOf(good))?.provenAt !== undefined, 'a compared account');
    const { state, lastReadAt, differences } = (await syncOf(good)) ?? {};
    assert.deepEqual([state, differences], ['working', undefined]);
    assert.ok(Math.abs(Date.now() - Date.parse(lastReadAt ?? '')) < 3_600_000);
    await until(async () => (await syncOf(wrong))?.differences !== undefined, 'differences');
    const differing = (await syncOf(wrong))?.differences;
    assert.deepEqual(differing, { currency: 'USD', leverage: 100 });
    const metrics = await metricsOf(running.server.address);
    assert.match(metrics, /^plimsoll_sync_differing_accounts 1$/m);
    await until(async () => (await syncOf(unknown))?.state === 'failing', 'a failing account');
    assert.match((await syncOf(unknown))?.lastError ?? '', /^Login 999999 was not found/);
    assert.deepEqual(await syncOf(paused), { state: 'paused' });
    assert.equal(await syncOf(free), undefined);
    // The user agrees with the platform in everything that can be changed.
    await user.call('PATCH', `/users/current/accounts/${wrong}`, { leverage: 100 });
    assert.deepEqual((await syncOf(wrong))?.differences, { currency: 'USD' });
    const list = await user.get<{ id: string; sync?: Sync }[]>('/users/current/accounts');
    assert.equal(list.body.find(({ id }) => id === wrong)?.sync?.differences?.currency, 'USD');
  });

  it('binds accounts to profiles of their own user and family only', async () => {
    const p4 = await user.post<{ id: string }>('/users/current/provisioning-profiles', {
      ...{ name: 'Simulated', platform: 'p4', kind: 'simulated' },
    });
    const stranger = await newUser(running.server.address);
    const create = (client: Client, platform: string, profileId: string) =>
      client.post('/users/current/accounts', {
        ...{ name: 'x', platform, login: '100001', broker: 'b', currency: 'USD', leverage: 100 },
        profileId,
      });
    assert.equal((await create(user, 'p5', p4.body.id)).status, 400);
    assert.equal((await create(stranger, 'p4', p4.body.id)).status, 400);
    assert.equal((await create(user, 'p4', 'nowhere')).status, 400);
    const unbound = await newAccount(user, { platform: 'p4', login: '100002' });
    const path = `/users/current/accounts/${unbound}`;
    assert.equal((await user.call('PATCH', path, { profileId: 'nowhere' })).status, 400);
    assert.equal((await user.call('PATCH', path, { profileId: p4.body.id })).status, 200);
    const profile = `/users/current/provisioning-profiles/${p4.body.id}`;
    const refused = await user.call<{ message: string }>('DELETE', profile);
    assert.equal(refused.status, 409);
    assert.match(refused.body.message, /^1 account is read through this profile/);
    assert.equal((await user.call('DELETE', `${profile}?force=true`)).status, 204);
    const after = await user.get<{ profileId?: string }>(path);
    assert.equal(after.body.profileId, undefined);
  });

  it('keeps operations on the platform of a profile from all others', async () => {
    const stranger = await newUser(running.server.address);
    const profileOf = async (client: Client): Promise<string> => {
      const fields = { name: 'Simulated', platform: 'p5', kind: 'simulated' };
      const path = '/users/current/provisioning-profiles';
      const made = await client.post<{ id: string }>(path, fields);
      return `/users/current/p5/provisioning-profiles/${made.body.id}`;
    };
    const [own, other, strange] = [
      await profileOf(user),
      await profileOf(user),
      await profileOf(stranger),
    ];
    const fields = { email: 'ada@example.com', group: 'demo\\usd', leverage: 100 };
    const opened = await user.post<{ login: string }>(`${own}/accounts`, fields);
    const { login } = opened.body;
    assert.equal((await user.get(`${own}/accounts/${login}`)).status, 200);
    assert.equal((await user.get(`${other}/accounts/${login}`)).status, 404);
    assert.equal((await stranger.get(`${strange}/accounts/${login}`)).status, 404);
    for (const [client, base] of [
      [user, other],
      [stranger, strange],
    ] as const)
      for (const seeded of [200001, 200020])
        assert.equal((await client.get(`${base}/accounts/${seeded}`)).status, 200);
  });

  it('stops accounts that trade: disabled and closed, they stay unchanged', async () => {
    const profile = await user.post<{ id: string }>('/users/current/provisioning-profiles', {
      ...{ name: 'Simulated', platform: 'p5', kind: 'simulated' },
      allowedActions: ['disableTrading', 'closePositions'],
    });
    const base = `/users/current/p5/provisioning-profiles/${profile.body.id}/accounts`;
    for (let login = 200001; login <= 200020; login += 1) {
      const account = `${base}/${login}`;
      const disabled = await user.call('PATCH', account, { tradingEnabled: false });
      assert.equal(disabled.status, 200);
      const open = await user.get<{ positionId: string }[]>(`${account}/positions`);
      const closed = await user.post<{ closed: string[] }>(`${account}/close-positions`, {
        cancelPendingOrders: true,
      });
      const ids = open.body.map(({ positionId }) => positionId);
      // Others met their stop or their target since.
      for (const id of closed.body.closed) assert.ok(ids.includes(id), `${login}: ${id}`);
      assert.deepEqual((await user.get(`${account}/positions`)).body, []);
      const { body } = await user.get<{ balance: number; equity: number; margin: number }>(
        `${account}/account-information`,
      );
      assert.deepEqual([body.equity, body.margin], [body.balance, 0]);
    }
  });
});

it('a user has up to 20 simulated platforms, and none if the operator forbids them', async () => {
  const profile = { name: 'Simulated', platform: 'p5', kind: 'simulated' };
  const path = '/users/current/provisioning-profiles';
  await using stack = new AsyncDisposableStack();
  const open = await startOn('sqlite');
  stack.defer(() => open.close());
  const user = await newUser(open.server.address);
  for (let n = 0; n < 20; n += 1) assert.equal((await user.post(path, profile)).status, 201);
  const refused = await user.post<{ message: string }>(path, profile);
  assert.equal(refused.status, 409);
  assert.match(refused.body.message, /limit of 20 simulated platforms/);
  const closed = await startOn('sqlite', { PLIMSOLL_SIMULATED_PLATFORMS: 'off' });
  stack.defer(() => closed.close());
  const other = await newUser(closed.server.address);
  const forbidden = await other.post<{ error: string; message: string }>(path, profile);
  assert.equal(forbidden.status, 403);
  assert.match(forbidden.body.message, /PLIMSOLL_SIMULATED_PLATFORMS/);
});
