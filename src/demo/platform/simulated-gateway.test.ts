import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemTime } from '../../app/system-time.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/broker-time.ts';
import { compareDeals, isCredit, moneyOf } from '../../domain/deal.ts';
import { calculateMargin } from '../../domain/margin/calculate-margin.ts';
import { readMarket } from '../../domain/margin/read-market.ts';
import { toUnits } from '../../domain/money.ts';
import type { NewPlatformUser } from '../../platforms/gateway.ts';
import type { Platform } from '../../words/accounts.ts';
import { SimulatedBroker } from './broker.ts';
import { Histories } from './histories.ts';
import { liveSnapshots } from './live-snapshots.ts';
import { MemoryStore } from './memory-store.fixture.ts';
import type { SimulatedOperation } from './operation.ts';
import { SimulatedGateway } from './simulated-gateway.ts';

const START = Date.UTC(2026, 10, 18, 12);
const FOREVER = { fromMs: 0, toMs: Date.UTC(2100, 0), moneyDigits: 4 };
const FIRST = {
  p4: { group: 'demo-usd', login: 100001 },
  p5: { group: 'demo\\usd', login: 200001 },
};
const FAMILIES = ['p4', 'p5'] as const;

async function world(family: Platform, options: { seed?: number; store?: MemoryStore } = {}) {
  const clock = { nowMs: START };
  const store = options.store ?? new MemoryStore();
  const seed = options.seed ?? 7;
  const broker = await SimulatedBroker.open({
    ...{ family, seed, store, now: () => clock.nowMs },
    ...{ userId: 'user', histories: new Histories(systemTime) },
  });
  const operate = (operation: SimulatedOperation): Promise<void> =>
    broker.operate(operation.login, () => operation);
  return { clock, store, broker, operate, gateway: new SimulatedGateway(broker) };
}

const newUser = (group: string): NewPlatformUser => ({
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  group,
  leverage: 200,
  enabled: true,
  password: 'Passw0rd!',
  investorPassword: 'Invest0r!',
});

