import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promtool } from '../../scripts/promtool.ts';
import { formatBrokerTime } from '../../src/domain/broker-time.ts';
import { needs } from '../needs.ts';
import { movedClock } from '../servers/moved-clock.ts';
import {
  Client,
  newAccount,
  newUser,
  type PlimsollProcess,
  startPlimsoll,
} from '../servers/plimsoll-process.ts';
import { metricOf, metricsOf } from '../servers/server-metrics.ts';
import { openTestDatabase, type TestDatabase } from '../servers/test-databases.ts';
import { until } from '../servers/until.ts';
import { DEPLOY } from './files.ts';
import { firingAt, promtoolCheck } from './promtool-check.ts';

needs('postgres', 'server', 'promtool');

const skip =
  promtool() === undefined ? 'promtool is not installed; npm test fetches it on Debian' : false;

/** Time passes, and the clock is right all the same. */
const RIGHT = { MOVED_CLOCK_PASSES_ONLY: '1' };
/** Each signal lets so much time pass on a server. */
const STEP_MS = 70_000;
/** The speed of the test machine, and that it sends little, proves nothing about the state. */
const OWN =
  /^(plimsoll_(?!event_loop|http_|fold_delay|checkpoint_seconds|snapshots_)\w+)(?:\{(.*)\})? (\S+)$/gm;

/** A server's metrics at a moment, as Prometheus would store them. */
async function record({ address }: PlimsollProcess): Promise<Map<string, string>> {
  const series = new Map([['up{job="plimsoll",instance="a"}', '1']]);
  for (const [, name, labels, value = ''] of (await metricsOf(address)).matchAll(OWN)) {
    const all = ['job="plimsoll"', 'instance="a"', ...(labels ? [labels] : [])].join(',');
    series.set(`${name}{${all}}`, value);
  }
  return series;
}

type Recorded = Map<string, string>;

/** Half an hour as at first, then half an hour as it became: these alerts fire, no others. */
function expectAlerts(before: Recorded, after: Recorded, alerts: readonly string[]): void {
  const names = new Set([...before.keys(), ...after.keys()]);
  const half = (value: string | undefined): string =>
    value === undefined ? '_x29' : `${value}x29`;
  const content = {
    rule_files: [join(DEPLOY, 'alerts.yml')],
    evaluation_interval: '30s',
    tests: [
      {
        interval: '1m',
        input_series: [...names].map((series) => ({
          series,
          values: `${half(before.get(series))} ${half(after.get(series))}`,
        })),
        promql_expr_test: [firingAt('28m', []), firingAt('58m', alerts)],
      },
    ],
  };
  assert.equal(promtoolCheck('test rules', content), '');
}

type World = {
  database: TestDatabase;
  start(environment?: Record<string, string>): Promise<PlimsollProcess>;
};

async function openWorld(stack: AsyncDisposableStack): Promise<World> {
  const database = await openTestDatabase('postgres');
  stack.defer(() => database.close());
  return {
    database,
    async start(environment = {}) {
      const server = await startPlimsoll({
        ...{ ...database.environment, LOG_LEVEL: 'error' },
        ...movedClock(STEP_MS, { onSignal: true }),
        ...environment,
      });
      stack.defer(async () => {
        await server.stop();
      });
      return server;
    },
  };
}

const passTime = ({ process }: PlimsollProcess): boolean => process.kill('SIGUSR2');

const see = async (client: Client, accountId: string, utcMs: number, equity: number) => {
  const brokerTime = formatBrokerTime(utcMs);
  const sent = await client.post('/users/current/snapshots', [
    { accountId, brokerTime, balance: 10_000, equity },
  ]);
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
};

const UTC = { brokerClock: { zone: 'UTC' } };

