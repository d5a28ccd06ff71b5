import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { needs, often } from '../needs.ts';
import { seedOr } from '../seed.ts';
import { type P4BridgeProcess, startP4Bridge } from '../servers/p4-bridge-server-process.ts';
import { P5_MANAGER, type P5ServerProcess, startP5Server } from '../servers/p5-server-process.ts';
import { openOnPlatform } from '../servers/platform-openings.ts';
import { Client, newAccount, newUser, startPlimsoll } from '../servers/plimsoll-process.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { until } from '../servers/until.ts';
import { Random } from '../simulation/random.ts';

needs('postgres', 'server', 'openssl');

type Action = 'disableTrading' | 'closePositions';
type Trades = { trades: { symbol?: string }[] };
type Listed = { action: string; state: string; attempts: number };
/** A platform of a family, as these tests use it. */
type Desk = {
  profile: object;
  group: string;
  /** The next request that brings the action about is never answered. */
  ignore(action: Action): Promise<void>;
  /** None is ignored any more. */
  answer(): Promise<void>;
  /** Whether the platform was asked since. */
  isAsked(action: Action): Promise<boolean>;
  /** Opens a position of the login. */
  open(login: number): Promise<void>;
  remove(): Promise<void>;
};

const RANGE = encodeURI('2000-01-01 00:00:00.000/2100-01-01 00:00:00.000');

const p5Desk = (p5: P5ServerProcess): Desk => {
  const commands = { disableTrading: '/api/user/update', closePositions: '/api/dealer/send_req' };
  const seen = async (action: Action): Promise<number> => {
    const { requests } = (await p5.control('/seen')) as { requests: string[] };
    return requests.filter((line) => line.includes(commands[action])).length;
  };
  let before = 0;
  return {
    profile: {
      ...{ platform: 'p5', kind: 'p5-web-api', server: p5.url, ...P5_MANAGER },
      tlsFingerprint: p5.fingerprint,
    },
    group: 'demo\\usd',
    async ignore(action) {
      before = await seen(action);
      await p5.control('/fault', { kind: 'hang', command: commands[action] });
    },
    answer: async () => void (await p5.control('/faults/clear')),
    isAsked: async (action) => (await seen(action)) > before,
    async open(login) {
      await p5.control('/quote', { symbol: 'EURUSD', bid: 1.1, ask: 1.1 });
      await p5.control('/open', { login, symbol: 'EURUSD', side: 'buy', lots: 0.1 });
    },
    remove: () => p5.remove(),
  };
};

const p4Desk = (bridge: P4BridgeProcess): Desk => {
  const requests = {
    disableTrading: 'PATCH /v1/users',
    closePositions: 'POST /v1/positions/close',
  };
  return {
    profile: {
      ...{ platform: 'p4', kind: 'p4-bridge', server: bridge.url, password: 'bridge-token' },
    },
    group: 'demo-usd',
    async ignore(action) {
      await bridge.calls();
      await bridge.setFault({ kind: 'silent', times: 1, request: requests[action] });
    },
    answer: () => bridge.setFault({ kind: 'none' }),
    isAsked: async (action) =>
      (await bridge.calls()).some((call) => call.startsWith(requests[action])),
    async open(login) {
      const order = { symbol: 'EURUSD', side: 1, lots: 0.1 } as const;
      await bridge.control({ do: 'operate', operation: { kind: 'open', login, ...order } });
    },
    remove: () => bridge.kill(),
  };
};

const DESKS = [
  { family: 'p4', kind: 'sqlite', start: async () => p4Desk(await startP4Bridge(['--moving'])) },
  { family: 'p5', kind: 'postgres', start: async () => p5Desk(await startP5Server({ tls: true })) },
] as const;

type Setting = { user: Client; accountId: string; pay(amount: number): Promise<void> };
/** Has an action done by a limit or rule; what is returned breaks it. */
type Arm = (setting: Setting, action: Action) => Promise<() => Promise<void>>;