for (const family of FAMILIES) {
  const { group, login } = FIRST[family];

  test(`${family}: the promised group and logins exist with any seed`, async () => {
    for (const seed of [1, 2, 99]) {
      const { gateway } = await world(family, { seed });
      const users = await gateway.usersOfGroup(group);
      assert.deepEqual(
        users.map((user) => user.login),
        Array.from({ length: 20 }, (_, index) => String(login + index)),
      );
      assert.ok(users.every((user) => user.leverage === '100' && user.group === group));
      assert.ok(users.every((user) => Object.values(user).every((x) => typeof x === 'string')));
      assert.equal((await gateway.accountInformation(login))?.currency, 'USD');
    }
  });

  test(`${family}: every group is found by its exact name only, and an empty one is empty`, async () => {
    const { gateway, broker } = await world(family);
    for (const each of broker.groups)
      assert.equal((await gateway.usersOfGroup(each.name)).length, each.accounts, each.name);
    assert.deepEqual(await gateway.usersOfGroup(group.toUpperCase()), []);
    assert.deepEqual(await gateway.usersOfGroup('demo*'), []);
  });

  test(`${family}: currency pairs are in security group 0, the rest in group 1`, async () => {
    const { gateway } = await world(family);
    const names = async (index: number) =>
      new Set((await gateway.symbols(index)).map((each) => each.symbol));
    for (const pair of ['EURUSD', 'GBPUSD', 'USDJPY', 'EURJPY'])
      assert.ok((await names(0)).has(pair), pair);
    for (const other of ['XAUUSD', 'US500', 'BTCUSD'])
      assert.ok((await names(1)).has(other), other);
    assert.equal((await gateway.symbols(31)).length, 0);
    const all = await gateway.symbols(undefined);
    assert.equal(all.length, (await names(0)).size + (await names(1)).size);
  });

  test(`${family}: balances are the sums of the accounts' deals`, async () => {
    const { gateway, broker } = await world(family);
    for (const each of broker.groups)
      for (const user of await gateway.usersOfGroup(each.name)) {
        const deals = await gateway.deals({ ...FOREVER, login: Number(user.login) });
        const money = deals.filter((deal) => !isCredit(deal)).map(moneyOf);
        const sum = money.reduce((a, b) => a + b, 0);
        assert.deepEqual(deals, deals.toSorted(compareDeals));
        assert.equal(toUnits(Number(user.balance), 4), sum, user.login);
      }
  });

  test(`${family}: small steps and one leap lead to the same deals`, async () => {
    const leap = await world(family);
    const steps = await world(family);
    for (let hour = 0; hour < 72; hour += 1) {
      steps.clock.nowMs = START + hour * HOUR_MS + 17 * MINUTE_MS;
      await steps.gateway.positions(login);
    }
    steps.clock.nowMs = START + 3 * DAY_MS;
    leap.clock.nowMs = START + 3 * DAY_MS;
    const query = { ...FOREVER, login };
    const deals = await leap.gateway.deals(query);
    assert.ok(deals.some((deal) => deal.timeMs > START));
    assert.deepEqual(await steps.gateway.deals(query), deals);
  });

  test(`${family}: a restart continues exactly, with accounts and operations by hand`, async () => {
    const first = await world(family);
    const opened = await first.gateway.createUser(newUser(group), 'request-1');
    const hand = Number(opened.login);
    await first.operate({
      kind: 'cash',
      login: hand,
      amount: 10_000,
      type: 'DEAL_TYPE_BALANCE',
      comment: 'Deposit',
    });
    const trade = { kind: 'open', symbol: 'EURUSD', side: 1, lots: 1 } as const;
    await first.operate({ ...trade, login: hand });
    await first.operate({ ...trade, login, stopLoss: 1 });
    const second = await world(family, { seed: 8, store: first.store });
    for (const each of [first, second]) each.clock.nowMs = START + 2 * DAY_MS;
    for (const each of [login, hand]) {
      const { gateway } = second;
      assert.deepEqual(await gateway.user(each), await first.gateway.user(each));
      assert.deepEqual(await gateway.positions(each), await first.gateway.positions(each));
      assert.deepEqual(
        await gateway.accountInformation(each),
        await first.gateway.accountInformation(each),
      );
    }
    assert.equal((await second.gateway.positions(hand)).length, 1);
  });

  test(`${family}: snapshots have each deal once and end at the account's state`, async () => {
    const { gateway, broker, clock } = await world(family);
    const before = await gateway.accountInformation(login);
    clock.nowMs = START + DAY_MS;
    const snapshots = await liveSnapshots(broker, login, START, clock.nowMs, 10 * MINUTE_MS);
    assert.equal(snapshots.length, 144);
    let balance = toUnits(before?.balance ?? 0, 4);
    for (const snapshot of snapshots) {
      for (const deal of snapshot.deals) balance += moneyOf(deal);
      assert.equal(snapshot.balance, balance);
    }
    const carried = snapshots.flatMap((snapshot) => snapshot.deals.map((deal) => deal.id));
    assert.ok(carried.length > 0);
    assert.equal(new Set(carried).size, carried.length);
    const after = await gateway.accountInformation(login);
    assert.equal(snapshots.at(-1)?.equity, toUnits(after?.equity ?? 0, 4));
    assert.equal(snapshots.at(-1)?.margin, toUnits(after?.margin ?? 0, 4));
    assert.ok(new Set(snapshots.map((each) => each.equity - each.balance)).size > 20);
    const past = await liveSnapshots(broker, login, START - 90 * DAY_MS, START);
    assert.equal(past.length, 2000);
  });

  test(`${family}: the margin of every symbol can be calculated from its market`, async () => {
    const { gateway } = await world(family);
    for (const { symbol } of await gateway.symbols(undefined)) {
      const record = await gateway.market(login, symbol);
      assert.ok(record);
      const read = readMarket(family, record);
      assert.ok('market' in read, symbol);
      const settings = read.market.symbol(symbol);
      const quote = read.market.quote(symbol);
      assert.ok(settings && quote, symbol);
      const result = calculateMargin({
        order: {
          symbol,
          type: 'ORDER_TYPE_BUY',
          volume: Math.max(1, settings.volumeMin),
          openPrice: quote.ask,
        },
        account: { family, currency: 'USD', currencyDigits: 2, leverage: 100 },
        market: read.market,
      });
      assert.ok('margin' in result, `${symbol}: ${JSON.stringify(result)}`);
      if (symbol !== 'XAU.deposit') assert.ok(result.margin > 0, symbol);
    }
    assert.equal(await gateway.market(1, 'EURUSD'), undefined);
  });

  test(`${family}: an account is opened once per request, on the next free login`, async () => {
    const { gateway } = await world(family);
    const first = await gateway.createUser(newUser(group), 'a');
    assert.equal(first.login, String(login + 20));
    assert.deepEqual(await gateway.createUser(newUser(group), 'a'), first);
    assert.equal((await gateway.createUser(newUser(group), 'b')).login, String(login + 21));
    const user = await gateway.user(login + 20);
    assert.equal(user?.balance, '0.00');
    assert.equal(user?.name, 'Ada Lovelace');
    assert.equal((await gateway.usersOfGroup(group)).length, 22);
    const off = await gateway.createUser({ ...newUser(group), enabled: false }, 'c');
    assert.equal((await gateway.accountInformation(Number(off.login)))?.tradeAllowed, false);
  });

  test(`${family}: values that a platform refuses open no account`, async () => {
    const { gateway, store } = await world(family);
    const bad: Partial<NewPlatformUser>[] = [
      { group: 'no-such' },
      { leverage: 0 },
      { leverage: 501 },
      { leverage: 1.5 },
      { password: 'Sh0rt!' },
      { password: 'nodigits!A' },
      { investorPassword: 'WAY!too!long!pass1' },
      { name: 'x'.repeat(200) },
    ];
    for (const each of bad)
      await assert.rejects(gateway.createUser({ ...newUser(group), ...each }, 'x'), {
        name: 'PlatformError',
        code: 'invalid',
      });
    await gateway.createUser(newUser(group), 'good');
    const events = await store.load(0);
    assert.equal(events.filter((event) => event.includes('"opened"')).length, 1);
    const text = events.join();
    assert.ok(!text.includes('Passw0rd!') && !text.includes('Invest0r!'));
  });
}

