import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { needs, testedOn } from '../needs.ts';
import { startP4Bridge } from '../servers/p4-bridge-server-process.ts';
import { P5_MANAGER, type P5ServerProcess, startP5Server } from '../servers/p5-server-process.ts';
import { openOnPlatform } from '../servers/platform-openings.ts';
import {
  ADMIN_TOKEN,
  Client,
  newAccount,
  newUser,
  type PlimsollProcess,
  startOn,
  startPlimsoll,
  type TestServer,
} from '../servers/plimsoll-process.ts';
import { openTestDatabase, type TestDatabase } from '../servers/test-databases.ts';
import { until } from '../servers/until.ts';

needs('postgres', 'server', 'openssl');

type Listed = {
  id: number;
  action: string;
  state: string;
  attempts: number;
  message?: string;
  resetAt?: string;
  trackerId: string;
};
type Settings = { tradingEnabled: boolean; group: string };
type Bound = { login: number; accountId: string };
type Incidents = {
  incidents: {
    actions: { id: number; action: string; state: string; trackerName?: string }[];
    entries: { kind: string; words?: string }[];
  }[];
};

const ALLOWED = [
  ...['actAtBreach', 'disableTrading', 'closePositions', 'moveToGroup', 'enableTrading'],
];
const MAY_ACT = { scopes: ['read', 'write', 'ingest', 'actions'] };
const PROFILES = '/users/current/provisioning-profiles';
const ACTIONS = '/users/current/breach-actions';
const SWITCH = '/admin/breach-actions/switch';
const UPDATE = '/api/user/update';
const OTHER_GROUP = 'real\\50% off/ünï cødé';

