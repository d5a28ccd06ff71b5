import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { needs, testedOn } from '../needs.ts';
import { assertAuditFits } from '../servers/audit-fits.ts';
import { type P4BridgeProcess, startP4Bridge } from '../servers/p4-bridge-server-process.ts';
import { P5_MANAGER, type P5ServerProcess, startP5Server } from '../servers/p5-server-process.ts';
import { openOnPlatform } from '../servers/platform-openings.ts';
import {
  ADMIN_TOKEN,
  Client,
  newUser,
  startOn,
  startPlimsoll,
  type TestServer,
} from '../servers/plimsoll-process.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { until } from '../servers/until.ts';

needs('postgres', 'server', 'openssl');

type ErrorBody = { error: string; message: string; details?: unknown };
type Settings = { enabled: boolean; tradingEnabled: boolean; group: string; leverage: number };
type Closed = { closed: string[]; cancelled: string[]; failed: object[] };
type Information = { balance: number; credit: number; tradeAllowed: boolean };
type AuditEntry = { action: string; details: Record<string, unknown> };

const ALL_ACTIONS = [
  ...['disableTrading', 'enableTrading', 'moveToGroup', 'changeLeverage', 'setPassword'],
  ...['balanceOperation', 'closePositions'],
];
const PROFILES = '/users/current/provisioning-profiles';

const keyed = (key: string = crypto.randomUUID()) => ({ 'idempotency-key': key });

/** A platform of the tests, as a broker's back office sees it. */
type World = {
  platform: 'p4' | 'p5';
  profile: object;
  group: string;
  otherGroup: string;
  groupOfOtherCurrency: string;
  open(login: number): Promise<unknown>;
  place(login: number): Promise<unknown>;
  /** The effect is there, and no answer comes. */
  loseAnswer(of: 'balance' | 'change' | 'close'): Promise<unknown>;
  end(): Promise<void>;
};

async function p5World(): Promise<World> {
  const p5 = await startP5Server({ tls: true });
  const commands = {
    balance: '/api/trade/balance',
    change: '/api/user/update',
    close: '/api/dealer/send_request',
  };
  return {
    platform: 'p5',
    profile: { kind: 'p5-web-api', server: p5.url, ...P5_MANAGER, tlsFingerprint: p5.fingerprint },
    ...{ group: 'demo\\usd', otherGroup: 'real\\50% off/ünï cødé' },
    groupOfOtherCurrency: 'demo\\eur',
    open: (login) => p5.control('/open', { login, symbol: 'EURUSD', lots: 0.1 }),
    place: (login) =>
      p5.control('/place', { login, symbol: 'EURUSD', type: 2, lots: 0.1, price: 0.5 }),
    loseAnswer: (of) => p5.control('/fault', { kind: 'lose', command: commands[of] }),
    end: () => p5.remove(),
  };
}

async function p4World(): Promise<World> {
  const bridge: P4BridgeProcess = await startP4Bridge();
  const trade = { symbol: 'EURUSD', side: 1, lots: 0.1 } as const;
  return {
    platform: 'p4',
    profile: { kind: 'p4-bridge', server: bridge.url, password: 'bridge-token' },
    ...{ group: 'demo-usd', otherGroup: 'vip-zürich', groupOfOtherCurrency: 'demo-eur' },
    open: (login) =>
      bridge.control({ do: 'operate', operation: { kind: 'open', login, ...trade } }),
    place: (login) =>
      bridge.control({
        do: 'operate',
        operation: { kind: 'place', login, ...trade, price: 0.5, waitsFor: 'limit' },
      }),
    loseAnswer: () => bridge.setFault({ kind: 'lostAnswer', times: 1 }),
    end: () => bridge.kill(),
  };
}

async function simulatedWorld(): Promise<World> {
  const nothing = async (): Promise<void> => undefined;
  return {
    ...{ platform: 'p5', profile: { kind: 'simulated' } },
    ...{ group: 'demo\\usd', otherGroup: 'real\\pro/plus usd', groupOfOtherCurrency: 'demo\\eur' },
    ...{ open: nothing, place: nothing, loseAnswer: nothing, end: nothing },
  };
}

