import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';
import { needs } from '../../../test/needs.ts';
import { eventually, P5Fixture } from '../../../test/servers/p5-fixture.ts';
import type { P5ServerProcess } from '../../../test/servers/p5-server-process.ts';
import type { BalanceOperation, PlatformError } from '../gateway.ts';

needs('openssl');

const EVER = { fromMs: 0, toMs: Date.UTC(2100, 0), moneyDigits: 4 };
type Row = Record<string, unknown>;

let p5: P5Fixture;
let server: P5ServerProcess;
before(async () => {
  p5 = await P5Fixture.start();
  server = p5.server;
});
after(() => server.remove());
beforeEach(async () => {
  await p5.reset();
  await server.control('/dealer', { delayMs: 1, fillings: [0, 1, 2], refusal: null });
});

const userRow = async (login: number): Promise<Row> => {
  const { users } = (await server.control('/state')) as { users: Row[] };
  return users.find((user) => user.Login === login) ?? {};
};
const sentSince = async (count: number): Promise<string[]> =>
  (await p5.seen()).requests.slice(count);

suite('settings of an account', () => {
  test('only the given fields of the record change', async () => {
    const login = await p5.openAccount({ city: 'London', zip: 'W1', clientId: 77, phone: '1' });
    const before = await userRow(login);
    const gateway = p5.gateway();
    assert.deepEqual(await gateway.settings(login), {
      ...{ enabled: true, tradingEnabled: true, group: 'demo\\usd', leverage: 100 },
    });
    const changed = await gateway.changeSettings(login, { tradingEnabled: false });
    assert.deepEqual(changed, {
      settings: { enabled: true, tradingEnabled: false, group: 'demo\\usd', leverage: 100 },
      alsoChanged: [],
    });
    assert.deepEqual(await userRow(login), { ...before, Rights: '359' });
    await gateway.changeSettings(login, { enabled: false, leverage: 30 });
    const group = 'real\\50% off/ünï cødé';
    const last = await gateway.changeSettings(login, { tradingEnabled: true, group });
    assert.deepEqual(last.settings, { enabled: false, tradingEnabled: true, group, leverage: 30 });
    assert.deepEqual(await userRow(login), {
      ...before,
      ...{ Rights: '354', Group: group, Leverage: 30 },
    });
    assert.equal((await gateway.accountInformation(login))?.tradeAllowed, false);
  });

  test('unchanged settings are not written', async () => {
    const login = await p5.openAccount();
    const gateway = p5.gateway();
    await gateway.check();
    const { requests } = await p5.seen();
    await gateway.changeSettings(login, { enabled: true, leverage: 100 });
    assert.equal((await sentSince(requests.length)).join().includes('user/update'), false);
  });

  test('an account whose trading is disabled opens nothing, and its positions can be closed', async () => {
    const login = await p5.openAccount();
    const gateway = p5.gateway();
    const order = { login, symbol: 'EURUSD', side: 'buy', lots: 0.1 };
    const { PositionID } = await server.control('/open', order);
    await gateway.changeSettings(login, { tradingEnabled: false });
    await assert.rejects(server.control('/open', order), /10017/);
    const closed = await gateway.closePositions(login, undefined);
    assert.deepEqual(closed, { done: [String(PositionID)], failed: [] });
  });

  test("values not accepted by the platform are the caller's fault", async () => {
    const login = await p5.openAccount();
    const before = await userRow(login);
    for (const change of [
      { leverage: 501 },
      { group: 'nowhere' },
      { group: 'managers\\master' },
      // Another currency.
      { group: 'real\\forex\\eur' },
    ])
      await assert.rejects(p5.gateway().changeSettings(login, change), { code: 'invalid' });
    assert.deepEqual(plain(await userRow(login)), plain(before));
    await assert.rejects(p5.gateway().changeSettings(1, { enabled: true }), { code: 'invalid' });
    assert.equal(await p5.gateway().settings(1), undefined);
  });

  for (const kind of ['lose', 'drop', 'break'] as const)
    test(`settings are changed once although a request suffers "${kind}"`, async () => {
      const login = await p5.openAccount({ city: 'Oslo' });
      await server.control('/fault', { kind, command: '/api/user/update' });
      const { settings } = await p5.gateway().changeSettings(login, { tradingEnabled: false });
      assert.equal(settings.tradingEnabled, false);
      assert.deepEqual(
        [(await userRow(login)).Rights, (await userRow(login)).City],
        ['359', 'Oslo'],
      );
    });

  test('two changes at a time of one account do not undo each other', async () => {
    const login = await p5.openAccount();
    const gateway = p5.gateway();
    await Promise.all([
      gateway.changeSettings(login, { leverage: 50 }),
      gateway.changeSettings(login, { tradingEnabled: false }),
      gateway.changeSettings(login, { enabled: false }),
    ]);
    assert.deepEqual(await gateway.settings(login), {
      ...{ enabled: false, tradingEnabled: false, group: 'demo\\usd', leverage: 50 },
    });
  });

  test('only changed fields are sent, so that changes of others stay', async () => {
    const cells = [{ AppID: '1', ID: '0', ValueInt: '5', ValueDouble: '0.00' }];
    const login = await p5.openAccount({ name: '' });
    await server.control('/user', { login, fields: { ApiData: cells } });
    await p5.gateway().changeSettings(login, { leverage: 50 });
    await p5.gateway().changeSettings(login, { tradingEnabled: false });
    const { updates } = (await server.control('/state')) as { updates: string[][] };
    assert.deepEqual(updates.slice(-2), [
      ['Login', 'Leverage'],
      ['Login', 'Rights'],
    ]);
    assert.deepEqual((await userRow(login)).ApiData, cells);
  });

  test('a server that replaces records gets complete ones, and nothing is lost', async (t) => {
    await server.control('/habits', { replacesRecords: true });
    t.after(() => server.control('/habits', { replacesRecords: false }));
    const login = await p5.openAccount({ city: 'Oslo', zip: '0150', phone: '1' });
    const cells = [{ AppID: '1', ID: '0', ValueInt: '5', ValueDouble: '0.00' }];
    await server.control('/user', { login, fields: { ApiData: cells } });
    const before = await userRow(login);
    const gateway = p5.gateway();
    const first = await gateway.changeSettings(login, { leverage: 50 });
    assert.equal(first.settings.leverage, 50);
    // Writing them back could change their type.
    assert.deepEqual(first.alsoChanged, ['ApiData']);
    const { ApiData: _, ...kept } = { ...before, ...plain(before), Leverage: 50 } as Row;
    assert.deepEqual(await userRow(login), kept);
    await gateway.changeSettings(login, { tradingEnabled: false });
    const { updates } = (await server.control('/state')) as { updates: string[][] };
    assert.deepEqual(
      updates.slice(-3).map((names) => [names.length > 10, names.includes('ApiData')]),
      [
        [false, false],
        [true, false],
        [true, false],
      ],
    );
    const hidden = await p5.openAccount({ name: '' });
    await assert.rejects(gateway.changeSettings(hidden, { leverage: 50 }), { code: 'forbidden' });
    assert.equal((await userRow(hidden)).Leverage, 100);
  });

  test('zip codes are read and written in either spelling', async (t) => {
    for (const writesZipCode of [false, true]) {
      await server.control('/habits', { writesZipCode });
      t.after(() => server.control('/habits', { writesZipCode: false }));
      const login = await p5.openAccount({ zip: 'W1 2' });
      assert.equal((await p5.gateway().user(login))?.zip, 'W1 2');
    }
  });

  test('a manager without the right is told apart from one who is not let in', async () => {
    const login = await p5.openAccount();
    const retcode = '8 Not enough permissions';
    await server.control('/fault', { kind: 'refuse', command: '/api/user/update', retcode });
    const gateway = p5.gateway();
    await assert.rejects(gateway.changeSettings(login, { leverage: 50 }), { code: 'forbidden' });
    assert.ok(await gateway.settings(login));
  });
});

