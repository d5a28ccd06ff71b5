import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemTime } from '../../app/system-time.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/broker-time.ts';
import { moneyOf } from '../../domain/deal.ts';
import { toUnits } from '../../domain/money.ts';
import type { BalanceOperation, NewPlatformUser } from '../../platforms/gateway.ts';
import type { Platform } from '../../words/accounts.ts';
import { SimulatedBroker } from './broker.ts';
import { Histories } from './histories.ts';
import { MemoryStore } from './memory-store.fixture.ts';
import { SimulatedGateway } from './simulated-gateway.ts';

const START = Date.UTC(2026, 10, 18, 12);
const FOREVER = { fromMs: 0, toMs: Date.UTC(2100, 0), moneyDigits: 4 };
/** Logins ending in 2 trade every day; see strategy.ts. */
const TRADER = { p4: 100002, p5: 200002 };
const GROUPS = {
  p4: { usd: 'demo-usd', other: 'vip-zürich', eur: 'demo-eur' },
  p5: { usd: 'demo\\usd', other: 'real\\pro/plus usd', eur: 'demo\\eur' },
};

async function world(
  family: Platform,
  store: MemoryStore = new MemoryStore(),
  aheadMs: number = 0,
) {
  const clock = { nowMs: START };
  const now = (): number => clock.nowMs + aheadMs;
  const broker = await SimulatedBroker.open({
    ...{ family, seed: 7, store, now },
    ...{ userId: 'user', histories: new Histories(systemTime) },
  });
  const gateway = new SimulatedGateway(broker);
  const trade = (login: number, lots: number, side: 1 | -1 = 1): Promise<void> =>
    broker.operate(login, () => ({ kind: 'open', login, symbol: 'EURUSD', side, lots }));
  return { clock, store, broker, gateway, trade };
}

const newUser = (group: string): NewPlatformUser => ({
  ...{ name: 'Ada Lovelace', email: 'ada@example.com', group, leverage: 200, enabled: true },
  ...{ password: 'Passw0rd!', investorPassword: 'Invest0r!' },
});
const operation = (login: number, fields: Partial<BalanceOperation> = {}): BalanceOperation => ({
  ...{ login, type: 'DEAL_TYPE_BALANCE', amount: 1000, requestId: crypto.randomUUID() },
  firstSentMs: START,
  ...fields,
});