for (const [name, kind, start] of [
  ['a p5 platform', 'postgres', p5World],
  ['a p4 platform behind a bridge', 'sqlite', p4World],
  ['a simulated platform', 'sqlite', simulatedWorld],
] as const)
  describe(`actions of users on ${name}`, () => {
    let running: TestServer;
    let world: World;
    let user: Client & { userId: string };
    let base: string;
    before(async () => {
      world = await start();
      running = await startOn(kind, { PLIMSOLL_SECRET_KEY: randomBytes(32).toString('base64') });
      user = await newUser(running.server.address);
      const { platform, profile } = world;
      const made = await user.post<{ id: string }>(PROFILES, {
        ...{ name: 'Desk', platform, allowedActions: ALL_ACTIONS, ...profile },
      });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      base = `/users/current/${platform}/provisioning-profiles/${made.body.id}`;
    });
    after(async () => {
      await running.close();
      await world.end();
    });

    const newLogin = async (deposit = 10_000): Promise<number> => {
      const login = Number(await openOnPlatform(user, `${base}/accounts`, world.group));
      if (deposit > 0) assert.equal((await move(login, { amount: deposit })).status, 201);
      return login;
    };
    const move = (login: number, body: object, key?: string) =>
      user.post<{ dealId: string } & ErrorBody>(
        `${base}/accounts/${login}/balance-operations`,
        body,
        keyed(key),
      );
    const change = <T = Settings>(login: number, body: object, headers = {}) =>
      user.call<T>('PATCH', `${base}/accounts/${login}`, body, headers);
    const close = (login: number, body: object = {}, headers = {}) =>
      user.post<Closed>(`${base}/accounts/${login}/close-positions`, body, headers);
    const read = async <T>(login: number, what: string): Promise<T> => {
      const answer = await user.get<T>(`${base}/accounts/${login}/${what}`);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body;
    };
    const positions = (login: number) => read<{ positionId: string }[]>(login, 'positions');
    const balance = async (login: number): Promise<number> =>
      (await read<Information>(login, 'account-information')).balance;

    it('groups come with their currencies', async () => {
      const groups = await user.get<{ name: string; currency: string }[]>(`${base}/groups`);
      assert.equal(groups.status, 200);
      const found = groups.body.find(({ name }) => name === world.otherGroup);
      assert.deepEqual(found, { name: world.otherGroup, currency: 'USD' });
    });

    it('settings are changed as requested, read back, and nothing else', async () => {
      const login = await newLogin();
      const off = await change(login, { tradingEnabled: false });
      const settings = { enabled: true, tradingEnabled: false, group: world.group, leverage: 100 };
      assert.deepEqual([off.status, off.body], [200, settings]);
      assert.equal((await read<Information>(login, 'account-information')).tradeAllowed, false);
      const moved = await change(login, { group: world.otherGroup, leverage: 50, enabled: false });
      const after = { ...settings, group: world.otherGroup, leverage: 50, enabled: false };
      assert.deepEqual(moved.body, after);
      assert.deepEqual(await read<Settings>(login, 'settings'), after);
      const on = await change(login, { tradingEnabled: true, enabled: true });
      assert.deepEqual(on.body, { ...after, tradingEnabled: true, enabled: true });
    });

    it("refuses nonsense as the caller's fault", async () => {
      const login = await newLogin();
      const refused: [object, number][] = [
        [{}, 400],
        [{ group: 'nowhere' }, 400],
        [{ group: world.groupOfOtherCurrency }, 400],
        [{ leverage: 0 }, 400],
        [{ leverage: 9_999 }, 400],
        [{ colour: 'red' }, 400],
      ];
      for (const [body, status] of refused)
        assert.equal((await change(login, body)).status, status, JSON.stringify(body));
      for (const body of [{ amount: 0 }, { amount: 0.001 }, { amount: -1e8 }, { amount: 1e10 }, {}])
        assert.equal((await move(login, body)).status, 400, JSON.stringify(body));
      const unkeyed = await user.post(`${base}/accounts/${login}/balance-operations`, {
        amount: 1,
      });
      assert.equal(unkeyed.status, 400);
      assert.equal((await close(login, { positionIds: ['x'] })).status, 400);
      const path = `${base}/accounts/${login}/password`;
      assert.equal((await user.post(path, { kind: 'main', password: 'short' })).status, 400);
      assert.equal(await balance(login), 10_000);
    });

    it('answers 404 for logins that the platform does not have', async () => {
      const nobody = `${base}/accounts/1`;
      for (const what of ['settings', 'positions', 'pending-orders'])
        assert.equal((await user.get(`${nobody}/${what}`)).status, 404, what);
      const answers = [
        await change(1, { enabled: false }),
        await move(1, { amount: 1 }),
        await close(1),
        await user.post(`${nobody}/password`, { kind: 'main' }),
      ];
      assert.deepEqual(
        answers.map(({ status }) => status),
        [404, 404, 404, 404],
      );
    });

    it('money moves once for each key, however often it is sent', async () => {
      const login = await newLogin(0);
      const key = crypto.randomUUID();
      const first = await move(login, { amount: 250.75, comment: 'Payout 7' }, key);
      assert.equal(first.status, 201, JSON.stringify(first.body));
      const again = await move(login, { amount: 250.75, comment: 'Payout 7' }, key);
      assert.deepEqual([again.status, again.body], [201, first.body]);
      assert.equal((await move(login, { amount: 250 }, key)).status, 409);
      const other = await newLogin(0);
      assert.equal((await move(other, { amount: 250.75, comment: 'Payout 7' }, key)).status, 409);
      assert.equal((await move(login, { amount: -50 })).status, 201);
      assert.equal((await move(login, { amount: 30, type: 'DEAL_TYPE_CREDIT' })).status, 201);
      const { balance: left, credit } = await read<Information>(login, 'account-information');
      assert.deepEqual([left, credit], [200.75, 30]);
    });

    it('money moves once for a key sent many times at once', async () => {
      const login = await newLogin(0);
      const key = crypto.randomUUID();
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => move(login, { amount: 5 }, key)),
      );
      const deals = new Set(
        answers.flatMap(({ status, body }) => (status === 201 ? body.dealId : [])),
      );
      assert.equal(deals.size, 1);
      assert.ok(answers.every(({ status }) => status === 201 || status === 503));
      assert.equal(await balance(login), 5);
    });

    it('passwords are set, shown once if generated, and nowhere else', async () => {
      const login = await newLogin(0);
      const path = `${base}/accounts/${login}/password`;
      const made = await user.post<{ kind: string; password: string }>(path, { kind: 'investor' });
      assert.equal(made.status, 200);
      assert.match(made.body.password, /^\S{8,16}$/);
      const given = await user.post(path, { kind: 'main', password: 'Chosen-Passw0rd' });
      assert.deepEqual([given.status, given.body], [200, { kind: 'main' }]);
      const told = running.server.log() + JSON.stringify(await audited());
      for (const secret of [made.body.password, 'Chosen-Passw0rd'])
        assert.ok(!told.includes(secret));
    });

    const audited = async (): Promise<AuditEntry[]> => {
      const operator = new Client(running.server.address, ADMIN_TOKEN);
      return (await operator.get<AuditEntry[]>(`/admin/audit?userId=${user.userId}`)).body;
    };

    it('is told by the audit as the schemas of its actions say', () =>
      assertAuditFits(new Client(running.server.address, ADMIN_TOKEN)));

    it('intentions are audited before, outcomes afterwards', async () => {
      const login = await newLogin(0);
      await change(login, { tradingEnabled: false });
      await change(login, { leverage: 9_999 });
      await move(login, { amount: 77 });
      const entries = (await audited()).filter(({ details }) => details.login === String(login));
      assert.deepEqual(entries.map(({ action }) => action).sort(), [
        'platform.balance-operation.done',
        'platform.balance-operation.started',
        'platform.change-account.done',
        'platform.change-account.failed',
        'platform.change-account.started',
        'platform.change-account.started',
        'platform.open-account.done',
      ]);
      const moved = (word: string) =>
        entries.find(({ action }) => action === `platform.balance-operation.${word}`)?.details;
      assert.equal(moved('started')?.amount, 77);
      assert.equal(moved('started')?.requestId, moved('done')?.requestId);
      assert.equal(typeof moved('done')?.dealId, 'string');
    });

    it('positions are closed and orders cancelled; the others are reported', async () => {
      const login = await newLogin();
      for (let index = 0; index < 3; index += 1) await world.open(login);
      await world.place(login);
      const open = (await positions(login)).map(({ positionId }) => positionId);
      const orders = await read<{ orderId: string }[]>(login, 'pending-orders');
      const [first = '1'] = open;
      const one = await close(login, { positionIds: [first] });
      assert.deepEqual(one.body, { closed: [first], cancelled: [], failed: [] });
      const rest = await close(login, { cancelPendingOrders: true });
      const cancelled = orders.map(({ orderId }) => orderId);
      assert.deepEqual(
        [rest.status, rest.body],
        [...[200, { closed: open.slice(1), cancelled, failed: [] }]],
      );
      assert.deepEqual(await positions(login), []);
      assert.deepEqual(await read(login, 'pending-orders'), []);
    });

    it('lost answers do no harm', async () => {
      const login = await newLogin();
      await world.loseAnswer('balance');
      const key = crypto.randomUUID();
      await until(async () => (await move(login, { amount: 1 }, key)).status === 201);
      assert.equal(await balance(login), 10_001);
      await world.open(login);
      await world.loseAnswer('change');
      await until(async () => (await change(login, { tradingEnabled: false })).status === 200);
      await world.loseAnswer('close');
      await until(async () => (await close(login)).status === 200);
      assert.deepEqual(await positions(login), []);
      assert.equal((await read<Settings>(login, 'settings')).tradingEnabled, false);
    });
  });