for (const kind of testedOn()) {
  describe(`actions at the breach, with ${kind}`, () => {
    let database: TestDatabase;
    let environment: Record<string, string>;
    let plimsoll: PlimsollProcess;
    let p5: P5ServerProcess;
    let user: Client & { userId: string };
    let operator: Client;
    let profileId: string;

    const connect = (token: string | undefined): Client => new Client(plimsoll.address, token);
    before(async () => {
      p5 = await startP5Server({ tls: true });
      database = await openTestDatabase(kind);
      const secretKey = randomBytes(32).toString('base64');
      environment = { ...database.environment, PLIMSOLL_SECRET_KEY: secretKey };
      plimsoll = await startPlimsoll(environment);
      user = await newUser(plimsoll.address, MAY_ACT);
      operator = connect(ADMIN_TOKEN);
      const made = await user.post<{ id: string }>(PROFILES, {
        ...{ name: 'Desk', platform: 'p5', kind: 'p5-web-api', server: p5.url },
        ...{ ...P5_MANAGER, tlsFingerprint: p5.fingerprint, allowedActions: ALLOWED },
      });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      profileId = made.body.id;
    });
    after(async () => {
      await plimsoll.stop();
      await database.close();
      await p5.remove();
    });

    const bind = async (): Promise<Bound> => {
      const accounts = `/users/current/p5/provisioning-profiles/${profileId}/accounts`;
      const login = Number(await openOnPlatform(user, accounts, 'demo\\usd'));
      await p5.control('/deposit', { login, amount: 1000 });
      return { login, accountId: await newAccount(user, { login: String(login), profileId }) };
    };
    const track = (
      accountId: string,
      actions: object[],
      limit: object = { baseline: 'startEquity' },
    ) =>
      user.post<{ id: string }>(`/users/current/accounts/${accountId}/trackers`, {
        ...{ name: 'loss', period: 'lifetime', absoluteDrawdownThreshold: 50, actions, ...limit },
      });
    const equityIs = (accountId: string, equity: number): Promise<void> =>
      until(async () => {
        const path = `/users/current/accounts/${accountId}/equity-chart?realTime=true`;
        const hours = await user.asOfNow<{ lastEquity: number }[]>(path);
        return hours.at(-1)?.lastEquity === equity;
      }, `an equity of ${equity}`);
    const breakLimit = async ({ login }: Bound): Promise<void> => {
      await quote(1.1);
      await p5.control('/open', { login, symbol: 'EURUSD', side: 'buy', lots: 0.1 });
      await quote(1.09);
    };
    const quote = (bid: number): Promise<unknown> =>
      p5.control('/quote', { symbol: 'EURUSD', bid, ask: bid });
    /** An account whose tracker has these actions, and whose limit was then broken. */
    const broken = async (...actions: object[]): Promise<Bound> => {
      const bound = await bind();
      await equityIs(bound.accountId, 1000);
      const made = await track(bound.accountId, actions);
      assert.equal(made.status, 201, JSON.stringify(made.body));
      await breakLimit(bound);
      return bound;
    };
    const listed = async (accountId: string): Promise<Listed[]> => {
      const { status, body } = await user.get<Listed[]>(`${ACTIONS}?accountId=${accountId}`);
      assert.equal(status, 200, JSON.stringify(body));
      return body.reverse();
    };
    const stateIs = async (accountId: string, state: string): Promise<Listed[]> => {
      let found: Listed[] = [];
      await until(
        async () => {
          found = await listed(accountId);
          return found.length > 0 && found.every((each) => each.state === state);
        },
        `the state ${state} (${JSON.stringify(found)})`,
      );
      return found;
    };
    const change = (rights: { allow?: string[]; forbid?: string[] }) =>
      user.call('PATCH', `${PROFILES}/${profileId}`, {
        ...{ ...rights, password: P5_MANAGER.password },
      });
    const read = async <T>(login: number, what: string): Promise<T> => {
      const base = `/users/current/p5/provisioning-profiles/${profileId}/accounts/${login}`;
      return (await user.get<T>(`${base}/${what}`)).body;
    };
    const settings = (login: number) => read<Settings>(login, 'settings');
    const updates = async (): Promise<number> => {
      const { requests } = (await p5.control('/seen')) as { requests: string[] };
      return requests.filter((line) => line.includes(UPDATE)).length;
    };
    const audited = async (accountId: string): Promise<string[]> => {
      const path = `/admin/audit?userId=${user.userId}&limit=1000`;
      const { body } = await operator.get<{ action: string; accountId?: string }[]>(path);
      return body.filter((entry) => entry.accountId === accountId).map(({ action }) => action);
    };

    it('are done on the platform, confirmed by it, audited and shown in the incident', async () => {
      const { login, accountId } = await broken(
        { action: 'disableTrading' },
        { action: 'closePositions' },
        { action: 'moveToGroup', group: OTHER_GROUP },
      );
      const done = await stateIs(accountId, 'done');
      assert.deepEqual(
        done.map(({ action }) => action),
        [...['disableTrading', 'closePositions', 'moveToGroup']],
      );
      const { tradingEnabled, group } = await settings(login);
      assert.deepEqual({ tradingEnabled, group }, { tradingEnabled: false, group: OTHER_GROUP });
      assert.deepEqual(await read(login, 'positions'), []);
      const ended = (await audited(accountId)).filter((one) => one === 'breach-action.done');
      assert.equal(ended.length, 3);
      const path = `/users/current/incidents?accountId=${accountId}`;
      const { incidents } = (await user.get<Incidents>(path)).body;
      const told = incidents[0]?.entries.map(({ words }) => words ?? '') ?? [];
      assert.match(told[0] ?? '', /^disableTrading: Trading is disabled, confirmed \d+ ms after/);
      assert.deepEqual(
        incidents[0]?.actions.map(({ id, state, trackerName }) => ({ id, state, trackerName })),
        done.map(({ id, state }) => ({ id, state, trackerName: 'loss' })),
      );
      const isMeasured = async (): Promise<boolean> => {
        const { body } = await user.get<string>('/metrics');
        return /plimsoll_breach_action_seconds_count [1-9]/.test(body);
      };
      await until(isMeasured, 'the time of an action in the metrics');
    });

    it('wait for the next reset, by the clock of their limit', async () => {
      const bound = await bind();
      await equityIs(bound.accountId, 1000);
      const resetMs = Math.ceil((Date.now() + 2 * 3_600_000) / 60_000) * 60_000;
      const time = new Date(resetMs).toISOString().slice(11, 16);
      const actions = [
        { action: 'disableTrading' },
        { action: 'enableTrading', moment: 'reset', confirm: 'person' },
      ];
      const limit = { period: 'date', resetClock: { zone: 'UTC', time }, baseline: 'startEquity' };
      assert.equal((await track(bound.accountId, actions, limit)).status, 201);
      await breakLimit(bound);
      await until(async () => {
        const [first] = await listed(bound.accountId);
        return first?.state === 'done';
      }, 'that trading is disabled');
      const [, second] = await listed(bound.accountId);
      assert.deepEqual(
        [second?.state, second?.resetAt],
        ['waiting', new Date(resetMs).toISOString()],
      );
      const lifetime = await track(bound.accountId, [actions[1] ?? {}]);
      assert.match(JSON.stringify(lifetime.body), /must not be reset: a lifetime has none/);
    });

    it('at a warning last until the next reset, which no longer ban then hinders', async () => {
      const bound = await bind();
      await equityIs(bound.accountId, 1000);
      const resetMs = Math.ceil((Date.now() + 2 * 3_600_000) / 60_000) * 60_000;
      const time = new Date(resetMs).toISOString().slice(11, 16);
      const limit = { period: 'date', resetClock: { zone: 'UTC', time }, baseline: 'startEquity' };
      const near = { absoluteDrawdownThreshold: 150, warnAt: 0.5 };
      const actions = [{ action: 'disableTrading', moment: 'warning' }];
      assert.equal((await track(bound.accountId, actions, { ...limit, ...near })).status, 201);
      await breakLimit(bound);
      const [warned] = await stateIs(bound.accountId, 'done');
      const row = await database.database.get<{ period_end_ms: number | null }>(
        'select period_end_ms from breach_action where id = $1',
        [warned?.id ?? 0],
      );
      assert.equal(row?.period_end_ms, resetMs);
    });

    it('have one effect when the answer of the platform is lost', async () => {
      const bound = await bind();
      await equityIs(bound.accountId, 1000);
      await track(bound.accountId, [{ action: 'disableTrading' }]);
      const before = await updates();
      await p5.control('/fault', { kind: 'lose', command: UPDATE, times: 2 });
      await breakLimit(bound);
      const [action] = await stateIs(bound.accountId, 'done');
      assert.equal((await settings(bound.login)).tradingEnabled, false);
      // The gateway itself sends the same record twice; the second attempt only looks.
      assert.ok((await updates()) <= before + 2);
      assert.ok((action?.attempts ?? 0) >= 2);
      await p5.control('/faults/clear');
    });

    it('change nothing in a dry run', async () => {
      const before = await updates();
      const { login, accountId } = await broken(
        { action: 'disableTrading', dryRun: true },
        { action: 'closePositions', dryRun: true },
      );
      const found = await stateIs(accountId, 'dry-run');
      assert.match(found[0]?.message ?? '', /disableTrading would be done/);
      assert.equal((await settings(login)).tradingEnabled, true);
      assert.equal((await read<object[]>(login, 'positions')).length, 1);
      assert.equal(await updates(), before);
    });

    it('are escalated if the profile lost the right, and done once it has it again', async () => {
      const bound = await bind();
      await equityIs(bound.accountId, 1000);
      await track(bound.accountId, [{ action: 'disableTrading' }]);
      const withdrawn = await change({ forbid: ['disableTrading'] });
      assert.ok(withdrawn.status < 300, JSON.stringify(withdrawn.body));
      await breakLimit(bound);
      const [found] = await stateIs(bound.accountId, 'escalated');
      assert.match(found?.message ?? '', /does not allow disableTrading: add it/);
      assert.equal((await settings(bound.login)).tradingEnabled, true);
      await change({ allow: ALLOWED });
      const retried = await user.post(`${ACTIONS}/retry`, { ids: [found?.id] });
      assert.deepEqual(retried.body, { retried: 1 });
      await stateIs(bound.accountId, 'done');
      assert.equal((await settings(bound.login)).tradingEnabled, false);
    });

    it('wait while the switch is off, and continue when it is on', async () => {
      const flip = (enabled: boolean) => operator.call('PUT', SWITCH, { enabled });
      assert.equal((await flip(false)).status, 204);
      const { login, accountId } = await broken({ action: 'disableTrading' });
      await stateIs(accountId, 'waiting');
      const path = `/users/current/incidents?accountId=${accountId}`;
      await until(async () => (await user.get<Incidents>(path)).body.incidents.length === 1);
      assert.deepEqual(
        (await listed(accountId)).map(({ state, attempts }) => ({ state, attempts })),
        [{ state: 'waiting', attempts: 0 }],
      );
      assert.equal((await settings(login)).tradingEnabled, true);
      assert.equal((await flip(true)).status, 204);
      await stateIs(accountId, 'done');
      assert.equal((await settings(login)).tradingEnabled, false);
    });

    it('that wait end with their account, in the audit with its login', async () => {
      await operator.call('PUT', SWITCH, { enabled: false });
      const { login, accountId } = await broken({ action: 'disableTrading' });
      const [waiting] = await stateIs(accountId, 'waiting');
      assert.equal((await user.call('DELETE', `/users/current/accounts/${accountId}`)).status, 204);
      await operator.call('PUT', SWITCH, { enabled: true });
      type Entry = { action: string; accountId?: string; details: object };
      const audit = `/admin/audit?userId=${user.userId}&limit=1000`;
      const { body } = await operator.get<Entry[]>(audit);
      const stopped = body.find(
        (entry) => entry.accountId === accountId && entry.action === 'breach-action.stopped',
      );
      assert.deepEqual(stopped?.details, {
        ...{ breachActionId: waiting?.id, login: String(login), action: 'disableTrading' },
        trackerId: waiting?.trackerId,
        ...{ attempts: 0, message: 'The account was deleted before this was done' },
      });
      assert.equal((await settings(login)).tradingEnabled, true);
    });

    const restart = async (): Promise<void> => {
      await plimsoll.kill();
      plimsoll = await startPlimsoll(environment);
      user = Object.assign(connect(user.token), { userId: user.userId });
      operator = connect(ADMIN_TOKEN);
    };
    const isDoneOnce = async ({ login, accountId }: Bound): Promise<Listed | undefined> => {
      const [action] = await stateIs(accountId, 'done');
      assert.equal((await settings(login)).tradingEnabled, false);
      const ended = (await audited(accountId)).filter((one) => one.startsWith('breach-'));
      assert.deepEqual(ended, ['breach-action.done']);
      return action;
    };

    it('are done once when the process is killed while the platform is asked', async () => {
      const bound = await bind();
      await equityIs(bound.accountId, 1000);
      await track(bound.accountId, [{ action: 'disableTrading' }]);
      const before = await updates();
      await p5.control('/fault', { kind: 'hang', command: UPDATE });
      await breakLimit(bound);
      await until(async () => (await updates()) > before, 'the request to the platform');
      await restart();
      const action = await isDoneOnce(bound);
      assert.ok((action?.attempts ?? 0) >= 2);
      await p5.control('/faults/clear');
    });

    it('are done once when the process is killed after the platform did it', async () => {
      const bound = await bind();
      await equityIs(bound.accountId, 1000);
      await track(bound.accountId, [{ action: 'disableTrading' }]);
      const rights = async (): Promise<unknown> => {
        const { users } = (await p5.control('/state')) as { users: Record<string, unknown>[] };
        return users.find(({ Login }) => Number(Login) === bound.login)?.Rights;
      };
      const [before, sent] = [await rights(), await updates()];
      await p5.control('/fault', { kind: 'lose', command: UPDATE, times: 2 });
      await breakLimit(bound);
      await until(async () => (await rights()) !== before, 'the effect');
      await restart();
      await isDoneOnce(bound);
      assert.ok((await updates()) <= sent + 2);
      await p5.control('/faults/clear');
    });

    it('need a token and a profile with the named right', async () => {
      const { accountId } = await bind();
      const tokenOf = async (fields: object): Promise<Client> => {
        const path = `/admin/users/${user.userId}/tokens`;
        return connect((await operator.post<{ token: string }>(path, fields)).body.token);
      };
      const path = `/users/current/accounts/${accountId}/trackers`;
      const tracker = (name: string, action: object) => ({
        ...{ name, period: 'date', absoluteDrawdownThreshold: 1, actions: [action] },
      });
      const real = tracker('x', { action: 'disableTrading' });
      const limited = await tokenOf({ ...MAY_ACT, accountIds: [accountId] });
      assert.equal((await limited.post(path, real)).status, 403);
      const usual = await tokenOf({});
      const refused = await usual.post<{ message: string }>(path, real);
      assert.equal(refused.status, 403);
      assert.match(refused.body.message, /lacks the scope "actions".*ask for a token that has it/);
      const dry = tracker('y', { action: 'disableTrading', dryRun: true });
      assert.equal((await usual.post(path, dry)).status, 201);
      await change({ forbid: ['actAtBreach'] });
      const closed = await user.post<{ message: string }>(path, real);
      await change({ allow: ALLOWED });
      assert.equal(closed.status, 403);
      assert.match(closed.body.message, /does not allow actAtBreach: add it/);
      assert.equal((await user.post(path, real)).status, 201);
    });

    it('are escalated if the profile no longer acts at breaches', async () => {
      const bound = await bind();
      await equityIs(bound.accountId, 1000);
      await track(bound.accountId, [{ action: 'disableTrading' }]);
      await change({ forbid: ['actAtBreach'] });
      await breakLimit(bound);
      const [found] = await stateIs(bound.accountId, 'escalated');
      await change({ allow: ALLOWED });
      assert.match(found?.message ?? '', /does not allow actAtBreach: add it/);
      assert.equal((await settings(bound.login)).tradingEnabled, true);
    });

    /** Enrols an account in a program of one limit, 50 of 1000, with these fields. */
    const enrol = async (accountId: string, fields: object, by = user) => {
      const rule = { kind: 'maximumLoss', amount: 50, trails: 'equity', ...fields };
      const phases = [{ name: 'Phase', rules: [rule], objectives: [] }];
      const program = await by.post<{ id: string }>('/users/current/programs', {
        ...{ name: 'Program', phases },
      });
      if (program.status !== 201) return program;
      return by.post<{ id: string }>(`/users/current/accounts/${accountId}/enrolments`, {
        ...{ programId: program.body.id, initialBalance: 1000 },
      });
    };

    it('answer a limit of a program like one of a tracker', async () => {
      const bound = await bind();
      await equityIs(bound.accountId, 1000);
      const actions = [{ action: 'disableTrading' }, { action: 'closePositions' }];
      const enrolled = await enrol(bound.accountId, { actions });
      assert.equal(enrolled.status, 201, JSON.stringify(enrolled.body));
      await breakLimit(bound);
      const done = await stateIs(bound.accountId, 'done');
      assert.equal(done.length, 2);
      assert.equal((await settings(bound.login)).tradingEnabled, false);
      assert.deepEqual(await read(bound.login, 'positions'), []);
    });

    it('of a program end with the withdrawal of the enrolment', async () => {
      const bound = await bind();
      await equityIs(bound.accountId, 1000);
      const actions = [{ action: 'disableTrading' }];
      const enrolled = await enrol(bound.accountId, { actions, onBreach: 'record' });
      await operator.call('PUT', SWITCH, { enabled: false });
      await breakLimit(bound);
      await stateIs(bound.accountId, 'waiting');
      const path = `/users/current/accounts/${bound.accountId}/enrolments/${enrolled.body.id}`;
      const ended = await user.call('PUT', path, { state: 'withdrawn' });
      assert.equal(ended.status, 204, JSON.stringify(ended.body));
      await operator.call('PUT', SWITCH, { enabled: true });
      const [stopped] = await stateIs(bound.accountId, 'stopped');
      assert.match(stopped?.message ?? '', /enrolment withdrawn/);
      assert.equal((await settings(bound.login)).tradingEnabled, true);
    });

    it('of a program need the same rights as those of a tracker', async () => {
      const { accountId } = await bind();
      const actions = [{ action: 'disableTrading' }];
      const made = await operator.post<{ token: string }>(`/admin/users/${user.userId}/tokens`, {});
      const usual = Object.assign(connect(made.body.token), { userId: user.userId });
      assert.equal((await enrol(accountId, { actions }, usual)).status, 403);
      await change({ forbid: ALLOWED });
      const closed = await enrol(accountId, { actions });
      await change({ allow: ALLOWED });
      assert.equal(closed.status, 403, JSON.stringify(closed.body));
      const unbound = await newAccount(user, { login: '78' });
      assert.equal((await enrol(unbound, { actions })).status, 400);
      assert.equal((await enrol(accountId, { actions: [...actions, ...actions] })).status, 400);
    });

    it('are refused where they make no sense', async () => {
      const { accountId } = await bind();
      const action = [{ action: 'disableTrading' }];
      const path = `/users/current/accounts/${accountId}/trackers`;
      const unbound = await newAccount(user, { login: '77' });
      assert.equal((await track(unbound, action)).status, 400);
      const noLimit = { name: 'y', period: 'date', absoluteProfitThreshold: 1, actions: action };
      assert.equal((await user.post(path, noLimit)).status, 400);
      assert.equal((await track(accountId, [{ action: 'moveToGroup' }])).status, 400);
      assert.equal((await track(accountId, [...action, ...action])).status, 400);
      await change({ forbid: ALLOWED });
      const refused = await track(accountId, action);
      await change({ allow: ALLOWED });
      assert.equal(refused.status, 403, JSON.stringify(refused.body));
    });
  });
}

