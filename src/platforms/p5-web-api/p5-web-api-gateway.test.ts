import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';
import { needs } from '../../../test/needs.ts';
import { newPlatformUser, P5Fixture } from '../../../test/servers/p5-fixture.ts';
import type { P5ServerProcess } from '../../../test/servers/p5-server-process.ts';

needs('openssl');

const EVER = { fromMs: 0, toMs: Date.UTC(2100, 0), moneyDigits: 4 };

let p5: P5Fixture;
let server: P5ServerProcess;
before(async () => {
  p5 = await P5Fixture.start();
  server = p5.server;
});
after(() => server.remove());
beforeEach(() => p5.reset());

suite('accounts', () => {
  test('an opened account can be read back, all as text', async () => {
    const login = await p5.openAccount({
      group: 'real\\50% off/ünï cødé',
      city: 'London',
      zip: 'W1 & more',
      leadSource: 'a=b|c',
      clientId: 77,
    });
    assert.deepEqual(await p5.gateway().user(login), {
      login: String(login),
      address: '',
      balance: '0.00',
      city: 'London',
      country: '',
      email: 'ada@example.com',
      group: 'real\\50% off/ünï cødé',
      leverage: '100',
      name: 'Ada Byron Lovelace',
      phone: '',
      state: '',
      zip: 'W1 & more',
      clientId: '77',
      leadSource: 'a=b|c',
      leadCampaign: '',
    });
  });

  test('an unknown login is no user', async () => {
    assert.equal(await p5.gateway().user(1), undefined);
    assert.equal(await p5.gateway().accountInformation(1), undefined);
    assert.equal(await p5.gateway().market(1, 'EURUSD'), undefined);
  });

  test('users of a group are only those of that group, masks match none', async () => {
    const login = await p5.openAccount({ group: 'real\\forex\\eur' });
    const inGroup = await p5.gateway().usersOfGroup('real\\forex\\eur');
    assert.deepEqual(
      inGroup.map((user) => user.login),
      [String(login)],
    );
    for (const group of ['real\\*', '*', 'nowhere', 'real\\forex'])
      assert.deepEqual(await p5.gateway().usersOfGroup(group), []);
  });

  test('an account opened as not enabled may not trade', async () => {
    const enabled = await p5.openAccount();
    const disabled = await p5.openAccount({ enabled: false });
    assert.equal((await p5.gateway().accountInformation(enabled))?.tradeAllowed, true);
    assert.equal((await p5.gateway().accountInformation(disabled))?.tradeAllowed, false);
    const { users } = (await server.control('/state')) as { users: Record<string, unknown>[] };
    const rights = (login: number): unknown => users.find((user) => user.Login === login)?.Rights;
    assert.equal(rights(enabled), '355');
    assert.equal(rights(disabled), '354');
  });

  test(`an idle account's state comes from its record, a busy one's from the server`, async () => {
    const login = await p5.openAccount();
    const idle = await p5.gateway().accountInformation(login);
    assert.deepEqual(idle, {
      platform: 'mt5',
      broker: 'Harbour Test Broker',
      currency: 'USD',
      balance: 0,
      equity: 0,
      margin: 0,
      freeMargin: 0,
      leverage: 100,
      marginLevel: 0,
      tradeAllowed: true,
      marginMode: 'ACCOUNT_MARGIN_MODE_RETAIL_HEDGING',
      name: 'Ada Byron Lovelace',
      login,
      credit: 0,
    });
    await server.control('/deposit', { login, amount: 10_000, comment: 'first' });
    await server.control('/credit', { login, amount: 500 });
    await server.control('/open', { login, symbol: 'EURUSD', side: 'buy', lots: 1 });
    const busy = await p5.gateway().accountInformation(login);
    assert.equal(busy?.balance, 9996.5);
    assert.equal(busy?.credit, 500);
    assert.equal(busy?.equity, 10_486.5);
    assert.equal(busy?.margin, 1100.1);
    assert.equal(busy?.freeMargin, 9386.4);
    assert.equal(busy?.marginLevel, 953.23);
  });

  test("refused values are the caller's fault", async () => {
    for (const fields of [
      { group: 'nowhere' },
      { group: 'managers\\master' },
      { group: 'demo\\*' },
      { leverage: 501 },
      { password: 'short' },
    ])
      await assert.rejects(p5.gateway().createUser(newPlatformUser(fields), 'r'), {
        code: 'invalid',
      });
  });
});

