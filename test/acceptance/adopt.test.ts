import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { exampleOf } from '../docs/blocks.ts';
import { Shell } from '../docs/shell.ts';
import { needs, testedOn } from '../needs.ts';
import { endWithUs } from '../servers/end-with-us.ts';
import {
  HOSTED_TOKEN,
  type HostedServer,
  type HostedWorld,
  startHostedServer,
} from '../servers/hosted-server.ts';
import { BARE_ENVIRONMENT, BIN } from '../servers/plimsoll-bin.ts';
import { runPlimsoll } from '../servers/plimsoll-command.ts';
import {
  ADMIN_TOKEN,
  Client,
  newUser,
  startOn,
  type TestServer,
} from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';

needs('postgres', 'server');

type Body = Record<string, unknown>;
type Step = { what: string; id: string; outcome: string; trackers?: Body; notes: string[] };

const ACCOUNTS = '/users/current/accounts';
const account = (id: string, fields: Body = {}): Body => ({
  ...{ _id: id, name: `Account ${id}`, login: '50194988', server: 'Broker-Demo', type: 'cloud-g2' },
  ...{ platform: 'mt5', version: 5, region: 'main', magic: 123456, state: 'DEPLOYED' },
  ...{ connectionStatus: 'CONNECTED', provisioningProfileId: 'f1', baseCurrency: 'USD' },
  ...{ metastatsApiEnabled: true, riskManagementApiEnabled: true, tags: ['desk'], ...fields },
});
const tracker = (id: string, name: string, fields: Body = {}): Body => ({
  ...{ _id: id, name, period: 'day', startBrokerTime: '2026-01-01 00:00:00.000' },
  ...{ relativeDrawdownThreshold: 0.05, absoluteDrawdownThreshold: 500, ...fields },
});
const entry = (quota: number) => ({ quota, usageInPercents: 10 });

const worldOf = (): HostedWorld => ({
  profiles: [{ _id: 'f1', name: 'Broker', version: 5, brokerTimezone: 'EET', status: 'active' }],
  accounts: [
    account('6f1'),
    account('6f2', { state: 'UNDEPLOYED', connectionStatus: 'DISCONNECTED', baseCurrency: 'EUR' }),
    account('6f3', { connectionStatus: 'DISCONNECTED', baseCurrency: undefined }),
    account('6f4', { state: 'DELETING' }),
    account('6f5', { region: 'moon', provisioningProfileId: 'gone', platform: 'mt4', version: 4 }),
  ],
  information: {
    '6f1': { currency: 'CHF', leverage: 30, broker: 'Broker Ltd', balance: 1, platform: 'mt5' },
  },
  trackers: {
    '6f1': [
      tracker('t1', 'Day'),
      tracker('t2', 'Once', { endBrokerTime: '2026-01-01 00:00:00.000' }),
    ],
    '6f2': [tracker('t1', 'Week', { period: 'week' })],
  },
  quotas: [
    { region: 'main', maxAccounts: entry(150_000), maxDeployedCopyFactoryAccounts: entry(5) },
    { region: 'moon', maxAccounts: entry(10) },
  ],
  drawdownEvents: Array.from({ length: 1001 }, (_, place) => 1000 + place),
  trackerEvents: [7, 4711],
});