describe('actions at the breach on simulated platforms', () => {
  let running: TestServer;
  let user: Client & { userId: string };
  before(async () => {
    running = await startOn('sqlite');
    user = await newUser(running.server.address, MAY_ACT);
  });
  after(() => running.close());

  for (const [platform, login, group] of [
    ['p4', 100001, 'real/pro usd'],
    ['p5', 200001, 'real\\pro/plus usd'],
  ] as const)
    it(`take effect on a ${platform} account`, async () => {
      const made = await user.post<{ id: string }>(PROFILES, {
        ...{ name: 'Simulated', platform, kind: 'simulated' },
        allowedActions: ['actAtBreach', 'disableTrading', 'moveToGroup', 'balanceOperation'],
      });
      const account = { platform, login: String(login), profileId: made.body.id };
      const accountId = await newAccount(user, account);
      const chart = `/users/current/accounts/${accountId}/equity-chart?realTime=true`;
      await until(async () => (await user.get<unknown[]>(chart)).body.length > 0, 'an equity');
      const tracker = await user.post(`/users/current/accounts/${accountId}/trackers`, {
        ...{ name: 'loss', period: 'lifetime', absoluteDrawdownThreshold: 500 },
        // So that money paid out counts as a loss, whether the market is open or not.
        ...{ baseline: 'startEquity', adjustDeals: ['DEAL_TYPE_CREDIT'] },
        actions: [{ action: 'disableTrading' }, { action: 'moveToGroup', group }],
      });
      assert.equal(tracker.status, 201, JSON.stringify(tracker.body));
      const statistics = `/users/current/accounts/${accountId}/trackers/${
        (tracker.body as { id: string }).id
      }/statistics?realTime=true`;
      await until(async () => (await user.get<unknown[]>(statistics)).body.length > 0, 'a period');
      const place = `/users/current/${platform}/provisioning-profiles/${made.body.id}/accounts/${login}`;
      const key = { 'idempotency-key': crypto.randomUUID() };
      const paid = await user.post(`${place}/balance-operations`, { amount: -1000 }, key);
      assert.equal(paid.status, 201, JSON.stringify(paid.body));
      await until(async () => {
        const { body } = await user.get<Listed[]>(`${ACTIONS}?accountId=${accountId}&state=done`);
        return body.length === 2;
      }, 'both actions');
      const { body } = await user.get<Settings>(`${place}/settings`);
      assert.equal(body.tradingEnabled, false);
      assert.equal(body.group, group);
    });
});