describe('alerts on measurements of real servers', () => {
  it('fire if all engines are gone, with their targets', { skip }, async () => {
    await using stack = new AsyncDisposableStack();
    const { start } = await openWorld(stack);
    const server = await start({ PLIMSOLL_ROLES: 'api,jobs', ...RIGHT });
    const client = await newUser(server.address);
    const id = await newAccount(client, UTC);
    const before = await record(server);
    await see(client, id, Date.now(), 10_000);
    await record(server);
    passTime(server);
    expectAlerts(before, await record(server), ['PlimsollWorkStands']);
    const { body } = await client.get<{ standingWork: { work: string }[] }>('/health/ready');
    assert.ok(
      body.standingWork.some(({ work }) => work === 'folding'),
      JSON.stringify(body),
    );
  });

  it('fire if no process seals events and wakes webhooks', { skip }, async () => {
    await using stack = new AsyncDisposableStack();
    const { start } = await openWorld(stack);
    const server = await start({ PLIMSOLL_ROLES: 'api,engine', ...RIGHT });
    const client = await newUser(server.address);
    const id = await newAccount(client, UTC);
    const limit = { name: 'Loss', period: 'lifetime', absoluteDrawdownThreshold: 100 };
    await client.post(`/users/current/accounts/${id}/trackers`, limit);
    await see(client, id, Date.now() - 2000, 10_000);
    const accounts = /plimsoll_accounts\{state="live"\} 1/;
    await until(async () => accounts.test(await metricsOf(server.address)), 'a live account');
    const before = await record(server);
    await see(client, id, Date.now(), 9_000);
    const path = '/users/current/tracker-events/stream?wait=0';
    await until(async () => (await client.get<unknown[]>(path)).body.length > 0, 'the event');
    await record(server);
    passTime(server);
    const after = await record(server);
    expectAlerts(before, after, ['PlimsollWorkStands']);
  });

  it('fire if an account is in quarantine', { skip }, async () => {
    await using stack = new AsyncDisposableStack();
    const { start, database } = await openWorld(stack);
    const first = await start();
    const client = await newUser(first.address);
    const id = await newAccount(client, UTC);
    await see(client, id, Date.now() - 2000, 10_000);
    const accounts = /plimsoll_accounts\{state="live"\} 1/;
    await until(async () => accounts.test(await metricsOf(first.address)), 'a live account');
    const before = await record(first);
    await first.stop();
    await database.database.run("update live_account set state = '\\x07'");
    const server = await start();
    await see(new Client(server.address, client.token), id, Date.now(), 9_000);
    const name = 'plimsoll_quarantined_accounts';
    await until(async () => (await metricOf(server.address, name)) === 1, 'the quarantine');
    expectAlerts(before, await record(server), ['PlimsollQuarantine']);
  });

  it('fire if the clock of the server is wrong', { skip }, async () => {
    await using stack = new AsyncDisposableStack();
    const { start } = await openWorld(stack);
    const server = await start();
    const client = await newUser(server.address);
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) ids.push(await newAccount(client, { ...UTC, name }));
    const feed = async (serverMs: number) => {
      for (const id of ids) await see(client, id, serverMs + 3_600_000, 10_000);
    };
    await feed(Date.now());
    const live = /plimsoll_accounts\{state="live"\} 3/;
    await until(async () => live.test(await metricsOf(server.address)), 'three live accounts');
    const before = await record(server);
    passTime(server);
    // The next beat compares the clock with the database's; what is fed now comes after the move.
    const moved = /plimsoll_clock_offset_seconds [67]\d\b/;
    await until(async () => moved.test(await metricsOf(server.address)), 'a moved clock');
    await feed(Date.now() + STEP_MS);
    const off = /plimsoll_accounts\{state="clockOff"\} 3/;
    // Work running while time passed is done, too.
    const stands = /plimsoll_standing_work_seconds\{[^}]*\} [1-9]/;
    await until(async () => {
      const text = await metricsOf(server.address);
      return off.test(text) && !stands.test(text);
    }, 'three wrong clocks');
    expectAlerts(before, await record(server), [
      ...['PlimsollClockDiffers', 'PlimsollClockOff', 'PlimsollServerClock'],
    ]);
  });
});
