import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { BreachActionRecord } from '../../src/contract/operations/breach-actions.ts';
import { verifyText } from '../../src/services/evidence/verify-file.ts';
import { needs, testedOn } from '../needs.ts';
import { P5_MANAGER, startP5Server } from '../servers/p5-server-process.ts';
import { openOnPlatform } from '../servers/platform-openings.ts';
import {
  type Client,
  newAccount,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';

needs('postgres', 'server', 'openssl');

type User = Client & { userId: string };
type Listed = Pick<
  BreachActionRecord,
  'state' | 'action' | 'sequenceNumber' | 'trackerId' | 'trackerName' | 'cause' | 'moment'
>;
type Enrolment = { state: string; transitions: { sequenceNumber?: number; rule?: string }[] };
type Case = { annex: { actions: Listed[] } };

const PROFILES = '/users/current/provisioning-profiles';
const ALLOWED = ['actAtBreach', 'disableTrading', 'closePositions', 'moveToGroup'];
const MAY_ACT = { scopes: ['read', 'write', 'ingest', 'actions'] };
const HOUR_MS = 3_600_000;
const clockTime = (timeMs: number): string => new Date(timeMs).toISOString().slice(11, 16);
const brokerTime = (timeMs: number): string =>
  new Date(timeMs).toISOString().slice(0, 19).replace('T', ' ');

async function enrol(user: User, accountId: string, phase: object, fields: object = {}) {
  const phases = [{ name: 'Phase', objectives: [], ...phase }];
  const program = { name: 'Program', phases };
  const { body } = await user.post<{ id: string }>('/users/current/programs', program);
  const path = `/users/current/accounts/${accountId}/enrolments`;
  const input = { programId: body.id, initialBalance: 1000, ...fields };
  const enrolled = await user.post<{ id: string }>(path, input);
  assert.equal(enrolled.status, 201, JSON.stringify([body, enrolled.body]));
  return `${path}/${enrolled.body.id}`;
}

/** The enrolment's actions, once all of them are done. */
async function actionsDone(user: User, accountId: string, count: number): Promise<Listed[]> {
  const path = `/users/current/breach-actions?accountId=${accountId}`;
  let found: Listed[] = [];
  await until(async () => {
    found = (await user.get<Listed[]>(path)).body;
    return found.length === count && found.every(({ state }) => state === 'done');
  }, `${count} actions`);
  return found.reverse();
}

async function caseOf(user: User, sequenceNumber: number): Promise<Case> {
  const path = `/users/current/tracker-events/${sequenceNumber}/case`;
  let answer = await user.get<{ annex: string }>(path);
  await until(async () => {
    answer = await user.get<{ annex: string }>(path);
    return answer.status === 200;
  }, 'the case file');
  assert.deepEqual(verifyText(JSON.stringify(answer.body), {}).faults, []);
  return { annex: JSON.parse(answer.body.annex) as Case['annex'] };
}

describe('actions of rules of days', () => {
  let running: TestServer;
  let user: User;
  before(async () => {
    running = await startOn('sqlite');
    user = await newUser(running.server.address, MAY_ACT);
  });
  after(() => running.close());

  /** An account of a simulated platform. */
  const simulated = async (platform: 'p4' | 'p5', login: number) => {
    const made = await user.post<{ id: string }>(PROFILES, {
      ...{ name: 'Simulated', platform, kind: 'simulated', allowedActions: ALLOWED },
    });
    const account = { platform, login: String(login), profileId: made.body.id };
    const accountId = await newAccount(user, account);
    const settings = `/users/current/${platform}/provisioning-profiles/${made.body.id}/accounts/${login}/settings`;
    return { accountId, settings };
  };
  /** A phase of one day, which ends in six hours: no clock of a platform is as far ahead. */
  const oneDay = (actions: object[]) => ({
    resetClock: { zone: 'UTC', time: clockTime(Date.now() + 6 * HOUR_MS) },
    rules: [{ kind: 'timeLimit', days: 1, actions }],
  });
  /** Lets the day pass: the account is heard of after its end, by any clock that it may have. */
  const passDay = async (accountId: string): Promise<void> => {
    const row = { accountId, balance: 10_000, equity: 10_000 };
    const sent = await user.post('/users/current/snapshots', [
      { ...row, brokerTime: brokerTime(Date.now() + 12 * HOUR_MS) },
    ]);
    assert.ok(sent.status < 300, JSON.stringify(sent.body));
  };
  const isHeardOf = (accountId: string): Promise<void> =>
    until(async () => {
      const path = `/users/current/accounts/${accountId}/equity-chart?realTime=true`;
      return (await user.get<unknown[]>(path)).body.length > 0;
    }, 'an equity');

  /** Enrols an account in a phase of a day, which begins with the account's next data. */
  const begin = async (
    accountId: string,
    action: object,
    phase: object = oneDay([action]),
  ): Promise<string> => {
    const standing = `/users/current/accounts/${accountId}/standing`;
    const { balance = 1000 } = await user.asOfNow<{ balance?: number }>(standing);
    const path = await enrol(user, accountId, phase, { initialBalance: balance });
    await until(async () => {
      const { body } = await user.get<{ startBrokerTime?: string }>(`${path}?realTime=true`);
      return body.startBrokerTime !== undefined;
    }, 'the beginning of the phase');
    return path;
  };

  for (const [platform, login] of [
    ['p4', 100002],
    ['p5', 200002],
  ] as const)
    it(`are done on a ${platform} platform when time is over, and shown in the case file`, async () => {
      const { accountId, settings } = await simulated(platform, login);
      await isHeardOf(accountId);
      const path = await begin(accountId, { action: 'disableTrading' });
      await passDay(accountId);
      const [action] = await actionsDone(user, accountId, 1);
      const { tradingEnabled } = (await user.get<{ tradingEnabled: boolean }>(settings)).body;
      assert.equal(tradingEnabled, false);
      const read = async () => (await user.get<Enrolment>(path)).body;
      const areNumbered = async () =>
        (await read()).transitions.every((one) => one.sequenceNumber !== undefined);
      await until(areNumbered, 'the numbers of its events');
      const { state, transitions } = await read();
      const [end] = transitions;
      assert.deepEqual([state, end?.rule, transitions.length], ['failed', 'timeLimit', 1]);
      assert.equal(action?.sequenceNumber, end?.sequenceNumber);
      const { annex } = await caseOf(user, end?.sequenceNumber ?? 0);
      assert.deepEqual(
        annex.actions.map((each) => [each.action, each.state, each.sequenceNumber]),
        [['disableTrading', 'done', end?.sequenceNumber]],
      );
    });

  it('are done when a deal breaks a rule over deals', async () => {
    const { accountId, settings } = await simulated('p5', 200006);
    await isHeardOf(accountId);
    const actions = [{ action: 'disableTrading' }];
    const rules = [{ kind: 'allowedSymbols', excluded: ['TULIP'], actions }];
    const path = await begin(accountId, {}, { rules });
    const time = `${brokerTime(Date.now() + 12 * HOUR_MS)}.500`;
    const trade = { type: 'DEAL_TYPE_BUY', symbol: 'TULIP', volume: 1, price: 1, profit: 0 };
    const deals = [{ ...trade, id: 'tulip', brokerTime: time }];
    await user.post(`/users/current/accounts/${accountId}/deals`, deals);
    const [action] = await actionsDone(user, accountId, 1);
    assert.equal(action?.trackerName, 'Phase: allowed symbols');
    const { tradingEnabled } = (await user.get<{ tradingEnabled: boolean }>(settings)).body;
    assert.equal(tradingEnabled, false);
    assert.equal((await user.get<Enrolment>(path)).body.state, 'failed');
  });

  it('are done at the warning of a rule over deals, whose event names the deals', async () => {
    const { accountId, settings } = await simulated('p5', 200007);
    await isHeardOf(accountId);
    const actions = [{ action: 'disableTrading', moment: 'warning' }];
    const rules = [{ kind: 'openAtOnce', lots: 90, warnAt: 0.5, actions }];
    const path = await begin(accountId, {}, { rules });
    const trade = { type: 'DEAL_TYPE_BUY', symbol: 'TULIP', volume: 45, price: 1, profit: 0 };
    const time = `${brokerTime(Date.now() + 12 * HOUR_MS)}.500`;
    const deals = [{ ...trade, id: 'tulip', positionId: 'tulip', brokerTime: time }];
    await user.post(`/users/current/accounts/${accountId}/deals`, deals);
    const [action] = await actionsDone(user, accountId, 1);
    assert.deepEqual([action?.trackerName, action?.moment], ['Phase: open at once', 'warning']);
    const { tradingEnabled } = (await user.get<{ tradingEnabled: boolean }>(settings)).body;
    assert.equal(tradingEnabled, false);
    assert.equal((await user.get<Enrolment>(path)).body.state, 'running');
    const feed = `/users/current/tracker-events/stream?accountId=${accountId}&wait=0`;
    const warnings = (await user.get<{ kind: string }[]>(feed)).body;
    const [warning] = warnings.filter(({ kind }) => kind === 'warning');
    const told = { rule: 'openAtOnce', warnAt: 0.5, dealIds: ['tulip'] };
    assert.deepEqual({ ...warning, ...told }, warning);
    const { annex } = await caseOf(user, action?.sequenceNumber ?? 0);
    assert.deepEqual(
      annex.actions.map((each) => [each.action, each.state]),
      [['disableTrading', 'done']],
    );
  });

  it('are done at the warning of a loss limit', async () => {
    const { accountId, settings } = await simulated('p5', 200008);
    await isHeardOf(accountId);
    const actions = [{ action: 'disableTrading', moment: 'warning', confirm: 'none' }];
    const rules = [{ kind: 'maximumLoss', share: 0.9, warnAt: 0.1, actions }];
    await begin(accountId, {}, { rules });
    const standing = `/users/current/accounts/${accountId}/standing`;
    const { balance = 1000 } = await user.asOfNow<{ balance?: number }>(standing);
    const brokerTimeAhead = brokerTime(Date.now() + 12 * HOUR_MS);
    const row = { accountId, balance, equity: balance * 0.8, brokerTime: brokerTimeAhead };
    await user.post('/users/current/snapshots', [row]);
    const [action] = await actionsDone(user, accountId, 1);
    assert.deepEqual([action?.trackerName, action?.moment], ['Phase: maximum loss', 'warning']);
    const { tradingEnabled } = (await user.get<{ tradingEnabled: boolean }>(settings)).body;
    assert.equal(tradingEnabled, false);
  });

  it('are done when a phase is passed, and shown in the case file', async () => {
    const { accountId, settings } = await simulated('p5', 200004);
    await isHeardOf(accountId);
    const standing = `/users/current/accounts/${accountId}/standing`;
    const { balance = 1000 } = await user.asOfNow<{ balance?: number }>(standing);
    // The platform's own figures show the target, too: it is met from the beginning.
    const initialBalance = Math.floor(balance * 0.95);
    const path = await enrol(
      user,
      accountId,
      {
        rules: [],
        objectives: [{ kind: 'profitTarget', amount: balance * 0.01 }],
        actions: [{ action: 'disableTrading' }],
      },
      { initialBalance },
    );
    const [action] = await actionsDone(user, accountId, 1);
    assert.deepEqual(
      [action?.cause, action?.moment, action?.trackerName],
      ['passing', 'passing', 'Phase: passed'],
    );
    const { tradingEnabled } = (await user.get<{ tradingEnabled: boolean }>(settings)).body;
    assert.equal(tradingEnabled, false);
    const { state, transitions } = (await user.get<Enrolment>(path)).body;
    assert.deepEqual([state, transitions.length], ['passed', 1]);
    const { annex } = await caseOf(user, action?.sequenceNumber ?? 0);
    assert.deepEqual(
      annex.actions.map((each) => [each.action, each.state]),
      [['disableTrading', 'done']],
    );
  });

  it('on passing belong to a phase that can be passed, and no other moment does', async () => {
    const target = { kind: 'profitTarget', share: 0.1 };
    const act = (moment?: string) => [{ action: 'disableTrading', ...(moment ? { moment } : {}) }];
    const loss = { kind: 'dailyLoss', share: 0.05 };
    for (const phase of [
      { rules: [], objectives: [target], actions: act('breach') },
      { rules: [], objectives: [], actions: act() },
      { rules: [], objectives: [target], payout: {}, actions: act() },
      { rules: [], objectives: [target], actions: [{ action: 'enableTrading' }] },
      { rules: [{ ...loss, actions: act('passing') }], objectives: [target] },
      { rules: [{ kind: 'timeLimit', days: 3, actions: act('passing') }], objectives: [target] },
    ]) {
      const program = { name: 'Program', phases: [{ name: 'Phase', ...phase }] };
      const refused = await user.post('/users/current/programs', program);
      assert.equal(refused.status, 400, JSON.stringify([phase, refused.body]));
    }
  });

  it('are not done for an enrolment that was withdrawn before', async () => {
    const { accountId, settings } = await simulated('p5', 200003);
    await isHeardOf(accountId);
    const path = await begin(accountId, { action: 'disableTrading' });
    assert.equal((await user.call('PUT', path, { state: 'withdrawn' })).status, 204);
    await begin(accountId, { action: 'moveToGroup', group: 'real\\pro/plus usd' });
    await passDay(accountId);
    const done = await actionsDone(user, accountId, 1);
    assert.deepEqual(
      done.map(({ action }) => action),
      ['moveToGroup'],
    );
    const { tradingEnabled } = (await user.get<{ tradingEnabled: boolean }>(settings)).body;
    assert.equal(tradingEnabled, true);
  });

  it('need the scope that actions of limits need', async () => {
    const usual = await newUser(running.server.address);
    const actions = [{ action: 'disableTrading' }];
    for (const phase of [
      { objectives: [], rules: [{ kind: 'timeLimit', days: 3, actions }] },
      { objectives: [], rules: [{ kind: 'inactivity', days: 3, actions }] },
      { objectives: [{ kind: 'profitTarget', share: 0.1 }], rules: [], actions },
    ]) {
      const phases = [{ name: 'Phase', ...phase }];
      const refused = await usual.post('/users/current/programs', { name: 'Program', phases });
      assert.equal(refused.status, 403, JSON.stringify(refused.body));
    }
  });
});

for (const kind of testedOn())
  it(`are done on a p5 server after too long without a trade, with ${kind}`, async (test) => {
    const p5 = await startP5Server({ tls: true });
    const secretKey = randomBytes(32).toString('base64');
    const running = await startOn(kind, { PLIMSOLL_SECRET_KEY: secretKey });
    test.after(async () => {
      await running.close();
      await p5.remove();
    });
    const user = await newUser(running.server.address, MAY_ACT);
    const made = await user.post<{ id: string }>(PROFILES, {
      ...{ name: 'Desk', platform: 'p5', kind: 'p5-web-api', server: p5.url },
      ...{ ...P5_MANAGER, tlsFingerprint: p5.fingerprint, allowedActions: ALLOWED },
    });
    const accounts = `/users/current/p5/provisioning-profiles/${made.body.id}/accounts`;
    const login = await openOnPlatform(user, accounts, 'demo\\usd');
    await p5.control('/open', { login: Number(login), symbol: 'EURUSD', side: 'buy', lots: 0.1 });
    // The account gets no data until it is enrolled, from a day of the past on.
    const command = '/api/user/account/get_batch';
    await p5.control('/fault', { kind: 'answer', command, times: 1_000_000, answer: [] });
    const accountId = await newAccount(user, { login, profileId: made.body.id });
    const actions = [{ action: 'disableTrading' }, { action: 'closePositions' }];
    const path = await enrol(
      user,
      accountId,
      { rules: [{ kind: 'inactivity', days: 3, actions }] },
      { startBrokerTime: brokerTime(Date.now() - 240 * HOUR_MS) },
    );
    await p5.control('/faults/clear');
    const done = await actionsDone(user, accountId, 2);
    assert.deepEqual(
      done.map(({ action }) => action),
      ['disableTrading', 'closePositions'],
    );
    const { state, transitions } = (await user.get<Enrolment>(path)).body;
    assert.deepEqual([state, transitions[0]?.rule], ['failed', 'inactivity']);
    const settings = await user.get<{ tradingEnabled: boolean }>(`${accounts}/${login}/settings`);
    assert.equal(settings.body.tradingEnabled, false);
    assert.deepEqual((await user.get(`${accounts}/${login}/positions`)).body, []);
  });
