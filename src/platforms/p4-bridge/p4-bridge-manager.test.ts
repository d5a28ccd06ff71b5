import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, suite, test } from 'node:test';
import {
  type P4BridgeProcess,
  startP4Bridge,
} from '../../../test/servers/p4-bridge-server-process.ts';
import { understood } from '../../../test/servers/understood.ts';
import type { BalanceOperation, LoginState, Selection } from '../gateway.ts';
import { P4BridgeGateway } from './p4-bridge-gateway.ts';
import type { BridgeOrder } from './wire.ts';

const ALL = { fromMs: 0, toMs: Date.UTC(2100, 0), moneyDigits: 4 };
const folder = mkdtempSync(join(tmpdir(), 'plimsoll-p4-'));
const state = join(folder, 'state.jsonl');

let bridge: P4BridgeProcess;
let gateway: P4BridgeGateway;
before(async () => {
  bridge = await startP4Bridge(['--state', state]);
});
after(async () => {
  await bridge.kill();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  await bridge.setFault({ kind: 'none' });
  await bridge.calls();
  gateway = reach(bridge);
});

const reach = ({ url }: P4BridgeProcess): P4BridgeGateway =>
  new P4BridgeGateway({
    ...{ server: url, token: 'bridge-token', allowPrivate: true },
    limits: { retryMs: 1 },
  });

async function newLogin(deposit: number = 5000): Promise<number> {
  const user = { name: 'Ada', email: 'a@b.c', group: 'demo-usd', leverage: 100, enabled: true };
  const passwords = { password: 'Passw0rd!', investorPassword: 'Invest0r!' };
  const created = await gateway.createUser({ ...user, ...passwords }, crypto.randomUUID());
  const login = Number(created.login);
  if (deposit > 0) await gateway.balanceOperation(operation(login, { amount: deposit }));
  return login;
}
const operation = (login: number, fields: Partial<BalanceOperation> = {}): BalanceOperation => ({
  ...{ login, type: 'DEAL_TYPE_BALANCE', amount: 100, requestId: crypto.randomUUID() },
  firstSentMs: 0,
  ...fields,
});
const trade = (login: number, side: 1 | -1 = 1): Promise<void> =>
  bridge.control({
    do: 'operate',
    operation: { kind: 'open', login, symbol: 'EURUSD', side, lots: 0.1 },
  });
const operations = async (login: number): Promise<number> =>
  (await gateway.deals({ ...ALL, login })).filter(({ volume }) => volume === 0).length;