for (const family of ['p4', 'p5'] as const) {
  const groups = GROUPS[family];
  const open = async (gateway: SimulatedGateway): Promise<number> =>
    Number((await gateway.createUser(newUser(groups.usd), crypto.randomUUID())).login);

  test(`${family}: a disabled account opens nothing more, by hand or automatically`, async () => {
    const { gateway, clock, trade } = await world(family);
    const login = TRADER[family];
    const twin = await world(family);
    const openings = async (one: SimulatedGateway): Promise<number> => {
      const deals = await one.deals({ ...FOREVER, login });
      return deals.filter(
        ({ entry, timeMs }) => entry === 'DEAL_ENTRY_IN' && timeMs > START + DAY_MS,
      ).length;
    };
    for (const change of [{ tradingEnabled: false }, { enabled: false, tradingEnabled: true }]) {
      const { settings } = await gateway.changeSettings(login, change);
      assert.deepEqual({ ...settings, ...change }, settings);
      await assert.rejects(trade(login, 0.1), { code: 'invalid', message: /disabled/ });
      assert.equal((await gateway.accountInformation(login))?.tradeAllowed, false);
    }
    for (const each of [clock, twin.clock]) each.nowMs = START + 9 * DAY_MS;
    assert.ok((await openings(twin.gateway)) > 3);
    assert.equal(await openings(gateway), 0);
    await gateway.changeSettings(login, { enabled: true });
    await trade(login, 0.1);
  });

  test(`${family}: closing positions books deals with the profit of the market`, async () => {
    const { gateway, clock, trade } = await world(family);
    const login = await open(gateway);
    await gateway.balanceOperation(operation(login, { amount: 5000 }));
    await trade(login, 0.5);
    await trade(login, 0.2, -1);
    await trade(login, 0.1);
    clock.nowMs += 5 * HOUR_MS;
    const before = await gateway.accountInformation(login);
    const [first, ...others] = await gateway.positions(login);
    const one = await gateway.closePositions(login, [first?.positionId ?? '']);
    assert.deepEqual(one, { done: [first?.positionId], failed: [] });
    await gateway.changeSettings(login, { tradingEnabled: false });
    const rest = await gateway.closePositions(login, undefined);
    assert.deepEqual(
      rest.done,
      others.map(({ positionId }) => positionId),
    );
    assert.deepEqual(await gateway.positions(login), []);
    const after = await gateway.accountInformation(login);
    assert.equal(after?.equity, after?.balance);
    assert.equal(after?.balance, before?.equity === undefined ? 0 : costs(before.equity, family));
    const deals = await gateway.deals({ ...FOREVER, login });
    assert.equal(deals.filter(({ entry }) => entry === 'DEAL_ENTRY_OUT').length, 3);
    const sum = deals.map(moneyOf).reduce((a, b) => a + b, 0);
    assert.equal(toUnits(after?.balance ?? 0, 4), sum);
    assert.deepEqual(await gateway.closePositions(login, undefined), { done: [], failed: [] });
  });

  test(`${family}: settings are changed, kept over a restart, and refused where impossible`, async () => {
    const { gateway, store, trade } = await world(family);
    const login = await open(gateway);
    await gateway.balanceOperation(operation(login));
    await trade(login, 0.1);
    const marginAt200 = (await gateway.accountInformation(login))?.margin ?? 0;
    await gateway.changeSettings(login, { group: groups.other, leverage: 50 });
    const expected = { enabled: true, tradingEnabled: true, group: groups.other, leverage: 50 };
    for (const each of [gateway, (await world(family, store)).gateway]) {
      assert.deepEqual(await each.settings(login), expected);
      assert.equal((await each.user(login))?.group, groups.other);
      const margin = (await each.accountInformation(login))?.margin ?? 0;
      assert.ok(Math.abs(margin - 4 * marginAt200) < 0.05);
      const members = await each.usersOfGroup(groups.other);
      assert.ok(members.some((user) => user.login === String(login)));
    }
    for (const change of [
      { leverage: 501 },
      { leverage: 0 },
      { group: 'none' },
      { group: groups.eur },
    ])
      await assert.rejects(gateway.changeSettings(login, change), { code: 'invalid' });
    assert.deepEqual(await gateway.settings(login), expected);
    await assert.rejects(gateway.changeSettings(1, { enabled: false }), { code: 'invalid' });
    assert.equal(await gateway.settings(1), undefined);
  });

  test(`${family}: money is moved once per id, and never more than there is`, async () => {
    const { gateway, store, trade } = await world(family);
    const login = await open(gateway);
    const deposit = operation(login, { comment: 'first' });
    const { dealId } = await gateway.balanceOperation(deposit);
    const again = (await world(family, store)).gateway;
    assert.deepEqual(await again.balanceOperation(deposit), { dealId });
    await assert.rejects(gateway.balanceOperation({ ...deposit, amount: 2 }), { code: 'invalid' });
    await trade(login, 0.5);
    for (const fields of [
      { amount: -990 },
      { amount: -1, type: 'DEAL_TYPE_CREDIT' },
      { amount: 2e9 },
      { amount: 0.000_01 },
    ] as const)
      await assert.rejects(gateway.balanceOperation(operation(login, fields)), { code: 'invalid' });
    await gateway.balanceOperation(operation(login, { amount: 50, type: 'DEAL_TYPE_CREDIT' }));
    assert.equal((await gateway.accountInformation(login))?.credit, 50);
    const deals = await gateway.deals({ ...FOREVER, login });
    const cash = deals.filter(({ volume }) => volume === 0);
    assert.deepEqual(
      cash.map(({ id, profit, comment }) => [id === dealId, profit, comment?.split(' ')[0]]),
      [
        [true, 10_000_000, 'first'],
        [false, 500_000, cash[1]?.comment],
      ],
    );
    assert.equal(await gateway.countDeals({ ...FOREVER, login }), family === 'p4' ? 2 : 3);
  });

  test(`${family}: a password matches only its account and kind, and is kept as a hash`, async () => {
    const { gateway, store } = await world(family);
    const login = await open(gateway);
    const check = (kind: 'main' | 'investor', password: string): Promise<boolean> =>
      gateway.checkPassword({ login, kind, password });
    assert.equal(await check('main', 'Passw0rd!'), true);
    await gateway.setPassword({ login, kind: 'main', password: 'N3wer!!!' });
    assert.equal(await check('main', 'Passw0rd!'), false);
    assert.equal(await check('main', 'N3wer!!!'), true);
    assert.equal(await check('investor', 'Invest0r!'), true);
    await assert.rejects(gateway.setPassword({ login, kind: 'main', password: 'short' }), {
      code: 'invalid',
    });
    assert.doesNotMatch((await store.load(0)).join(), /Passw0rd|N3wer|Invest0r/);
  });

  test(`${family}: an order waits for its price, unless it is cancelled`, async () => {
    const { gateway, broker, clock } = await world(family);
    const login = await open(gateway);
    await gateway.balanceOperation(operation(login, { amount: 50_000 }));
    const quote = broker.quotes.quote(broker.instruments[0] ?? assert.fail(), START);
    const place = (side: 1 | -1, waitsFor: 'limit' | 'stop', price: number): Promise<void> => {
      const order = { symbol: 'EURUSD', side, lots: 0.1, price, waitsFor };
      return broker.operate(login, () => ({ kind: 'place', login, ...order }));
    };
    await place(1, 'limit', quote.ask - 0.0005);
    await place(-1, 'stop', quote.bid - 0.0005);
    await place(1, 'stop', quote.ask + 0.0005);
    await place(1, 'limit', quote.ask / 2);
    const orders = await gateway.pendingOrders(login);
    assert.deepEqual(
      orders.map(({ type, volume }) => [type, volume]),
      [
        ['ORDER_TYPE_BUY_LIMIT', 0.1],
        ['ORDER_TYPE_SELL_STOP', 0.1],
        ['ORDER_TYPE_BUY_STOP', 0.1],
        ['ORDER_TYPE_BUY_LIMIT', 0.1],
      ],
    );
    clock.nowMs += 2 * DAY_MS;
    const filled = await gateway.positions(login);
    assert.equal(filled.length + (await gateway.pendingOrders(login)).length, 4);
    assert.ok(filled.length >= 2);
    for (const { openPrice } of filled) assert.ok(Math.abs(openPrice - quote.bid) < 0.01);
    const last = orders[3]?.orderId ?? '';
    assert.deepEqual(await gateway.cancelOrders(login, [last]), { done: [last], failed: [] });
    await gateway.cancelOrders(login, undefined);
    assert.deepEqual(await gateway.pendingOrders(login), []);
    assert.equal((await gateway.positions(login)).length, filled.length);
  });

  test(`${family}: an order of a disabled account is never filled`, async () => {
    const { gateway, broker, clock } = await world(family);
    const login = await open(gateway);
    const order = { symbol: 'EURUSD', side: 1, lots: 0.1, price: 1, waitsFor: 'stop' } as const;
    await broker.operate(login, () => ({ kind: 'place', login, ...order }));
    await gateway.changeSettings(login, { tradingEnabled: false });
    clock.nowMs += MINUTE_MS;
    assert.deepEqual(await gateway.positions(login), []);
    assert.deepEqual(await gateway.pendingOrders(login), []);
  });

  test(`${family}: two processes on one platform see each other, and close nothing twice`, async () => {
    const one = await world(family);
    // The other's clock is a little ahead.
    const two = await world(family, one.store, 250);
    const login = await open(two.gateway);
    await two.gateway.balanceOperation(operation(login, { amount: 9000 }));
    for (let index = 0; index < 3; index += 1) await two.trade(login, 0.1);
    assert.equal((await one.gateway.positions(login)).length, 3);
    const outcomes = await Promise.all([
      one.gateway.closePositions(login, undefined),
      two.gateway.closePositions(login, undefined),
      one.gateway.changeSettings(login, { tradingEnabled: false }),
      ...[one, two].map(({ gateway }) => gateway.createUser(newUser(groups.usd), 'same request')),
    ]);
    const done = outcomes.flatMap((outcome) => ('done' in outcome ? outcome.done : []));
    assert.equal(done.length, 3);
    assert.equal(new Set(done).size, 3);
    const logins = outcomes.flatMap((outcome) => ('login' in outcome ? outcome.login : []));
    assert.equal(new Set(logins).size, 1);
    for (const { gateway } of [one, two]) {
      assert.deepEqual(await gateway.positions(login), []);
      assert.equal((await gateway.settings(login))?.tradingEnabled, false);
      const exits = (await gateway.deals({ ...FOREVER, login })).filter(
        ({ entry }) => entry === 'DEAL_ENTRY_OUT',
      );
      assert.equal(exits.length, 3);
    }
    const query = { ...FOREVER, login };
    assert.deepEqual(await one.gateway.deals(query), await two.gateway.deals(query));
  });

  test(`${family}: states and deals of all accounts come in batches, equal to single readings`, async () => {
    const { gateway, broker } = await world(family);
    const logins = broker.accounts().map(({ login }) => login);
    const byLogins = (await Array.fromAsync(gateway.readStates({ logins: [...logins, 1] }))).flat();
    const byGroups = (await Array.fromAsync(gateway.readStates({ groups: ['*'] }))).flat();
    assert.deepEqual(byGroups, byLogins);
    assert.equal(byLogins.length, logins.length);
    const range = { fromMs: START - 3 * DAY_MS, toMs: START + DAY_MS };
    const query = { selection: { groups: [groups.usd] }, ...range, moneyDigits: () => 4 };
    const deals = (await Array.fromAsync(gateway.readDeals(query))).flat();
    assert.ok(deals.length > 3);
    for (const { login, deals: found } of deals)
      assert.deepEqual(found, await gateway.deals({ login, ...range, moneyDigits: 4 }));
  });
}

test('p4 knows balance and credit only', async () => {
  const { gateway } = await world('p4');
  const bonus = operation(TRADER.p4, { type: 'DEAL_TYPE_BONUS' });
  await assert.rejects(gateway.balanceOperation(bonus), { code: 'unsupported' });
  await assert.rejects(gateway.p5Symbols(undefined), { code: 'unsupported' });
});

test('p5 symbols come by masks of their paths', async () => {
  const { gateway, broker } = await world('p5');
  assert.equal((await gateway.p5Symbols(undefined)).length, broker.instruments.length);
  const names = (await gateway.p5Symbols('Forex\\EUR*')).map(({ symbol }) => symbol);
  assert.deepEqual(names, ['EURUSD', 'EURJPY']);
});

/** The later equity: p5 books the commission of each closing deal then. */
function costs(equity: number, family: Platform): number {
  const perLot = family === 'p5' ? 3.5 : 0;
  return Math.round((equity - perLot * 0.8) * 100) / 100;
}
