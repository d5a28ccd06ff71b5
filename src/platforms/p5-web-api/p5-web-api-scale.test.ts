import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';
import { needs } from '../../../test/needs.ts';
import { eventually, P5Fixture } from '../../../test/servers/p5-fixture.ts';
import type { P5ServerProcess } from '../../../test/servers/p5-server-process.ts';
import { understood } from '../../../test/servers/understood.ts';
import { until } from '../../../test/servers/until.ts';
import type { Gateway, LoginState, Selection } from '../gateway.ts';

needs('openssl');

const FIRST = 500_000;
const COUNT = 1_200;
const GROUPS = ['real\\bulk-0', 'real\\bulk-1', 'real\\bulk-2'];
const LOGINS = Array.from({ length: COUNT }, (_, index) => FIRST + index);

let p5: P5Fixture;
let server: P5ServerProcess;
before(async () => {
  p5 = await P5Fixture.start();
  server = p5.server;
  const bulk = { first: FIRST, count: COUNT, group: 'real\\bulk', groups: GROUPS.length };
  await server.control('/bulk', bulk);
});
after(() => server.remove());
beforeEach(async () => {
  await p5.reset();
  await server.control('/network', { latencyMs: 0, maxSessions: 99 });
});

async function states(gateway: Gateway, selection: Selection): Promise<Map<number, LoginState>> {
  const batches = await Array.fromAsync(gateway.readStates(selection));
  return new Map(batches.flat().map((state) => [state.login, understood(state)]));
}
async function deals(
  gateway: Gateway,
  selection: Selection,
  range: { fromMs: number; toMs: number },
) {
  const query = { selection, ...range, moneyDigits: () => 4 };
  const batches = await Array.fromAsync(gateway.readDeals(query));
  return new Map(batches.flat().map((each) => [each.login, understood(each).deals]));
}
const sessionsFor = async (work: () => Promise<unknown>): Promise<number> => {
  const { sessions } = await p5.seen();
  await work();
  return (await p5.seen()).sessions - sessions;
};
const quoteEurUsd = (bid: number): Promise<unknown> =>
  server.control('/quote', { symbol: 'EURUSD', bid, ask: bid });

suite('states of very many accounts', () => {
  test('states are equal by logins, by groups and by single readings', async () => {
    const gateway = p5.gateway();
    await quoteEurUsd(1.09);
    const byLogins = await states(gateway, { logins: LOGINS });
    assert.deepEqual(await states(gateway, { groups: GROUPS }), byLogins);
    assert.deepEqual(await states(gateway, { groups: ['real\\bulk-*'] }), byLogins);
    assert.equal(byLogins.size, COUNT);
    for (const login of [FIRST, FIRST + 7, FIRST + COUNT - 1]) {
      const { balance, equity, margin, freeMargin, credit } =
        (await gateway.accountInformation(login)) ?? {};
      const state = { login, balance, equity, margin, freeMargin, credit };
      assert.deepEqual(byLogins.get(login), state);
    }
    assert.equal(byLogins.get(FIRST + 7)?.equity, 10_000 - 70);
    await quoteEurUsd(1.1);
    assert.equal((await states(gateway, { logins: LOGINS })).get(FIRST + 7)?.equity, 10_000);
  });

  test('states take few requests, over several sessions but never more than allowed', async () => {
    const gateway = p5.gateway({ maxSessions: 3 });
    const { requests } = await p5.seen();
    assert.equal(await sessionsFor(() => states(gateway, { logins: LOGINS })), 3);
    const sent = (await p5.seen()).requests.slice(requests.length);
    assert.equal(sent.filter((line) => line.includes('get_batch')).length, Math.ceil(COUNT / 250));
    assert.equal(await sessionsFor(() => gateway.check()), 0);
    assert.ok((await p5.seen()).connections <= 3);
  });

  test('states arrive completely from a server that accepts one session only', async () => {
    await eventually(async () => assert.equal((await p5.seen()).connections, 0));
    await server.control('/network', { maxSessions: 1 });
    const gateway = p5.gateway();
    assert.equal((await states(gateway, { logins: LOGINS })).size, COUNT);
    // A further session is not tried again for a while.
    assert.equal(await sessionsFor(() => states(gateway, { logins: LOGINS })), 0);
  });

  test('states are read with fewer sessions if requests come too frequently', async () => {
    const gateway = p5.gateway();
    const command = '/api/user/account/get_batch';
    await server.control('/fault', { kind: 'refuse', command, times: 3 });
    assert.equal((await states(gateway, { logins: LOGINS })).size, COUNT);
    await eventually(async () => assert.ok((await p5.seen()).connections < 4));
  });

  test('states survive lost sessions, and a missing platform is reported', async () => {
    const gateway = p5.gateway();
    const command = '/api/user/account/get_batch';
    await server.control('/fault', { kind: 'drop', command, times: 2 });
    assert.equal((await states(gateway, { logins: LOGINS })).size, COUNT);
    await server.control('/fault', { kind: 'hang', command, times: 9 });
    const hasty = p5.gateway({ answerMs: 500 });
    await assert.rejects(states(hasty, { logins: LOGINS }), { code: 'unavailable' });
  });

  test('states by logins include idle accounts, from their records, and no strangers', async () => {
    const idle = await p5.openAccount();
    const gateway = p5.gateway({ idleMs: 60_000 });
    const selection = { logins: [idle, FIRST, 1] };
    const first = await states(gateway, selection);
    assert.deepEqual([...first.keys()].toSorted(), [FIRST, idle].toSorted());
    // An idle account's data are not requested again, until it becomes active.
    const { requests } = await p5.seen();
    assert.deepEqual(await states(gateway, { logins: [idle] }), new Map([[idle, first.get(idle)]]));
    const sent = (await p5.seen()).requests.slice(requests.length).join();
    assert.equal(sent.includes('/api/user/get_batch'), false);
    await server.control('/deposit', { login: idle, amount: 5 });
    assert.equal((await states(gateway, selection)).get(idle)?.balance, 5);
  });

  test('idle states are forgotten when the platform may have restarted', async () => {
    const login = await p5.openAccount();
    const gateway = p5.gateway({ idleMs: 60_000 });
    assert.equal((await states(gateway, { logins: [login] })).get(login)?.balance, 0);
    await server.control('/deposit', { login, amount: 9 });
    await server.kill();
    await server.start();
    const found = await eventually(() => states(gateway, { logins: [login] }));
    assert.equal(found.get(login)?.balance, 9);
  });

  test('states of a server without batch commands are read one after another', async () => {
    const idle = await p5.openAccount();
    const logins = [FIRST, FIRST + 1, idle];
    const range = { fromMs: 0, toMs: Date.UTC(2100, 0), moneyDigits: () => 4 };
    await server.control('/deposit', { login: FIRST + 1, amount: 9 });
    const readDeals = async () =>
      (await Array.fromAsync(p5.gateway().readDeals({ selection: { logins }, ...range }))).flat();
    const [together, deals] = [await states(p5.gateway(), { logins }), await readDeals()];
    assert.equal(deals.length, 1);
    for (const command of ['user/account', 'user', 'deal'].map((room) => `/api/${room}/get_batch`))
      await server.control('/fault', {
        ...{ kind: 'refuse', command, retcode: '11 No service', times: 1_000 },
      });
    assert.deepEqual(await states(p5.gateway(), { logins }), together);
    assert.deepEqual(await readDeals(), deals);
  });

  test('reading states ends for a reader who leaves, and the gateway serves others', async () => {
    const gateway = p5.gateway({ maxLogins: 10, maxSessions: 2 });
    for await (const batch of gateway.readStates({ logins: LOGINS })) {
      assert.equal(batch.length, 10);
      break;
    }
    await gateway.check();
    const sent = (await p5.seen()).requests.filter((line) => line.includes('5005'));
    assert.ok(sent.length < 5);
  });
});