suite('deals and positions', () => {
  test('a round turn comes as the deals booked by the platform', async () => {
    const login = await p5.openAccount();
    await server.control('/deposit', { login, amount: 1000.5, comment: 'hello' });
    const { PositionID } = await server.control('/open', {
      login,
      symbol: 'EURUSD',
      side: 'sell',
      lots: 0.12,
    });
    const [position] = await p5.gateway().positions(login);
    assert.equal(position?.volume, 0.12);
    assert.equal(position?.type, 'DEAL_TYPE_SELL');
    assert.equal(position?.profit, -1.2);
    await server.control('/close', { position: PositionID });
    assert.deepEqual(await p5.gateway().positions(login), []);
    const deals = await p5.gateway().deals({ login, ...EVER });
    assert.deepEqual(
      deals.map(({ type, entry, positionId, volume, price, positionPrice }) => ({
        ...{ type, entry, positionId, volume, price, positionPrice },
      })),
      [
        {
          type: 'DEAL_TYPE_BALANCE',
          entry: undefined,
          positionId: undefined,
          volume: 0,
          price: undefined,
          positionPrice: undefined,
        },
        {
          type: 'DEAL_TYPE_SELL',
          entry: 'DEAL_ENTRY_IN',
          positionId: String(PositionID),
          volume: 12_000_000,
          price: 1.1,
          positionPrice: undefined,
        },
        {
          type: 'DEAL_TYPE_BUY',
          entry: 'DEAL_ENTRY_OUT',
          positionId: String(PositionID),
          volume: 12_000_000,
          price: 1.1001,
          positionPrice: 1.1,
        },
      ],
    );
    assert.deepEqual(
      deals.map(({ profit, commission, comment }) => [profit, commission, comment]),
      [
        [10_005_000, 0, 'hello'],
        [0, -4200, undefined],
        [-12_000, 0, undefined],
      ],
    );
  });

  test('a range includes its start and excludes its end, to the millisecond', async () => {
    const login = await p5.openAccount();
    const timeMs = Date.UTC(2026, 0, 5, 10, 0, 0, 500);
    await server.control('/deal', { login, fields: { Profit: 5, TimeMsc: timeMs } });
    const count = async (fromMs: number, toMs: number): Promise<number> =>
      (await p5.gateway().deals({ login, fromMs, toMs, moneyDigits: 4 })).length;
    assert.equal(await count(timeMs, timeMs + 1), 1);
    assert.equal(await count(timeMs - 1, timeMs), 0);
    assert.equal(await count(timeMs + 1, timeMs + 1000), 0);
    assert.equal(await count(timeMs, timeMs), 0);
  });

  test('a history beyond one batch, and one without batches, come whole and once', async () => {
    const login = await p5.openAccount();
    for (let block = 0; block < 6; block += 1)
      await server.control('/deals', { login, count: 950 });
    const ids = async (): Promise<string[]> =>
      (await p5.gateway().deals({ login, ...EVER })).map(({ id }) => id);
    const whole = await ids();
    assert.equal(new Set(whole).size, 5700);
    await server.control('/fault', {
      kind: 'refuse',
      command: '/api/deal/get_batch',
      retcode: '11 No service',
      times: 99,
    });
    assert.deepEqual(await ids(), whole);
  });

  test('times are the wall clock of the server, whatever its zone', async () => {
    const before = await p5.gateway().check();
    await server.control('/clock', { hours: 3 });
    const later = await p5.gateway().check();
    await server.control('/clock', { hours: -3 });
    const movedHours = Math.round((later.brokerTimeMs - before.brokerTimeMs) / 3_600_000);
    assert.equal(movedHours, 3);
  });
});

test('the market of an order has its symbol and the pairs that convert its margin', async () => {
  const login = await p5.openAccount({ group: 'real\\forex\\eur' });
  const market = await p5.gateway().market(login, 'USDJPY');
  assert.deepEqual(
    market?.symbols.map(({ symbol }) => symbol),
    ['USDJPY', 'EURUSD'],
  );
  assert.deepEqual(
    market?.quotes.map(({ symbol, bid, ask }) => [symbol, bid, ask]),
    [
      ['EURUSD', 1.1, 1.1001],
      ['USDJPY', 150, 150.01],
    ],
  );
  const [symbol] = market?.symbols ?? [];
  assert.equal(symbol?.volumeMin, 0.01);
  assert.equal(symbol?.volumeMax, 100);
  assert.equal(symbol?.marginRates?.ORDER_TYPE_BUY, 1);
  assert.equal(symbol?.marginRates?.ORDER_TYPE_BUY_LIMIT, 0);
  assert.deepEqual(await p5.gateway().market(login, 'NOPE'), { symbols: [], quotes: [] });
});

test('a group with floating margin makes the market of its orders doubtful, and the server can be asked', async (t) => {
  const group = 'demo\\usd';
  const floats = (MarginFloatingLeverage: string) =>
    server.control('/group', { group, fields: { MarginFloatingLeverage } });
  await floats('Tiers by volume');
  t.after(() => floats(''));
  const login = await p5.openAccount();
  const market = await p5.gateway().market(login, 'EURUSD');
  assert.match(market?.doubt ?? '', /floating margin "Tiers by volume"/);
  const order = { login, symbol: 'EURUSD', volume: 0.5, openPrice: 1.1 };
  const added = (type: 'ORDER_TYPE_BUY' | 'ORDER_TYPE_SELL') =>
    p5.gateway().addedMargin({ ...order, type });
  const alone = await added('ORDER_TYPE_BUY');
  assert.ok(alone > 0);
  await server.control('/deposit', { login, amount: 10_000 });
  await server.control('/open', { login, symbol: 'EURUSD', side: 'buy', lots: 1 });
  assert.equal(await added('ORDER_TYPE_BUY'), alone);
  assert.equal(await added('ORDER_TYPE_SELL'), 0);
  await server.control('/fault', {
    kind: 'answer',
    command: '/api/trade/check_margin',
    answer: {},
  });
  await assert.rejects(added('ORDER_TYPE_BUY'), { code: 'unavailable' });
  await assert.rejects(p5.gateway().addedMargin({ ...order, login: 1, type: 'ORDER_TYPE_BUY' }), {
    code: 'invalid',
  });
});
