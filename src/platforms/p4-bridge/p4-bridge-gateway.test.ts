import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { needs } from '../../../test/needs.ts';
import {
  type P4BridgeProcess,
  startP4Bridge,
} from '../../../test/servers/p4-bridge-server-process.ts';
import { systemTime } from '../../app/system-time.ts';
import { SimulatedBroker } from '../../demo/platform/broker.ts';
import { Histories } from '../../demo/platform/histories.ts';
import { MemoryStore } from '../../demo/platform/memory-store.fixture.ts';
import { SimulatedGateway } from '../../demo/platform/simulated-gateway.ts';
import { formatBrokerTime } from '../../domain/broker-time.ts';
import { calculateMargin } from '../../domain/margin/calculate-margin.ts';
import { readMarket, type SymbolRecord } from '../../domain/margin/read-market.ts';
import type { NewPlatformUser, PlatformError, PlatformMarket } from '../gateway.ts';
import { P4BridgeGateway } from './p4-bridge-gateway.ts';

needs('openssl');

const UNREACHABLE = 'the server cannot be reached, or does not answer like this kind of platform';
const NOW = Date.UTC(2026, 10, 18, 12);
const ALL = { fromMs: 0, toMs: Date.UTC(2100, 0), moneyDigits: 4 };
const LOGIN = 100001;
const newUser: NewPlatformUser = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  group: 'demo-usd',
  leverage: 100,
  clientId: 42,
  leadSource: 'website',
  enabled: true,
  password: 'Passw0rd!',
  investorPassword: 'Invest0r!',
};

let bridge: P4BridgeProcess;
let gateway: P4BridgeGateway;
before(async () => {
  bridge = await startP4Bridge();
});
after(() => bridge.kill());
beforeEach(async () => {
  await bridge.setFault({ kind: 'none' });
  await bridge.calls();
  gateway = open();
});

function open(limits: Record<string, number> = {}): P4BridgeGateway {
  return new P4BridgeGateway({
    server: bridge.url,
    token: 'bridge-token',
    allowPrivate: true,
    limits: { retryMs: 1, ...limits },
  });
}

