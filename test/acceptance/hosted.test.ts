import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { formatBrokerTime } from '../../src/domain/broker-time.ts';
import { HOSTED_ROWS } from '../../src/http/hosted/hosted-rows.ts';
import { exampleOf } from '../docs/blocks.ts';
import { Shell } from '../docs/shell.ts';
import { needs } from '../needs.ts';
import { Client, newUser, startOn, type TestServer } from '../servers/plimsoll-process.ts';
import { until } from '../servers/until.ts';

needs('server');

type Body = Record<string, unknown>;

const ME = '/users/current';
const LOGIN = '200001';
const PERSON = {
  ...{ name: 'Ann Lee', email: 'ann@example.com', group: 'demo-usd', leverage: 100 },
  ...{ address: '1 Quay', city: 'Hull', country: 'UK', phone: '1', state: 'Hull', zip: '1' },
};
/** Rows that were asked, by method and path. */
const asked = new Set<string>();

/** A client of the hosted product: it knows its own names only. */
class HostedClient {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  async ask<T = Body>(method: string, path: string, body?: object, status = 200): Promise<T> {
    const [plain = ''] = `${ME}${path}`.replace(/\/mt([45])\//, '/p$1/').split('?');
    for (const row of HOSTED_ROWS) {
      const pattern = new RegExp(`^${row.path.replace(/:\w+/g, '[^/]+')}$`);
      if (row.method === method && pattern.test(plain)) asked.add(`${method} ${row.path}`);
    }
    const answer = await this.#client.call<T>(method, `${ME}${path}`, body);
    assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
}

describe('a client of the hosted product', () => {
  let running: TestServer;
  let user: Client;
  let hosted: HostedClient;
  let accountId: string;
  let profileId: string;
  before(async () => {
    running = await startOn('sqlite', { PLIMSOLL_COMPATIBILITY: 'hosted' });
    user = await newUser(running.server.address);
    hosted = new HostedClient(user);
  });
  after(() => running.close());

  it('finds the server as its libraries do', async () => {
    const { host } = new URL(running.server.address);
    const { domain } = await hosted.ask('GET', '/servers/mt-client-api');
    assert.equal(domain, host);
    const nobody = new Client(running.server.address, 'nobody');
    assert.equal((await nobody.get(`${ME}/servers/mt-client-api`)).status, 401);
  });

  it('makes, reads, changes and deploys an account', async () => {
    const made = await hosted.ask(
      'POST',
      '/accounts',
      {
        ...{ login: '123456', password: 'secret', name: 'Mine', server: 'Broker-Demo' },
        ...{ platform: 'mt5', type: 'cloud-g2', magic: 7, baseCurrency: 'EUR', leverage: 30 },
      },
      201,
    );
    assert.equal(made.state, 'DEPLOYED');
    accountId = String(made.id);
    const path = `/accounts/${accountId}`;
    await hosted.ask('PUT', path, { name: 'Ours', server: 'Broker-Live' }, 204);
    await hosted.ask('POST', `${path}/undeploy`, undefined, 204);
    assert.equal((await hosted.ask('GET', path)).state, 'UNDEPLOYED');
    for (const word of ['deploy', 'redeploy'])
      await hosted.ask('POST', `${path}/${word}`, undefined, 204);
    await hosted.ask('POST', `${path}/enable-account-features`, { metastatsApiEnabled: true }, 204);
    const [account] = await hosted.ask<Body[]>('GET', '/accounts');
    const { createdAt: _, ...known } = account ?? {};
    assert.deepEqual(known, {
      ...{ _id: accountId, name: 'Ours', login: '123456', server: 'Broker-Live', platform: 'mt5' },
      ...{ version: 5, type: 'cloud-g2', region: 'main', baseCurrency: 'EUR', magic: 0 },
      ...{ state: 'DEPLOYED', connectionStatus: 'DISCONNECTED', copyFactoryRoles: [], tags: [] },
      ...{ metastatsApiEnabled: true, riskManagementApiEnabled: true },
    });
  });

  it('reads statistics, trades, events and the account in its envelopes', async () => {
    const path = `/accounts/${accountId}`;
    const [paidMs, openedMs, shownMs] = [7_200_000, 3_600_000, 0].map((ago) => Date.now() - ago);
    const at = (ms = 0) => formatBrokerTime(ms);
    const clock = { zone: 'UTC', shiftHours: 0 };
    await user.call('PATCH', `${ME}/accounts/${accountId}`, { brokerClock: clock });
    await hosted.ask(
      'POST',
      `${path}/trackers`,
      {
        ...{ name: 'day', period: 'day', absoluteDrawdownThreshold: 100 },
      },
      201,
    );
    await hosted.ask('POST', `${path}/deals`, [
      { id: '1', type: 'DEAL_TYPE_BALANCE', profit: 1000, brokerTime: at(paidMs) },
      {
        ...{ id: '2', positionId: '2', type: 'DEAL_TYPE_BUY', entry: 'DEAL_ENTRY_IN' },
        ...{ symbol: 'EURUSD', volume: 1, price: 1.1, profit: 0, brokerTime: at(openedMs) },
      },
    ]);
    for (const equity of [1000, 800]) {
      const brokerTime = at((shownMs ?? 0) - equity);
      await hosted.ask('POST', '/snapshots', [{ accountId, brokerTime, balance: 1000, equity }]);
    }
    await until(async () => {
      const answer = await user.get<Body>(`${ME}${path}/metrics`);
      return answer.status === 200;
    });
    const { metrics } = await hosted.ask<{ metrics: Body }>('GET', `${path}/metrics`);
    assert.equal(metrics.balance, 1000);
    assert.ok(['number', 'undefined'].includes(typeof metrics.maxDrawdown));
    const { openTrades } = await hosted.ask<{ openTrades: Body[] }>('GET', `${path}/open-trades`);
    assert.deepEqual(
      openTrades.map(({ positionId, profit }) => [positionId, profit]),
      [['2', 0]],
    );
    const [position] = await hosted.ask<Body[]>('GET', `${path}/positions`);
    assert.equal(position?.type, 'POSITION_TYPE_BUY');
    const information = await hosted.ask('GET', `${path}/account-information`);
    assert.deepEqual([information.equity, information.platform], [800, 'mt5']);
    assert.equal((await hosted.ask('GET', path)).connectionStatus, 'CONNECTED');
    await until(async () => {
      const events = await hosted.ask<Body[]>('GET', '/tracker-events/stream');
      return events.length === 1 && events[0]?.exceededThresholdType === 'drawdown';
    });
    const span = 'startBrokerTime=2020-01-01 00:00:00.000&endBrokerTime=2100-01-01 00:00:00.000';
    const told = await hosted.ask<Body[]>('GET', `/tracker-events/by-broker-time?${span}`);
    assert.equal(told.length, 1);
    await hosted.ask('GET', '/drawdown-events/stream?previousSequenceNumber=9');
  });

  it('asks for quotas', async () => {
    const wish = {
      maxDeployedCopyFactoryAccounts: 1_000_000,
      message: 'please',
      maxDedicatedIpv6: 1,
    };
    await hosted.ask('PATCH', '/regions/main/quotas', wish, 201);
    const [request] = await hosted.ask<Body[]>('GET', '/quota-update-requests');
    assert.equal(request?.maxDeployedCopyFactoryAccounts, 1_000_000);
    assert.equal(request?.justification, 'please');
    const own = await hosted.ask('GET', '/regions/main/quotas');
    const [all] = await hosted.ask<Body[]>('GET', '/quotas');
    assert.ok('maxDeployedCopyFactoryAccounts' in own);
    assert.ok(all && 'maxDeployedCopyFactoryAccounts' in all);
  });

  it('manages a platform through a profile', async () => {
    const made = {
      name: 'Desk',
      version: 5,
      brokerTimezone: 'EET',
      brokerDSTSwitchTimezone: 'EET',
    };
    ({ id: profileId = '' } = await hosted.ask<{ id: string }>(
      ...(['POST', '/provisioning-profiles', made, 201] as const),
    ));
    await hosted.ask('PUT', `/provisioning-profiles/${profileId}`, { name: 'Risk' }, 204);
    const profile = await hosted.ask('GET', `/provisioning-profiles/${profileId}`);
    assert.deepEqual([profile.name, profile.version, profile.brokerTimezone], ['Risk', 5, 'EET']);
    assert.equal((await hosted.ask<Body[]>('GET', '/provisioning-profiles')).length, 1);
    const allow = ['disableTrading', 'enableTrading', 'balanceOperation', 'setPassword'];
    await hosted.ask('PATCH', `/provisioning-profiles/${profileId}`, { allow });
    const groups = `/mt5/provisioning-profiles/${profileId}/groups`;
    const [group] = await hosted.ask<{ name: string }[]>('GET', groups);
    const path = `${groups}/${encodeURIComponent(group?.name ?? '')}`;
    assert.deepEqual(await hosted.ask('GET', path), group);
    await hosted.ask('GET', `${groups}/nothing`, undefined, 404);
    const account = `/mt5/provisioning-profiles/${profileId}/accounts/${LOGIN}`;
    await hosted.ask('PUT', `${account}/enabled`, { enabled: false }, 204);
    await hosted.ask('PUT', `${account}/enabled`, { enabled: true }, 204);
    for (const [word, enabled] of [
      ['disable', false],
      ['enable', true],
    ] as const) {
      await hosted.ask('PUT', `${account}/${word}`, {}, 204);
      assert.equal((await hosted.ask('GET', `${account}/settings`)).enabled, enabled);
    }
    await hosted.ask('PUT', `${account}/readonly`, { readonly: true }, 204);
    const settings = await hosted.ask('GET', `${account}/settings`);
    assert.deepEqual([settings.enabled, settings.tradingEnabled], [true, false]);
    await hosted.ask('PUT', `${account}/password`, { password: 'Qwerty-123456' });
    const deposit = { amount: 100, type: 'DEAL_BALANCE', comment: 'Deposit' };
    const { dealId } = await hosted.ask('POST', `${account}/balance-transactions`, deposit);
    assert.equal(typeof dealId, 'number');
    const p4 = await hosted.ask<{ id: string }>(
      ...(['POST', '/provisioning-profiles', { name: 'Four', version: 4 }, 201] as const),
    );
    await hosted.ask('POST', `/mt4/provisioning-profiles/${p4.id}/accounts`, PERSON, 201);
    const fours = await hosted.ask<Body[]>('GET', '/provisioning-profiles?version=4&status=active');
    assert.deepEqual(
      fours.map(({ _id, type }) => [_id, type]),
      [[p4.id, 'simulated']],
    );
    assert.deepEqual(await hosted.ask('GET', '/provisioning-profiles?status=new'), []);
    await hosted.ask('POST', '/provisioning-profiles', { name: 'Six', version: 6 }, 400);
  });

  it('is told which fields were not read', async () => {
    const path = `${ME}/accounts/${accountId}/trackers`;
    const body = { name: 'week', period: 'week', absoluteDrawdownThreshold: 5, mood: 'good' };
    const made = await user.call('POST', path, body);
    assert.equal(made.status, 201);
    assert.equal(made.headers.get('plimsoll-ignored'), 'mood');
    const listed = await user.get(`${ME}/accounts?state=DEPLOYED&limit=10`);
    assert.equal(listed.status, 200);
    assert.equal(listed.headers.get('plimsoll-ignored'), 'state');
    const account = { login: '7', name: 'a', server: 'b', password: 'c' };
    const answer = await user.call('POST', `${ME}/accounts`, account);
    assert.equal(answer.headers.get('plimsoll-ignored'), 'password');
  });

  it('and one with names of ours are served by one server', async (t) => {
    const ours = { 'plimsoll-compatibility': 'none' };
    const path = `${ME}/accounts/${accountId}`;
    const read = (header: Record<string, string>) =>
      user.call<Body>('GET', path, undefined, header);
    assert.equal((await read(ours)).body.id, accountId);
    assert.equal((await user.call('GET', `${ME}/mt5/x`, undefined, ours)).status, 404);
    assert.equal((await user.call('GET', `/.hosted${path}`, undefined, ours)).status, 404);
    const plain = await startOn('sqlite');
    try {
      const other = await newUser(plain.server.address);
      const shell = new Shell(t);
      const { address } = plain.server;
      Object.assign(shell.variables, { BASE: address, TOKEN: other.token });
      const said = await shell.run(exampleOf('docs/hosted.md', 'compatibility'));
      const { token } = JSON.parse(said) as { token: string };
      assert.match(token, /^plmh_/);
      const speaker = new Client(address, token);
      assert.equal((await speaker.get(`${ME}/quota-update-requests`)).status, 200);
      assert.equal((await other.get(`${ME}/quota-update-requests`)).status, 404);
    } finally {
      await plain.close();
    }
  });

  it('has asked every row of the table, and each stands on the page of what differs', () => {
    const rows = HOSTED_ROWS.map(({ method, path }) => `${method} ${path}`);
    assert.deepEqual([...asked].sort(), rows.sort());
    const page = readFileSync(new URL('../../docs/hosted.md', import.meta.url), 'utf8');
    for (const { method, path, what } of HOSTED_ROWS) {
      const line = `| \`${method} ${path.replace(`${ME}/`, '…/')}\` | ${what} |`;
      assert.ok(page.includes(line), line);
    }
  });
});