const byTracker: Arm = async ({ user, accountId, pay }, action) => {
  const account = `/users/current/accounts/${accountId}`;
  const tracker = await user.post<{ id: string }>(`${account}/trackers`, {
    ...{ name: 'loss', period: 'lifetime', absoluteDrawdownThreshold: 500 },
    // So that money paid out counts as a loss, whether the market is open or not.
    ...{ baseline: 'startEquity', adjustDeals: ['DEAL_TYPE_CREDIT'] },
    actions: [{ action }],
  });
  assert.equal(tracker.status, 201, JSON.stringify(tracker.body));
  await until(async () => {
    const path = `${account}/trackers/${tracker.body.id}/statistics?realTime=true`;
    return (await user.get<unknown[]>(path)).body.length > 0;
  }, 'a period, whose equity at its start is that of before the loss');
  return () => pay(-1000);
};

/** A phase of a day that ends in six hours: the account is heard of after it by any clock. */
const byTimeLimit: Arm = async ({ user, accountId }, action) => {
  const inHours = (hours: number): string =>
    new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
  const rules = [{ kind: 'timeLimit', days: 1, actions: [{ action }] }];
  const resetClock = { zone: 'UTC', time: inHours(6).slice(11, 16) };
  const phases = [{ name: 'Phase', objectives: [], rules, resetClock }];
  const program = await user.post<{ id: string }>('/users/current/programs', {
    ...{ name: 'Program', phases },
  });
  const path = `/users/current/accounts/${accountId}/enrolments`;
  const enrolled = await user.post<{ id: string }>(path, {
    ...{ programId: program.body.id, initialBalance: 10_000 },
  });
  assert.equal(enrolled.status, 201, JSON.stringify(enrolled.body));
  await until(async () => {
    const own = `${path}/${enrolled.body.id}?realTime=true`;
    return (await user.get<{ startBrokerTime?: string }>(own)).body.startBrokerTime !== undefined;
  }, 'the beginning of the phase');
  return async () => {
    const row = { accountId, balance: 10_000, equity: 10_000, brokerTime: inHours(12) };
    const sent = await user.post('/users/current/snapshots', [row]);
    assert.ok(sent.status < 300, JSON.stringify(sent.body));
  };
};

/** The account has more than the target from the beginning. */
const byPassing: Arm = async ({ user, accountId }, action) => {
  const objectives = [{ kind: 'profitTarget', share: 0.01 }];
  const program = await user.post<{ id: string }>('/users/current/programs', {
    name: 'Program',
    phases: [{ name: 'Phase', objectives, rules: [], actions: [{ action }] }],
  });
  return async () => {
    const enrolled = await user.post(`/users/current/accounts/${accountId}/enrolments`, {
      ...{ programId: program.body.id, initialBalance: 9500 },
    });
    assert.equal(enrolled.status, 201, JSON.stringify([program.body, enrolled.body]));
  };
};

type Case = {
  action: Action;
  cause: string;
  arm: Arm;
  /** How often the test looks before it kills a process that has not asked yet. */
  looks?: number;
};
const random = new Random(seedOr(20_261_129));
const atRandom = (): Case => ({
  ...{ action: 'closePositions', cause: 'the passing', arm: byPassing },
  looks: random.between(0, 30),
});
const CASES: readonly Case[] = [
  { action: 'disableTrading', cause: 'a limit', arm: byTracker },
  { action: 'closePositions', cause: 'a limit', arm: byTracker },
  { action: 'disableTrading', cause: 'a time limit', arm: byTimeLimit },
  { action: 'disableTrading', cause: 'the passing', arm: byPassing },
  { action: 'closePositions', cause: 'the passing', arm: byPassing },
  ...Array.from({ length: often(1, 5) }, atRandom),
];