describe('the rights of a profile', () => {
  let running: TestServer;
  let p5: P5ServerProcess;
  let user: Client & { userId: string };
  let profileId: string;
  before(async () => {
    p5 = await startP5Server({ tls: true });
    running = await startOn('sqlite', { PLIMSOLL_SECRET_KEY: randomBytes(32).toString('base64') });
    user = await newUser(running.server.address);
    const made = await user.post<{ id: string }>(PROFILES, {
      ...{ name: 'Desk', platform: 'p5', kind: 'p5-web-api', server: p5.url, ...P5_MANAGER },
      tlsFingerprint: p5.fingerprint,
    });
    profileId = made.body.id;
  });
  after(async () => {
    await running.close();
    await p5.remove();
  });
  const base = () => `/users/current/p5/provisioning-profiles/${profileId}`;
  const opened = (): Promise<string> => openOnPlatform(user, `${base()}/accounts`, 'demo\\usd');
  const act = async (client: Client): Promise<Record<string, number>> => {
    const account = `${base()}/accounts/${await opened()}`;
    const patch = (body: object) => client.call('PATCH', account, body);
    return {
      disable: (await patch({ enabled: false })).status,
      disableTrading: (await patch({ tradingEnabled: false })).status,
      enable: (await patch({ tradingEnabled: true, enabled: true })).status,
      move: (await patch({ group: 'demo\\usd' })).status,
      leverage: (await patch({ leverage: 50 })).status,
      password: (await client.post(`${account}/password`, { kind: 'main' })).status,
      money: (await client.post(`${account}/balance-operations`, { amount: 9 }, keyed())).status,
      close: (await client.post(`${account}/close-positions`, {})).status,
    };
  };
  const patch = <T = ErrorBody>(body: object) =>
    user.call<T>('PATCH', `${PROFILES}/${profileId}`, body);
  const [no, yes] = [403, 200];
  const NOTHING = {
    ...{ disable: no, disableTrading: no, enable: no, move: no, leverage: no, password: no },
    ...{ money: no, close: no },
  };

  it('allow nothing, until its owner changes them with its password', async () => {
    assert.deepEqual(await act(user), NOTHING);
    const allow = ['disableTrading', 'closePositions'];
    assert.equal((await patch({ allow })).status, 400);
    assert.equal((await patch({ allow, password: 'Wrong!99' })).status, 403);
    assert.deepEqual(await act(user), NOTHING);
    const granted = await patch({ allow, ...P5_MANAGER });
    assert.equal(granted.status, 400, 'the login of a profile can not be changed');
    const { password } = P5_MANAGER;
    const { body } = await patch<{ allowedActions: string[] }>({ allow, password });
    assert.deepEqual(body.allowedActions, allow);
    const half = { ...NOTHING, disable: yes, disableTrading: yes, close: yes };
    assert.deepEqual(await act(user), half);
    // To take it back takes no password.
    assert.equal((await patch({ forbid: ['disableTrading'] })).status, 200);
    assert.deepEqual(await act(user), { ...NOTHING, close: yes });
    const all = await patch({ allow: ALL_ACTIONS, password });
    assert.equal(all.status, 200);
    const everything = Object.fromEntries(Object.keys(NOTHING).map((name) => [name, yes]));
    assert.deepEqual(await act(user), { ...everything, money: 201 });
  });

  it('are allowed and forbidden one by one, leaving the rest', async () => {
    const { password } = P5_MANAGER;
    type Rights = { allowedActions: string[] };
    const rest = ALL_ACTIONS.filter((each) => !['closePositions', 'setPassword'].includes(each));
    await patch({ forbid: rest });
    assert.equal((await patch({ allow: ['balanceOperation'] })).status, 400, 'no password');
    const allowed = await patch<Rights>({ allow: ['balanceOperation', 'setPassword'], password });
    assert.deepEqual(allowed.body.allowedActions, [
      ...['closePositions', 'setPassword', 'balanceOperation'],
    ]);
    const forbidden = await patch<Rights>({ allow: ['setPassword'], forbid: ['closePositions'] });
    assert.deepEqual(forbidden.body.allowedActions, ['setPassword', 'balanceOperation']);
    const twice = { allow: ['setPassword'], forbid: ['setPassword'] };
    assert.equal((await patch(twice)).status, 400, 'both at once');
    await patch({ allow: ALL_ACTIONS, password });
  });

  it('give nothing to tokens of some accounts and to read-only tokens', async () => {
    const admin = new Client(running.server.address, ADMIN_TOKEN);
    const token = async (fields: object): Promise<Client> => {
      const path = `/admin/users/${user.userId}/tokens`;
      const made = await admin.post<{ token: string }>(path, fields);
      return new Client(running.server.address, made.body.token);
    };
    assert.deepEqual(await act(await token({ accountIds: ['x'] })), NOTHING);
    assert.deepEqual(await act(await token({ scopes: ['read', 'ingest'] })), NOTHING);
  });

  it('change with a new password at once, and no longer with the old one', async () => {
    assert.equal((await patch({ newPassword: 'Another!99' })).status, 200);
    const refused = await user.get<ErrorBody>(`${base()}/groups`);
    assert.equal(refused.status, 503);
    const { password } = P5_MANAGER;
    const stale = await patch({ allow: [...ALL_ACTIONS].reverse(), password });
    assert.equal(stale.status, 200, 'nothing further is allowed');
    assert.equal((await patch({ newPassword: password })).status, 200);
    assert.equal((await user.get(`${base()}/groups`)).status, 200);
    assert.doesNotMatch(running.server.log(), /Another!99/);
  });
});