/** The platform behind the bridge of the tests, without the bridge. */
async function behind(): Promise<SimulatedGateway> {
  const store = new MemoryStore();
  const broker = await SimulatedBroker.open({
    ...{ family: 'p4', seed: 7, store, now: () => NOW },
    ...{ userId: 'user', histories: new Histories(systemTime) },
  });
  return new SimulatedGateway(broker);
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('all data arrive as on the platform behind the bridge, page by page', async () => {
  const platform = await behind();
  assert.deepEqual(await gateway.check(), await platform.check());
  for (const group of [undefined, 0, 1, 31])
    assert.deepEqual(await gateway.symbols(group), await platform.symbols(group));
  for (const { name } of platform.broker.groups) {
    const users = (await platform.usersOfGroup(name)).map((each) => ({
      ...each,
      leadCampaign: '',
    }));
    assert.deepEqual(await gateway.usersOfGroup(name), users, name);
  }
  for (const login of [LOGIN, LOGIN + 1, 120001]) {
    const query = { ...ALL, login };
    const deals = await platform.deals(query);
    assert.ok(login !== LOGIN || deals.length > 1000);
    assert.deepEqual(plain(await gateway.deals(query)), plain(deals));
    assert.deepEqual(await gateway.positions(login), await platform.positions(login));
    assert.deepEqual(
      await gateway.accountInformation(login),
      plain(await platform.accountInformation(login)),
    );
    const market = await platform.market(login, 'EURJPY');
    assert.deepEqual(plain(await gateway.market(login, 'EURJPY')), plain(market));
  }
});

test('leverage that falls with the volume is used as the bridge tells it', async () => {
  const platform = await behind();
  const { symbols = [], quotes = [] } = (await platform.market(LOGIN, 'GBPUSD')) ?? {};
  const leverageTiers = [
    { fromVolume: 0, leverage: 50 },
    { fromVolume: 2, leverage: 10 },
  ];
  const told = {
    symbols: symbols.map((symbol) => ({ ...symbol, leverageTiers })),
    quotes: quotes.map(({ brokerTimeMs, ...quote }) => {
      return { ...quote, brokerTime: formatBrokerTime(brokerTimeMs) };
    }),
  };
  const teller = createServer((_, answer) => answer.end(JSON.stringify(told)));
  await once(teller.listen(0, '127.0.0.1'), 'listening');
  const { port } = teller.address() as AddressInfo;
  try {
    const server = `http://127.0.0.1:${port}`;
    const one = new P4BridgeGateway({ server, token: 'bridge-token', allowPrivate: true });
    const market = await one.market(LOGIN, 'GBPUSD');
    await one.close();
    assert.ok(market);
    const marginOf = (volume: number, leverage: number, symbols: PlatformMarket['symbols']) => {
      const account = { family: 'p4', currency: 'USD', currencyDigits: 2, leverage } as const;
      const order = { symbol: 'GBPUSD', type: 'ORDER_TYPE_BUY', volume, openPrice: 1.25 };
      const read = readMarket('p4', { symbols: symbols as SymbolRecord[], quotes });
      if ('faults' in read) return assert.fail(JSON.stringify(read));
      const result = calculateMargin({ order, account, market: read.market });
      return 'margin' in result ? result.margin : assert.fail(JSON.stringify(result));
    };
    assert.equal(
      marginOf(3, 100, market.symbols),
      marginOf(2, 50, symbols) + marginOf(1, 10, symbols),
    );
  } finally {
    teller.close();
  }
});

test('unknown logins: none of a record, a refusal of a list', async () => {
  assert.equal(await gateway.user(1), undefined);
  assert.equal(await gateway.accountInformation(1), undefined);
  assert.equal(await gateway.market(1, 'EURUSD'), undefined);
  await assert.rejects(gateway.deals({ ...ALL, login: 1 }), { code: 'invalid' });
  await assert.rejects(gateway.positions(1), { code: 'invalid' });
});

test('an account is opened once, although the answer to the first try was lost', async () => {
  await bridge.setFault({ kind: 'lostAnswer', times: 1 });
  const created = await gateway.createUser(newUser, 'request-1');
  assert.deepEqual(await bridge.calls(), ['POST /v1/users', 'POST /v1/users']);
  assert.deepEqual(await gateway.createUser(newUser, 'request-1'), created);
  const user = await gateway.user(Number(created.login));
  assert.equal(user?.clientId, '42');
  assert.equal(user?.leadSource, 'website');
  const again = await gateway.createUser(newUser, 'request-2');
  assert.notEqual(again.login, created.login);
});

test("refused values are the caller's fault", async () => {
  await assert.rejects(gateway.createUser({ ...newUser, group: 'none' }, 'r'), (error: Error) => {
    assert.equal((error as Error & { code: string }).code, 'invalid');
    assert.ok(!error.message.includes('Passw0rd!'));
    return true;
  });
});

test('passing failures are retried, a few times', async () => {
  for (const fault of [
    { kind: 'status', status: 503, times: 2 },
    { kind: 'status', status: 200 + 300, code: 8, times: 2 },
    { kind: 'drop', times: 2 },
    { kind: 'lostAnswer', times: 2 },
  ] as const) {
    await bridge.setFault(fault);
    assert.equal((await gateway.user(LOGIN))?.login, String(LOGIN), JSON.stringify(fault));
  }
  await bridge.calls();
  await bridge.setFault({ kind: 'drop' });
  await assert.rejects(gateway.user(LOGIN), { code: 'unavailable' });
  assert.equal((await bridge.calls()).length, 3);
});

test('return codes and statuses say whose fault it is, and when to retry', async () => {
  const cases = [
    [{ status: 400, code: 3 }, 'invalid', undefined],
    [{ status: 500, code: 7 }, 'forbidden', undefined],
    [{ status: 500, code: 64 }, 'denied', undefined],
    [{ status: 500, code: 6 }, 'unavailable', 30],
    [{ status: 500, code: 128 }, 'unavailable', 30],
    [{ status: 503, code: 8, retryAfter: 77 }, 'unavailable', 77],
    [{ status: 401 }, 'denied', undefined],
    [{ status: 403 }, 'forbidden', undefined],
    [{ status: 405 }, 'unsupported', undefined],
    [{ status: 501 }, 'unsupported', undefined],
    [{ status: 502 }, 'unavailable', 30],
  ] as const;
  for (const [answer, code, retryAfterSeconds] of cases) {
    await bridge.setFault({ kind: 'status', ...answer });
    // A missing call is not tried again.
    await assert.rejects(
      open().user(LOGIN),
      { name: 'PlatformError', code, retryAfterSeconds },
      JSON.stringify(answer),
    );
  }
});

test('a wrong token is denied and in no error', async () => {
  const wrong = new P4BridgeGateway({
    ...{ server: bridge.url, token: 'secret-of-mine', allowPrivate: true },
  });
  await assert.rejects(wrong.check(), (error: Error & { code?: string }) => {
    assert.equal(error.code, 'denied');
    assert.ok(!`${error.stack}`.includes('secret-of-mine'));
    return true;
  });
});

test('a session logged out for idling is logged in again before an empty list is trusted', async () => {
  await bridge.setFault({ kind: 'idleLogout' });
  assert.equal((await gateway.usersOfGroup('demo-eur')).length, 3);
  const calls = await bridge.calls();
  assert.ok(calls.includes('POST /v1/session'));
  await bridge.setFault({ kind: 'idleLogout', lasting: true });
  await assert.rejects(open().usersOfGroup('demo-eur'), { code: 'unavailable' });
  await assert.rejects(open().check(), { code: 'unavailable' });
});

test('a truly empty list is trusted once the session was found sane', async () => {
  const one = open({ saneMs: 600_000 });
  assert.deepEqual(await one.usersOfGroup('preliminary'), []);
  assert.deepEqual(await bridge.calls(), [
    'GET /v1/users?group=preliminary',
    'GET /v1/health',
    'GET /v1/users?group=preliminary',
  ]);
  assert.deepEqual(await one.usersOfGroup('none'), []);
  assert.equal((await bridge.calls()).length, 1);
});

test('answers are bounded in time, size, pages and shape', async () => {
  const bounds = { maxBodyBytes: 10_000, maxPages: 5, maxTries: 1 };
  const small = open(bounds);
  const hasty = open({ ...bounds, answerMs: 50, connectMs: 50 });
  for (const fault of [
    { kind: 'slow', ms: 5_000 },
    { kind: 'huge', bytes: 20_000 },
    { kind: 'garbage' },
    { kind: 'endless' },
  ] as const) {
    await bridge.setFault(fault);
    const one = fault.kind === 'slow' ? hasty : small;
    await assert.rejects(one.usersOfGroup('bonus 100%'), { code: 'unavailable' }, fault.kind);
  }
  await bridge.setFault({ kind: 'none' });
  assert.equal((await small.usersOfGroup('bonus 100%')).length, 1);
});

test('closing a gateway ends its calls at once', async () => {
  await bridge.setFault({ kind: 'slow', ms: 60_000, times: 1 });
  const called = gateway.user(LOGIN);
  await gateway.close();
  await assert.rejects(called, { name: 'PlatformError', code: 'unavailable' });
});

test('a certificate is trusted by its authority or its fingerprint, and by nothing else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-p4-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const days = ['-days', '2', '-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', key, '-out', cert];
  const make = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  execFileSync('openssl', [...make, '-nodes', ...days, ...files], { stdio: 'ignore' });
  const tlsCa = readFileSync(cert, 'utf8');
  const tlsFingerprint = new X509Certificate(tlsCa).fingerprint256;
  const secure = await startP4Bridge(['--key', key, '--cert', cert]);
  try {
    const limits = { retryMs: 1 };
    const options = { server: secure.url, token: 'bridge-token', allowPrivate: true, limits };
    for (const trust of [{ tlsCa }, { tlsFingerprint }]) {
      const trusting = new P4BridgeGateway({ ...options, ...trust });
      assert.equal((await trusting.user(LOGIN))?.login, String(LOGIN));
      await trusting.close();
    }
    const stranger = 'ab'.repeat(32);
    for (const trust of [{}, { tlsFingerprint: stranger }])
      await assert.rejects(
        new P4BridgeGateway({ ...options, ...trust }).user(LOGIN),
        (error: PlatformError) => {
          // Users get the same message whatever is at the other end; the cause is for the log.
          assert.deepEqual([error.code, error.message], ['unavailable', UNREACHABLE]);
          return /certificate/.test(String(error.cause));
        },
      );
  } finally {
    await secure.kill();
    rmSync(folder, { recursive: true });
  }
});

test('plain http is for loopback addresses only', () => {
  const options = { token: 't', allowPrivate: true };
  assert.throws(() => new P4BridgeGateway({ ...options, server: 'http://bridge.example.com' }), {
    name: 'PlatformError',
    code: 'invalid',
  });
  new P4BridgeGateway({ ...options, server: 'https://bridge.example.com:8443' });
});