test('a position has the margin of its open price, and its hedge less', async () => {
  const { gateway, operate } = await world('p5');
  const login = Number((await gateway.createUser(newUser('demo\\usd'), 'a')).login);
  await operate({ kind: 'open', login, symbol: 'EURUSD', side: 1, lots: 1 });
  const [position] = await gateway.positions(login);
  const expected = toUnits(((position?.openPrice ?? 0) * 100_000) / 200, 2) / 100;
  assert.equal((await gateway.accountInformation(login))?.margin, expected);
  await operate({ kind: 'open', login, symbol: 'EURUSD', side: -1, lots: 1 });
  const hedged = (await gateway.accountInformation(login))?.margin ?? 0;
  assert.ok(hedged > 0 && hedged < 1.5 * expected);
});

test('p4: a partial close ends the ticket and the rest continues under a new one', async () => {
  const { gateway, operate, clock } = await world('p4');
  const login = Number((await gateway.createUser(newUser('demo-usd'), 'a')).login);
  await operate({ kind: 'open', login, symbol: 'XAUUSD', side: -1, lots: 0.3 });
  const first = (await gateway.positions(login))[0]?.positionId ?? '';
  assert.deepEqual(await gateway.deals({ ...FOREVER, login }), []);
  clock.nowMs += HOUR_MS;
  await operate({ kind: 'close', login, tickets: [Number(first)], lots: 0.1 });
  const [rest] = await gateway.positions(login);
  assert.notEqual(rest?.positionId, first);
  assert.equal(rest?.volume, 0.2);
  const deals = await gateway.deals({ ...FOREVER, login });
  assert.deepEqual(
    deals.map((deal) => [deal.id, deal.entry, deal.volume]),
    [
      [`${first}-in`, 'DEAL_ENTRY_IN', 10_000_000],
      [`${first}-out`, 'DEAL_ENTRY_OUT', 10_000_000],
    ],
  );
  await assert.rejects(
    operate({ kind: 'close', login, tickets: [Number(first)], lots: undefined }),
    { code: 'invalid' },
  );
});

test('p5: a partial close keeps the position, and its deals name it', async () => {
  const { gateway, operate, clock } = await world('p5');
  const login = Number((await gateway.createUser(newUser('demo\\usd'), 'a')).login);
  await operate({ kind: 'open', login, symbol: 'XAUUSD', side: 1, lots: 0.3 });
  const ticket = (await gateway.positions(login))[0]?.positionId ?? '';
  clock.nowMs += HOUR_MS;
  await operate({ kind: 'close', login, tickets: [Number(ticket)], lots: 0.1 });
  await operate({ kind: 'close', login, tickets: [Number(ticket)], lots: undefined });
  const deals = await gateway.deals({ ...FOREVER, login });
  assert.deepEqual(
    deals.map((deal) => [deal.positionId, deal.entry, deal.volume]),
    [
      [ticket, 'DEAL_ENTRY_IN', 30_000_000],
      [ticket, 'DEAL_ENTRY_OUT', 10_000_000],
      [ticket, 'DEAL_ENTRY_OUT', 20_000_000],
    ],
  );
  assert.deepEqual(await gateway.positions(login), []);
});

test('a state of another kind is refused, not overwritten', async () => {
  for (const event of ['{"version":2}', 'no JSON']) {
    const store = new MemoryStore();
    await store.append(1, event);
    await assert.rejects(world('p4', { store }), { name: 'PlatformError', code: 'unavailable' });
    assert.deepEqual(await store.load(0), [event]);
  }
});

test('unknown logins: no user and no information; deals and positions are refused', async () => {
  const { gateway } = await world('p5');
  assert.equal(await gateway.user(1), undefined);
  assert.equal(await gateway.accountInformation(1), undefined);
  await assert.rejects(gateway.deals({ ...FOREVER, login: 1 }), { code: 'invalid' });
  await assert.rejects(gateway.positions(1), { code: 'invalid' });
});