for (const kind of testedOn())
  describe(`moving money through crashes, with ${kind}`, () => {
    it('has one effect for each key, wherever the process dies', async () => {
      const p5 = await startP5Server({ tls: true });
      const database = await openTestDatabase(kind);
      const environment = {
        ...database.environment,
        PLIMSOLL_SECRET_KEY: randomBytes(32).toString('base64'),
      };
      let plimsoll = await startPlimsoll(environment);
      const user = await newUser(plimsoll.address);
      const profile = await user.post<{ id: string }>(PROFILES, {
        ...{ name: 'Desk', platform: 'p5', kind: 'p5-web-api', server: p5.url, ...P5_MANAGER },
        ...{ tlsFingerprint: p5.fingerprint, allowedActions: ['balanceOperation'] },
      });
      const base = `/users/current/p5/provisioning-profiles/${profile.body.id}`;
      const login = await openOnPlatform(user, `${base}/accounts`, 'demo\\usd');
      const path = `${base}/accounts/${login}/balance-operations`;
      const keys: string[] = [];
      // It dies before the operation is sent, with it on its way, and with its answer on its way.
      for (const [fault, command] of [
        ['hang', '/api/deal/get_batch'],
        ['hang', '/api/trade/balance'],
        ['silent', '/api/trade/balance'],
      ] as const) {
        const key = crypto.randomUUID();
        keys.push(key);
        const { requests } = (await p5.control('/seen')) as { requests: string[] };
        await p5.control('/fault', { kind: fault, command });
        const sent = new Client(plimsoll.address, user.token).post(
          path,
          { amount: 100 },
          keyed(key),
        );
        sent.catch(() => undefined);
        await until(async () => {
          const seen = (await p5.control('/seen')) as { requests: string[] };
          return seen.requests.slice(requests.length).some((line) => line.includes(command));
        });
        await plimsoll.kill();
        await p5.control('/faults/clear');
        plimsoll = await startPlimsoll(environment);
        const early = await new Client(plimsoll.address, user.token).post(
          path,
          { amount: 100 },
          keyed(key),
        );
        assert.equal(early.status, 503, 'the first one may still take effect');
      }
      // As if the requests of the dead processes had become old.
      await database.database.transaction((tx) =>
        tx.run('update platform_operation set under_way_until_ms = 0'),
      );
      const client = new Client(plimsoll.address, user.token);
      const deals: string[] = [];
      for (const key of [...keys, ...keys]) {
        const { status, body } = await client.post<{ dealId: string }>(
          path,
          { amount: 100 },
          keyed(key),
        );
        assert.equal(status, 201, JSON.stringify(body));
        deals.push(body.dealId);
      }
      assert.deepEqual(deals.slice(keys.length), deals.slice(0, keys.length));
      const { body } = await client.get<Information>(
        path.replace('balance-operations', 'account-information'),
      );
      assert.equal(body.balance, 300);
      assert.equal(await plimsoll.stop(), 0);
      await database.close();
      await p5.remove();
    });
  });