for (const kind of testedOn()) {
  describe(`adopting what a user has at the hosted product, on ${kind}`, () => {
    let running: TestServer;
    let hosted: HostedServer;
    let user: Awaited<ReturnType<typeof newUser>>;
    before(async () => {
      running = await startOn(kind);
    });
    after(() => running.close());
    beforeEach(async () => {
      user = await newUser(running.server.address);
      hosted = await startHostedServer(worldOf());
    });
    afterEach(() => hosted.close());

    const argumentsOf = (...more: string[]): string[] => [
      ...['adopt', '--from', hosted.address, '--user', user.userId, '--json', ...more],
    ];
    const environment = () => ({ ...running.database.environment, HOSTED_TOKEN });
    const adopt = async (...more: string[]) => {
      const done = await runPlimsoll(argumentsOf(...more), environment());
      const steps = done.stdout === '' ? [] : (JSON.parse(done.stdout) as Step[]);
      const outcomes = Object.fromEntries(steps.map((step) => [step.id, step]));
      return { ...done, steps, outcomes };
    };
    const accountsHere = async () => (await user.get<Body[]>(ACCOUNTS)).body;

    it('says what it would do, and does nothing', async () => {
      const { code, stderr, outcomes } = await adopt();
      assert.deepEqual([code, stderr], [0, 'Nothing is changed yet: run it again with --yes\n']);
      assert.equal(outcomes['6f1']?.outcome, 'to take');
      assert.deepEqual(outcomes['6f1']?.trackers, { 'to take': 1, 'not taken': 1 });
      assert.deepEqual(await accountsHere(), []);
      assert.equal((await user.get<Body[]>('/users/current/quotas')).body.length, 1);
    });

    it('takes accounts, trackers, quotas and numbers by the ordinary verbs, once', async () => {
      const { code, stderr, outcomes } = await adopt('--yes');
      assert.deepEqual([code, stderr], [0, '']);
      const here = await accountsHere();
      assert.deepEqual(
        here.map(({ id }) => id),
        ['6f1', '6f2', '6f5'],
      );
      const { createdAt: _, ...first } = here[0] ?? {};
      assert.deepEqual(first, {
        ...{ id: '6f1', name: 'Account 6f1', login: '50194988', broker: 'Broker-Demo' },
        ...{ platform: 'p5', currency: 'CHF', leverage: 30, region: 'main', tier: 'g2' },
        ...{ brokerClock: { zone: 'EET', shiftHours: 0 }, copy: false, dedicatedIpv4: false },
        ...{ deployed: true, statisticsEnabled: true, labels: ['desk'] },
        marginMode: 'ACCOUNT_MARGIN_MODE_RETAIL_HEDGING',
      });
      assert.deepEqual([here[1]?.currency, here[1]?.deployed], ['EUR', false]);
      assert.match(outcomes['6f3']?.notes.join() ?? '', /currency is not known there/);
      assert.match(outcomes['6f4']?.notes.join() ?? '', /being deleted/);
      assert.match(outcomes['6f5']?.notes.join() ?? '', /clock is not known.*moon is not here/);
      assert.match(outcomes['6f5']?.notes.join() ?? '', /answers 404/);
      assert.deepEqual(outcomes['6f1']?.notes, [
        'tracker "Once": endBrokerTime must be after startBrokerTime',
      ]);
      const trackers = await user.get<Body[]>(`${ACCOUNTS}/6f1/trackers`);
      assert.deepEqual(trackers.body, [tracker('t1', 'Day')]);
      const [quotas] = (
        await user.get<Record<string, { quota: number }>[]>('/users/current/quotas')
      ).body;
      assert.deepEqual(outcomes.main?.notes, ['maxAccounts 100000 → 150000']);
      assert.equal(quotas?.maxAccounts?.quota, 150_000);
      assert.equal(outcomes.moon?.outcome, 'not taken');

      const admin = new Client(running.server.address, ADMIN_TOKEN);
      const audit = await admin.get<Body[]>(`/admin/audit?limit=100&userId=${user.userId}`);
      const made = audit.body.filter(({ action }) => action === 'account.created');
      assert.deepEqual(
        made.map(({ actor }) => String(actor).replace(/:.*/, '')),
        ['cli', 'cli', 'cli'],
      );

      const again = await adopt('--yes');
      const outcome = again.steps.map((step) => step.outcome);
      assert.ok(!outcome.includes('taken'), again.stdout);
      assert.deepEqual(again.outcomes['6f1']?.trackers, { there: 1, 'not taken': 1 });
      assert.deepEqual(await accountsHere(), here);
    });

    it('lets readers go on with the number that they have', async () => {
      await adopt('--yes');
      const row = (equity: number, second: number) => ({
        ...{ accountId: '6f1', brokerTime: `2026-11-02 10:00:0${second}`, balance: 9000, equity },
      });
      await user.post('/users/current/snapshots', [row(9000, 1), row(8000, 2)]);
      const feed = '/users/current/drawdown-events/stream?previousSequenceNumber=2000';
      const { body } = await user.get<Body[]>(feed);
      assert.equal(body.length, 1);
      assert.ok(Number(body[0]?.sequenceNumber) > 4711);
    });

    it('refuses what the quotas here do not allow, and says so', async () => {
      const admin = new Client(running.server.address, ADMIN_TOKEN);
      const none = { maxDeployedG1Accounts: 0, maxDeployedG2Accounts: 0, maxDedicatedIpv4: 0 };
      const few = { ...none, maxAccounts: 1, maxDeployedCopyAccounts: 0 };
      await admin.call('PUT', `/admin/users/${user.userId}/regions/main/quotas`, few);
      const { outcomes } = await adopt('--yes');
      assert.match(outcomes['6f1']?.notes.join() ?? '', /quota of region main is used up/);
      assert.equal(outcomes['6f2']?.outcome, 'taken');
    });

    it('waits when it is asked to, and goes on past answers that are no good', async () => {
      let refusals = 0;
      hosted.mood = (path) => {
        if (path.includes('/quotas') && refusals++ < 2)
          return { status: 429, headers: { 'retry-after': '0' }, text: '{"id":1}' };
        if (path.includes('/6f1/trackers')) return { text: '[{"_id": "t1", ' };
        return path.includes('/6f2/trackers') ? { text: '{"message": "soon"}' } : undefined;
      };
      const { code, outcomes } = await adopt('--yes');
      assert.equal(code, 0);
      assert.equal(hosted.asked.filter((path) => path === 'quotas').length, 3);
      assert.match(outcomes['6f1']?.notes.join() ?? '', /trackers does not answer with JSON/);
      assert.match(outcomes['6f2']?.notes.join() ?? '', /trackers does not answer with a list/);
      assert.equal(outcomes['6f2']?.outcome, 'taken');
    });

    it('ends with what it has done if it can go on no more', async () => {
      hosted.mood = (path) => {
        const longer = { status: 429, headers: { 'retry-after': '3600' }, text: '{}' };
        return path.includes('offset') ? longer : undefined;
      };
      const { code, stderr, outcomes } = await adopt('--yes');
      assert.equal(code, 1);
      assert.match(stderr, /accounts\?limit=1000&offset=0 answers 429/);
      assert.equal(outcomes.main?.outcome, 'taken');
      const wrong = await runPlimsoll(argumentsOf('--token', 'other'), environment());
      assert.equal(wrong.code, 1);
      assert.match(wrong.stderr, /quotas answers 401/);
    });

    it('is completed by another run after it was killed', async () => {
      hosted.mood = (path) => (path.includes('/6f2/trackers') ? 'never' : undefined);
      const env = { ...BARE_ENVIRONMENT, ...environment() };
      const child = spawn(process.execPath, [BIN, ...argumentsOf('--yes')], { env });
      endWithUs(child);
      await until(async () => hosted.asked.includes('accounts/6f2/trackers'));
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      hosted.mood = () => undefined;
      const { outcomes } = await adopt('--yes');
      assert.deepEqual([outcomes['6f2']?.outcome, outcomes['6f5']?.outcome], ['there', 'taken']);
      assert.deepEqual(outcomes['6f1']?.trackers, { there: 1, 'not taken': 1 });
      assert.deepEqual(outcomes['6f2']?.trackers, { taken: 1 });
    });
  });
}

it('shows what the page about it shows', async (t) => {
  const running = await startOn('sqlite');
  t.after(() => running.close());
  const hosted = await startHostedServer({
    ...worldOf(),
    accounts: [account('6f1', { name: 'Challenge' }), account('6f4', { state: 'DELETING' })],
    trackers: { '6f1': [tracker('t1', 'Day'), tracker('t2', 'Week', { period: 'week' })] },
  });
  t.after(() => hosted.close());
  await runPlimsoll(['user', 'create', 'ada@example.com'], running.database.environment);
  const shell = new Shell(t);
  Object.assign(shell.variables, running.database.environment, { HOSTED_TOKEN });
  const command = exampleOf('docs/hosted.md', 'plimsoll adopt');
  const said = await shell.run(
    command
      .replaceAll(/https:\/\/\w+\.example\.com/g, hosted.address)
      .replace(/^HOSTED_TOKEN.*\n/, ''),
  );
  assert.equal(said, exampleOf('docs/hosted.md', 'OUTCOME'));
});