describe('actions at the breach through kills', { concurrency: 4 }, () => {
  for (const { family, kind, start } of DESKS)
    for (const { action, cause, arm, looks } of CASES)
      it(`${action} takes effect once on ${family} after ${cause}, with ${kind}${looks === undefined ? '' : `, killed after ${looks} looks`}`, async (t) => {
        const desk = await start();
        t.after(() => desk.remove());
        const database = await openTestDatabase(kind);
        const secretKey = randomBytes(32).toString('base64');
        const environment = { ...database.environment, PLIMSOLL_SECRET_KEY: secretKey };
        let plimsoll = await startPlimsoll(environment);
        t.after(async () => {
          await plimsoll.stop();
          await database.close();
        });
        const scopes = ['read', 'write', 'ingest', 'actions'];
        let user: Client = await newUser(plimsoll.address, { scopes });

        const profile = await user.post<{ id: string }>('/users/current/provisioning-profiles', {
          ...{ name: 'Desk', ...desk.profile },
          allowedActions: ['actAtBreach', action, 'balanceOperation'],
        });
        assert.equal(profile.status, 201, JSON.stringify(profile.body));
        const place = `/users/current/${family}/provisioning-profiles/${profile.body.id}/accounts`;
        const login = await openOnPlatform(user, place, desk.group);
        const pay = async (amount: number): Promise<void> => {
          const key = { 'idempotency-key': crypto.randomUUID() };
          const paid = await user.post(`${place}/${login}/balance-operations`, { amount }, key);
          assert.equal(paid.status, 201, JSON.stringify(paid.body));
        };
        await pay(10_000);
        const bound = { platform: family, login, profileId: profile.body.id };
        const accountId = await newAccount(user, bound);
        const account = `/users/current/accounts/${accountId}`;
        await until(async () => {
          const chart = `${account}/equity-chart?realTime=true`;
          const hours = await user.asOfNow<{ lastEquity: number }[]>(chart);
          return hours.at(-1)?.lastEquity === 10_000;
        }, 'the deposit');
        await desk.open(Number(login));
        const breach = await arm({ user, accountId, pay }, action);

        await desk.ignore(action);
        await breach();
        let [left, isAsked] = [looks ?? Infinity, false];
        await until(async () => {
          left -= 1;
          isAsked = await desk.isAsked(action);
          return isAsked || left < 0;
        }, 'the request to the platform');
        t.diagnostic(`killed ${isAsked ? 'while' : 'before'} the platform was asked`);
        await plimsoll.kill();
        await desk.answer();
        plimsoll = await startPlimsoll(environment);
        user = new Client(plimsoll.address, user.token);

        let actions: Listed[] = [];
        await until(
          async () => {
            const path = `/users/current/breach-actions?accountId=${accountId}`;
            actions = (await user.get<Listed[]>(path)).body;
            return actions.length > 0 && actions.every(({ state }) => state === 'done');
          },
          `the end of the action (${JSON.stringify(actions)})`,
        );
        assert.equal(actions.length, 1);
        const { attempts = 0 } = actions[0] ?? {};
        assert.ok(attempts >= (isAsked ? 2 : 1), JSON.stringify(actions));
        const settings = await user.get<{ tradingEnabled: boolean }>(`${place}/${login}/settings`);
        const open = await user.get<object[]>(`${place}/${login}/positions`);
        assert.equal(settings.body.tradingEnabled, action !== 'disableTrading');
        assert.equal(open.body.length, action === 'closePositions' ? 0 : 1);
        if (action === 'disableTrading') return;
        const history = `${account}/historical-trades/${RANGE}?updateHistory=true`;
        let closed = 0;
        await until(async () => {
          const { status, body } = await user.get<Trades>(history);
          if (status !== 200) return false;
          closed = body.trades.filter(({ symbol }) => symbol === 'EURUSD').length;
          return closed > 0;
        }, 'the closed trade');
        assert.equal(closed, 1);
      });
});