suite('actions over the bridge', () => {
  test('settings are changed, read back, and refused where the platform refuses', async () => {
    const login = await newLogin();
    assert.deepEqual(await gateway.settings(login), {
      ...{ enabled: true, tradingEnabled: true, group: 'demo-usd', leverage: 100 },
    });
    const change = { tradingEnabled: false, group: 'vip-zürich', leverage: 30 };
    const changed = await gateway.changeSettings(login, change);
    assert.deepEqual(changed, { settings: { enabled: true, ...change }, alsoChanged: [] });
    assert.equal((await gateway.accountInformation(login))?.tradeAllowed, false);
    await assert.rejects(trade(login));
    for (const bad of [{ leverage: 999 }, { group: 'none' }, { group: 'demo-eur' }])
      await assert.rejects(gateway.changeSettings(login, bad), { code: 'invalid' });
    assert.equal(await gateway.settings(1), undefined);
    await assert.rejects(gateway.changeSettings(1, { enabled: true }), { code: 'invalid' });
  });

  for (const kind of ['lostAnswer', 'drop', 'break', 'garbage'] as const)
    test(`everything has one effect although an answer suffers "${kind}"`, async () => {
      const login = await newLogin(0);
      const fail = () => bridge.setFault({ kind, times: 1 });
      const isLost = kind !== 'garbage';
      const tolerant = async (work: () => Promise<unknown>): Promise<void> => {
        await fail();
        // An answer of another shape is not retried here: the caller does that.
        if (!isLost) await assert.rejects(work, { code: 'unavailable', outcomeUnknown: true });
        await work();
      };
      const deposit = operation(login, { amount: 9000 });
      await tolerant(() => gateway.balanceOperation(deposit));
      await gateway.balanceOperation(deposit);
      assert.equal(await operations(login), 1);
      await trade(login);
      await trade(login, -1);
      await tolerant(() => gateway.changeSettings(login, { tradingEnabled: false }));
      await tolerant(() => gateway.closePositions(login, undefined));
      await tolerant(() =>
        gateway.setPassword({ login, kind: 'main', password: `${kind.slice(0, 5)}A1!x` }),
      );
      assert.deepEqual(await gateway.positions(login), []);
      const exits = (await gateway.deals({ ...ALL, login })).filter(
        ({ entry }) => entry === 'DEAL_ENTRY_OUT',
      );
      assert.equal(exits.length, 2);
      const password = { login, kind: 'main', password: `${kind.slice(0, 5)}A1!x` } as const;
      assert.equal(await gateway.checkPassword(password), true);
    });

  test('money is not moved twice after a restart of the bridge', async () => {
    const login = await newLogin(0);
    const deposit = operation(login, { comment: 'Payout' });
    await bridge.setFault({ kind: 'lostAnswer', times: 3 });
    await assert.rejects(gateway.balanceOperation(deposit), {
      ...{ code: 'unavailable', outcomeUnknown: true },
    });
    await bridge.kill();
    bridge = await startP4Bridge(['--state', state]);
    gateway = reach(bridge);
    const { dealId } = await gateway.balanceOperation(deposit);
    const [deal, ...others] = await gateway.deals({ ...ALL, login });
    assert.deepEqual([deal?.id, deal?.profit, others.length], [dealId, 1_000_000, 0]);
    assert.match(deal?.comment ?? '', /^Payout #/);
    await assert.rejects(gateway.balanceOperation({ ...deposit, amount: 7 }), { code: 'invalid' });
    const bonus = operation(login, { type: 'DEAL_TYPE_BONUS' });
    await assert.rejects(gateway.balanceOperation(bonus), { code: 'unsupported' });
  });

  test('positions are closed all or by id; those already gone count as done', async () => {
    const login = await newLogin();
    for (let index = 0; index < 3; index += 1) await trade(login);
    const ids = (await gateway.positions(login)).map(({ positionId }) => positionId);
    const first = ids.slice(0, 1);
    assert.deepEqual(await gateway.closePositions(login, first), { done: first, failed: [] });
    assert.deepEqual(await gateway.closePositions(login, first), { done: first, failed: [] });
    const rest = await gateway.closePositions(login, undefined);
    assert.deepEqual(rest, { done: ids.slice(1), failed: [] });
  });

  test('pending orders are listed and cancelled', async () => {
    const login = await newLogin();
    const place = { kind: 'place', login, symbol: 'EURUSD', side: -1, lots: 0.2 } as const;
    const order = { ...place, price: 9, waitsFor: 'limit' } as const;
    await bridge.control({ do: 'operate', operation: order });
    const [waiting] = await gateway.pendingOrders(login);
    const expected = { symbol: 'EURUSD', type: 'ORDER_TYPE_SELL_LIMIT', volume: 0.2, price: 9 };
    assert.deepEqual(waiting, { orderId: waiting?.orderId, ...expected });
    await gateway.cancelOrders(login, undefined);
    assert.deepEqual(await gateway.pendingOrders(login), []);
  });

  test('groups come with their currencies', async () => {
    const groups = await gateway.groups();
    assert.deepEqual(groups[1], { name: 'demo-eur', currency: 'EUR' });
    assert.equal(groups.length, 7);
  });

  test('a bridge that cannot check passwords says so', async () => {
    await bridge.setFault({ kind: 'status', status: 501, times: 1 });
    const password = { login: 100001, kind: 'main', password: 'x' } as const;
    assert.equal(await gateway.checkPassword(password), undefined);
  });
});

suite('reading very many accounts', () => {
  const states = async (selection: Selection): Promise<LoginState[]> =>
    (await Array.fromAsync(gateway.readStates(selection))).flat().map(understood);

  test('gives states by logins and by groups equal to single readings', async () => {
    const logins = (await gateway.usersOfGroup('demo-usd')).map(({ login }) => Number(login));
    const byLogins = await states({ logins: [...logins, 1] });
    assert.deepEqual(await states({ groups: ['demo-usd'] }), byLogins);
    assert.equal(byLogins.length, logins.length);
    for (const { login, ...state } of byLogins.slice(0, 3)) {
      const { balance, equity, margin, freeMargin, credit } =
        (await gateway.accountInformation(login)) ?? {};
      assert.deepEqual(state, { balance, equity, margin, freeMargin, credit });
    }
  });

  test('gives the deals of wanted logins in a range, and trusts none of a lost session', async () => {
    const range = { fromMs: Date.UTC(2026, 10, 10), toMs: Date.UTC(2026, 10, 20) };
    const wanted = new Set([100001, 100002, 100003]);
    const moneyDigits = (login: number) => (wanted.has(login) ? 4 : undefined);
    const query = { selection: { groups: ['demo-usd'] }, ...range, moneyDigits };
    await bridge.setFault({ kind: 'idleLogout' });
    const found = (await Array.fromAsync(gateway.readDeals(query))).flat().map(understood);
    assert.ok(found.length >= 2);
    for (const { login, deals } of found)
      assert.deepEqual(deals, await gateway.deals({ login, ...range, moneyDigits: 4 }));
    await bridge.setFault({ kind: 'idleLogout', lasting: true });
    await assert.rejects(Array.fromAsync(reach(bridge).readStates({ groups: ['demo-usd'] })), {
      code: 'unavailable',
    });
  });

  test('orders with old times, edited or removed, show in the totals of their range', async () => {
    const login = await newLogin(0);
    const march = { login, fromMs: Date.UTC(2026, 2, 1), toMs: Date.UTC(2026, 3, 1) };
    assert.equal(await gateway.countDeals(march), 0);
    const order: BridgeOrder = {
      ...{ order: 77, type: 'balance', lots: 0, profit: 5, swap: 0, commission: 0, taxes: 0 },
      ...{ openTime: '2026-03-15 10:00:00', closeTime: '2026-03-15 10:00:00', comment: 'late' },
    };
    await bridge.control({ do: 'book', booked: { login, order } });
    assert.equal(await gateway.countDeals(march), 1);
    const [late] = await gateway.deals({ ...march, moneyDigits: 4 });
    assert.equal(late?.profit, 50_000);
    await bridge.control({ do: 'remove', order: 77 });
    assert.equal(await gateway.countDeals(march), 0);
  });

  test('counts as many bookings as there are closings and operations', async () => {
    const login = 100002;
    const deals = await gateway.deals({ ...ALL, login });
    const bookings = deals.filter(({ entry }) => entry !== 'DEAL_ENTRY_IN').length;
    assert.ok(bookings > 100);
    assert.equal(await gateway.countDeals({ ...ALL, login }), bookings);
  });
});