suite('passwords', () => {
  test('passwords are set and checked, each kind separately, and never sent in an address', async () => {
    const login = await p5.openAccount();
    const gateway = p5.gateway();
    const [main, investor] = ['Nn3!newer', 'Mm4!newer'];
    await server.control('/fault', { kind: 'lose', command: '/api/user/change_password' });
    await gateway.setPassword({ login, kind: 'main', password: main });
    await gateway.setPassword({ login, kind: 'investor', password: investor });
    const check = (kind: 'main' | 'investor', password: string) =>
      gateway.checkPassword({ login, kind, password });
    assert.equal(await check('main', main), true);
    assert.equal(await check('investor', investor), true);
    assert.equal(await check('main', investor), false);
    await assert.rejects(gateway.setPassword({ login, kind: 'main', password: 'short' }), {
      code: 'invalid',
    });
    assert.doesNotMatch((await p5.seen()).requests.join(), /newer/);
  });
});

suite('balance operations', () => {
  const operation = (login: number, fields: Partial<BalanceOperation> = {}): BalanceOperation => ({
    ...{ login, type: 'DEAL_TYPE_BALANCE', amount: 100, firstSentMs: Date.now() },
    requestId: crypto.randomUUID(),
    ...fields,
  });
  const dealsOf = async (login: number) => p5.gateway().deals({ login, ...EVER });

  test('money is moved once per id, with the comment before a mark', async () => {
    const login = await p5.openAccount();
    const deposit = operation(login, { amount: 250.5, comment: 'Payout = May | 2026 and more' });
    const { dealId } = await p5.gateway().balanceOperation(deposit);
    assert.deepEqual(await p5.gateway().balanceOperation(deposit), { dealId });
    const credit = operation(login, { type: 'DEAL_TYPE_CREDIT', amount: 7 });
    await p5.gateway().balanceOperation(credit);
    await p5.gateway().balanceOperation(operation(login, { amount: -50.5 }));
    const deals = await dealsOf(login);
    assert.deepEqual(
      deals.map(({ type, profit }) => [type, profit]),
      [
        ['DEAL_TYPE_BALANCE', 2_505_000],
        ['DEAL_TYPE_CREDIT', 70_000],
        ['DEAL_TYPE_BALANCE', -505_000],
      ],
    );
    assert.equal(deals[0]?.id, dealId);
    assert.match(deals[0]?.comment ?? '', /^Payout {3}May {3}20 #[\w-]{12}$/);
    assert.equal((await p5.gateway().accountInformation(login))?.balance, 200);
  });

  for (const kind of ['lose', 'drop', 'break', 'hang'] as const)
    test(`operations have one effect when the request suffers "${kind}" and is repeated`, async () => {
      const login = await p5.openAccount();
      const deposit = operation(login);
      const gateway = p5.gateway(kind === 'hang' ? { answerMs: 300 } : {});
      // Logged in before: nothing is sent of a request that meets a login which takes too long.
      await eventually(() => gateway.check());
      await server.control('/fault', { kind, command: '/api/trade/balance' });
      const first = await gateway.balanceOperation(deposit).catch((error: PlatformError) => error);
      // Cut before it ran, its outcome is unknown; after it ran, the mark is found.
      const isDone = kind === 'lose' || kind === 'drop';
      assert.equal('dealId' in first, isDone);
      if (!isDone) assert.equal((first as PlatformError).outcomeUnknown, true);
      await eventually(() => p5.gateway().balanceOperation(deposit));
      await p5.gateway().balanceOperation(deposit);
      assert.equal((await dealsOf(login)).length, 1);
    });

  test('an id that was used for another amount is refused', async () => {
    const login = await p5.openAccount();
    const deposit = operation(login);
    await p5.gateway().balanceOperation(deposit);
    await assert.rejects(p5.gateway().balanceOperation({ ...deposit, amount: 101 }), {
      code: 'invalid',
      message: /another amount/,
    });
  });

  test("amounts beyond the free margin, the credit or the platform's bound are refused", async () => {
    const login = await p5.openAccount();
    await server.control('/deposit', { login, amount: 1000 });
    await server.control('/open', { login, symbol: 'EURUSD', side: 'buy', lots: 0.5 });
    for (const fields of [
      { amount: -900 },
      { amount: -1, type: 'DEAL_TYPE_CREDIT' },
      { amount: 2e9 },
    ] as const)
      await assert.rejects(p5.gateway().balanceOperation(operation(login, fields)), {
        ...{ code: 'invalid', outcomeUnknown: false },
      });
    assert.equal((await dealsOf(login)).length, 2);
  });
});

suite('closing', () => {
  const openThree = async (): Promise<{ login: number; ids: string[] }> => {
    const login = await p5.openAccount();
    await server.control('/deposit', { login, amount: 10_000 });
    const ids: string[] = [];
    for (const [symbol, side] of [
      ['EURUSD', 'buy'],
      ['GBPUSD', 'sell'],
      ['EURUSD', 'sell'],
    ]) {
      const opened = await server.control('/open', { login, symbol, side, lots: 0.12 });
      ids.push(String(opened.PositionID));
    }
    return { login, ids };
  };
  const exits = async (login: number): Promise<number> =>
    (await p5.gateway().deals({ login, ...EVER })).filter(({ entry }) => entry === 'DEAL_ENTRY_OUT')
      .length;

  test('closes every position at the market, with one deal each', async () => {
    const { login, ids } = await openThree();
    const { done, failed } = await p5.gateway().closePositions(login, undefined);
    assert.deepEqual([done.toSorted(), failed], [ids.toSorted(), []]);
    assert.deepEqual(await p5.gateway().positions(login), []);
    assert.equal(await exits(login), 3);
    assert.deepEqual(await p5.gateway().closePositions(login, undefined), { done: [], failed: [] });
  });

  test('closes the given ones; those already gone count as done', async () => {
    const { login, ids } = await openThree();
    const [first = '', second = ''] = ids;
    const gateway = p5.gateway();
    assert.deepEqual(await gateway.closePositions(login, [first]), { done: [first], failed: [] });
    const again = await gateway.closePositions(login, [first, second]);
    assert.deepEqual([again.done.toSorted(), again.failed], [[first, second].toSorted(), []]);
    assert.equal((await gateway.positions(login)).length, 1);
    assert.equal(await exits(login), 2);
  });

  for (const command of ['/api/dealer/send_request', '/api/dealer/get_request_result'])
    for (const kind of ['lose', 'break', 'drop', 'garbage'] as const)
      test(`closes each position once although ${command} suffers "${kind}"`, async () => {
        const { login } = await openThree();
        await server.control('/fault', { kind, command });
        const gateway = p5.gateway();
        await eventually(async () => {
          const { failed } = await gateway.closePositions(login, undefined);
          assert.deepEqual(failed, []);
        });
        assert.deepEqual(await gateway.positions(login), []);
        assert.equal(await exits(login), 3);
      });

  test('tries all ways of filling that a symbol allows', async () => {
    const { login } = await openThree();
    await server.control('/dealer', { fillings: [2] });
    const { done, failed } = await p5.gateway().closePositions(login, undefined);
    assert.deepEqual([done.length, failed.length], [3, 0]);
  });

  test('reports why a position stays open', async () => {
    const { login, ids } = await openThree();
    await server.control('/dealer', { refusal: '10018 Market is closed' });
    const { done, failed } = await p5.gateway().closePositions(login, undefined);
    assert.deepEqual(done, []);
    assert.deepEqual(failed.map(({ id }) => id).toSorted(), ids.toSorted());
    assert.match(failed[0]?.message ?? '', /10018 Market is closed/);
    await server.control('/dealer', { refusal: null, delayMs: 60_000 });
    const late = await p5.gateway({ dealerMs: 20 }).closePositions(login, undefined);
    assert.match(late.failed[0]?.message ?? '', /no result in time/);
    assert.equal(late.failed.length, 3);
  });

  test('closes hundreds of positions', async () => {
    const login = await p5.openAccount();
    const open = { login, symbol: 'EURUSD', side: 'buy', lots: 0.01 };
    for (let index = 0; index < 150; index += 1) await server.control('/open', open);
    const { done, failed } = await p5.gateway().closePositions(login, undefined);
    assert.deepEqual([done.length, failed.length], [150, 0]);
  });

  test('cancels pending orders, and leaves positions alone', async () => {
    const { login } = await openThree();
    const place = { login, symbol: 'EURUSD', lots: 0.3 };
    const limit = await server.control('/place', { ...place, type: 2, price: 1.05 });
    const stop = await server.control('/place', { ...place, type: 5, price: 1.04 });
    const gateway = p5.gateway();
    assert.deepEqual(await gateway.pendingOrders(login), [
      {
        ...{ orderId: String(limit.Order), symbol: 'EURUSD', type: 'ORDER_TYPE_BUY_LIMIT' },
        ...{ volume: 0.3, price: 1.05 },
      },
      {
        ...{ orderId: String(stop.Order), symbol: 'EURUSD', type: 'ORDER_TYPE_SELL_STOP' },
        ...{ volume: 0.3, price: 1.04 },
      },
    ]);
    await server.control('/fault', { kind: 'lose', command: '/api/dealer/send_request' });
    await eventually(() => gateway.cancelOrders(login, undefined));
    assert.deepEqual(await gateway.pendingOrders(login), []);
    assert.equal((await gateway.positions(login)).length, 3);
  });
});

suite('directories', () => {
  test('groups are those visible to the manager, with their currencies', async () => {
    const groups = await p5.gateway().groups();
    assert.deepEqual(groups.slice(0, 3), [
      { name: 'demo\\usd', currency: 'USD' },
      { name: 'real\\forex\\eur', currency: 'EUR' },
      { name: 'real\\50% off/ünï cødé', currency: 'USD' },
    ]);
    const one = { kind: 'refuse', command: '/api/group/next', retcode: '11 No service' };
    await server.control('/fault', one);
    assert.deepEqual(await p5.gateway().groups(), groups);
  });

  test('symbols come by masks of their paths, or all', async () => {
    const gateway = p5.gateway();
    const all = await gateway.p5Symbols(undefined);
    assert.deepEqual(
      all.map(({ symbol }) => symbol),
      ['EURUSD', 'GBPUSD', 'USDJPY', 'EURGBP'],
    );
    const masked = await gateway.p5Symbols('Forex\\EUR*,!Forex\\EURGBP');
    assert.deepEqual(masked, [
      {
        ...{ symbol: 'EURUSD', path: 'Forex\\EURUSD', description: 'EURUSD' },
        ...{ currencyBase: 'EUR', currencyProfit: 'USD', currencyMargin: 'EUR', digits: 5 },
        ...{ contractSize: 100_000, marginMode: 'FOREX', tradeMode: 'SYMBOL_TRADE_MODE_FULL' },
        ...{ volumeMin: 0.01, volumeMax: 100, volumeStep: 0.01 },
        ...{ tickSize: 0, tickValue: 0, expiration: 0 },
      },
    ]);
    assert.deepEqual(await gateway.p5Symbols('Metals\\*'), []);
  });

  test('symbols of which the server answers a part at a time are listed whole', async () => {
    const own = await P5Fixture.start();
    try {
      const shares = Array.from(
        { length: 12_000 },
        (_, at) => `Stocks\\US\\S${`${at}`.padStart(5, '0')}`,
      );
      // Folders missing in the first part.
      const others = ['Crypto\\BTCUSD', 'Crypto\\odd*name', 'Metals X\\XAUUSD'];
      await own.server.control('/symbols', { names: [...shares, ...others] });
      const all = (await own.gateway().p5Symbols(undefined)).map(({ path }) => path);
      assert.equal(all.length, 4 + shares.length + others.length);
      assert.deepEqual(all.slice(4), [...shares, ...others]);
      const masked = await own.gateway().p5Symbols('Stocks\\*,!Stocks\\US\\S00001');
      assert.deepEqual(
        masked.map(({ path }) => path),
        shares.filter((path) => path !== 'Stocks\\US\\S00001'),
      );
      assert.equal((await own.seen()).requests.length < 100, true);
    } finally {
      await own.reset();
      await own.server.remove();
    }
  });
});

/** The record as sent back by a client: all scalars are text, except those owned by the server. */
function plain(row: Row): Row {
  const { Login, Balance, Credit, Registration, Group, Leverage, ...rest } = row;
  const owned = { Login, Balance, Credit, Registration, Group, Leverage: Number(Leverage) };
  return {
    ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, String(value)])),
    ...owned,
  };
}