it('take effect on a p4 platform behind a bridge', async () => {
  const bridge = await startP4Bridge(['--moving']);
  const running = await startOn('sqlite', {
    PLIMSOLL_SECRET_KEY: randomBytes(32).toString('base64'),
  });
  const user = await newUser(running.server.address, MAY_ACT);
  const made = await user.post<{ id: string }>(PROFILES, {
    ...{ name: 'Desk', platform: 'p4', kind: 'p4-bridge', server: bridge.url },
    ...{ password: 'bridge-token', allowedActions: [...ALLOWED, 'balanceOperation'] },
  });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const accounts = `/users/current/p4/provisioning-profiles/${made.body.id}/accounts`;
  const login = await openOnPlatform(user, accounts, 'demo-usd');
  const pay = (amount: number) =>
    user.post(
      `${accounts}/${login}/balance-operations`,
      { amount },
      {
        'idempotency-key': crypto.randomUUID(),
      },
    );
  assert.equal((await pay(10_000)).status, 201);
  const accountId = await newAccount(user, { platform: 'p4', login, profileId: made.body.id });
  const account = `/users/current/accounts/${accountId}`;
  await until(async () => {
    const chart = `${account}/equity-chart?realTime=true`;
    const hours = await user.asOfNow<{ lastEquity: number }[]>(chart);
    return hours.at(-1)?.lastEquity === 10_000;
  }, 'the deposit');
  const tracker = await user.post<{ id: string }>(`${account}/trackers`, {
    ...{ name: 'loss', period: 'lifetime', absoluteDrawdownThreshold: 500 },
    ...{ baseline: 'startEquity', adjustDeals: ['DEAL_TYPE_CREDIT'] },
    actions: [
      ...[{ action: 'disableTrading' }, { action: 'closePositions' }],
      { action: 'moveToGroup', group: 'vip-zürich' },
    ],
  });
  assert.equal(tracker.status, 201, JSON.stringify(tracker.body));
  const order = { symbol: 'EURUSD', side: 1, lots: 0.1 } as const;
  const operation = { kind: 'open', login: Number(login), ...order } as const;
  await bridge.control({ do: 'operate', operation });
  await until(async () => {
    const path = `${account}/trackers/${tracker.body.id}/statistics?realTime=true`;
    return (await user.get<unknown[]>(path)).body.length > 0;
  }, 'a period, whose equity at its start is that of before the loss');
  assert.equal((await pay(-1000)).status, 201);
  await until(async () => {
    const { body } = await user.get<Listed[]>(`${ACTIONS}?accountId=${accountId}&state=done`);
    return body.length === 3;
  }, 'all three actions');
  const { body } = await user.get<Settings>(`${accounts}/${login}/settings`);
  assert.deepEqual([body.tradingEnabled, body.group], [false, 'vip-zürich']);
  assert.deepEqual((await user.get(`${accounts}/${login}/positions`)).body, []);
  await running.close();
  await bridge.kill();
});