suite('deals of very many accounts', () => {
  const nowMs = async (): Promise<number> => (await p5.gateway().check()).brokerTimeMs;

  test('deals of a range come by logins and by groups, only for wanted logins', async () => {
    const gateway = p5.gateway();
    // Deals have whole seconds: those of the tests before are of an earlier one.
    const beforeMs = await nowMs();
    await until(async () => (await nowMs()) >= beforeMs + 1000, 'the next second');
    const fromMs = await nowMs();
    await server.control('/deposit', { login: FIRST + 5, amount: 10 });
    await server.control('/deposit', { login: FIRST + 6, amount: 20 });
    await server.control('/open', { login: FIRST + 6, symbol: 'EURUSD', side: 'buy', lots: 0.1 });
    const range = { fromMs, toMs: fromMs + 3_600_000 };
    const byLogins = await deals(gateway, { logins: LOGINS }, range);
    assert.deepEqual([...byLogins.keys()].toSorted(), [FIRST + 5, FIRST + 6]);
    for (const [login, found] of byLogins)
      assert.deepEqual(found, await gateway.deals({ login, ...range, moneyDigits: 4 }));
    assert.deepEqual(await deals(gateway, { groups: GROUPS }, range), byLogins);
    const query = { selection: { groups: GROUPS }, ...range };
    const wanted = (login: number) => (login === FIRST + 5 ? 4 : undefined);
    const some = await Array.fromAsync(gateway.readDeals({ ...query, moneyDigits: wanted }));
    assert.deepEqual(
      some.flat().map(({ login }) => login),
      [FIRST + 5],
    );
  });

  test('deals are counted over several sessions, but never more than allowed', async () => {
    const gateway = p5.gateway({ maxSessions: 3 });
    const range = { fromMs: 0, toMs: await nowMs() };
    // The first session shows whether the server accepts any.
    await gateway.check();
    const logins = LOGINS.slice(0, 30);
    const count = () => Promise.all(logins.map((login) => gateway.countDeals({ login, ...range })));
    assert.equal(await sessionsFor(count), 2);
  });

  test('deals that appear with old times, or disappear, show in the totals of their range', async () => {
    const login = await p5.openAccount();
    const gateway = p5.gateway();
    const month = { fromMs: Date.UTC(2026, 2, 1), toMs: Date.UTC(2026, 3, 1) };
    const count = () => gateway.countDeals({ login, ...month });
    assert.equal(await count(), 0);
    const fields = { Profit: 3, TimeMsc: Date.UTC(2026, 2, 15) };
    const late = await server.control('/deal', { login, fields });
    const edge = { Profit: 1, TimeMsc: month.toMs };
    await server.control('/deal', { login, fields: edge });
    assert.equal(await count(), 1);
    const range = { fromMs: await nowMs(), toMs: Date.UTC(2100, 0) };
    assert.equal((await deals(gateway, { logins: [login] }, range)).size, 0);
    assert.equal((await gateway.deals({ login, ...month, moneyDigits: 4 })).length, 1);
    await server.control('/deal/delete', { deal: late.Deal });
    assert.equal(await count(), 0);
    assert.equal(await gateway.countDeals({ login, fromMs: 0, toMs: 0 }), 0);
    assert.equal(await gateway.countDeals({ login: 1, ...month }), 0);
  });
});
