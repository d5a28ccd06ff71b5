import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';
import { needs } from '../../../test/needs.ts';
import { P5Fixture } from '../../../test/servers/p5-fixture.ts';
import { understood } from '../../../test/servers/understood.ts';

needs('openssl');

const EVER = { fromMs: 0, toMs: Date.UTC(2100, 0), moneyDigits: 4 };
const STATES = '/api/user/account/get_batch';
const DEALS = '/api/deal/get_batch';

let p5: P5Fixture;
before(async () => {
  p5 = await P5Fixture.start();
});
after(() => p5.server.remove());
beforeEach(() => p5.reset());

const answer = (command: string, given: unknown, times = 1): Promise<unknown> =>
  p5.server.control('/fault', { kind: 'answer', command, answer: given, times });
const deal = (fields: object): object => ({
  ...{ Deal: '1', Login: '7', Action: '2', Entry: '0', Time: '1750000000', Profit: '5' },
  ...fields,
});

suite('a platform that lies', () => {
  test('cannot make an account lose everything by leaving its amounts out', async () => {
    const state = { Balance: '100', Credit: '0', Equity: '90', Margin: '0' };
    for (const broken of [{ Equity: '' }, { Balance: undefined }, { Equity: 'n/a' }]) {
      await answer(STATES, [
        { Login: '7', ...state },
        { Login: '8', ...state, ...broken },
      ]);
      const told = (await Array.fromAsync(p5.gateway().readStates({ logins: [7, 8] }))).flat();
      const [fine, fault] = told;
      assert.equal(fine && understood(fine).equity, 90);
      assert.ok(fault && 'fault' in fault && fault.login === 8, JSON.stringify(told));
    }
    const login = await p5.openAccount();
    await answer('/api/user/get', { Login: String(login), Group: 'demo\\usd' });
    await assert.rejects(p5.gateway().accountInformation(login), { code: 'unavailable' });
  });

  test('gets no deal stored for another login than was asked for', async () => {
    await answer('/api/deal/get_total', { total: 2 }, 9);
    await answer(DEALS, [deal({ Deal: '1' }), deal({ Deal: '2', Login: '8' })], 9);
    const found = await p5.gateway().deals({ login: 7, ...EVER });
    assert.deepEqual(
      found.map(({ id }) => id),
      ['1'],
    );
    const query = { selection: { logins: [7] }, ...EVER };
    const moneyDigits = (login: number) => (login === 7 ? 4 : undefined);
    const many = await Array.fromAsync(p5.gateway().readDeals({ ...query, moneyDigits }));
    assert.deepEqual(
      many.flat().map(({ login }) => login),
      [7],
    );
    await answer('/api/position/get_total', { total: 1 });
    await answer('/api/position/get_batch', [{ Position: '1', Login: '8' }]);
    assert.deepEqual(await p5.gateway().positions(7), []);
  });

  test('gets no deal stored that cannot be one, and others of the batch all the same', async () => {
    const spoiled = [
      { Profit: '' },
      { Profit: '1e300' },
      { Profit: 'x' },
      { Storage: 'x' },
      { Time: '0' },
      { TimeMsc: '9e18' },
      { Deal: '9'.repeat(99) },
      { Action: '0', Entry: '0', Volume: '-1', Price: '1' },
    ];
    for (const fields of spoiled) {
      await answer(DEALS, [deal({}), deal({ Login: '8', ...fields })]);
      const query = { selection: { logins: [7, 8] }, ...EVER, moneyDigits: () => 4 };
      const told = (await Array.fromAsync(p5.gateway().readDeals(query))).flat();
      assert.deepEqual(
        told.map((each) => [each.login, 'fault' in each]),
        [
          [7, false],
          [8, true],
        ],
        JSON.stringify(fields),
      );
    }
    await answer(DEALS, [deal({ Comment: 'x'.repeat(9_999) })]);
    await answer('/api/deal/get_total', { total: 1 });
    const [long] = await p5.gateway().deals({ login: 7, ...EVER });
    assert.equal(long?.comment?.length, 256);
  });

  test('sends no more rows than an answer may hold', async () => {
    await answer(
      STATES,
      Array.from({ length: 11 }, () => ({})),
    );
    const gateway = p5.gateway({ maxRows: 10 });
    await assert.rejects(Array.fromAsync(gateway.readStates({ logins: [7] })), {
      code: 'unavailable',
    });
    await gateway.check();
  });
});

test('accounts with too many deals for one answer are requested in parts', async () => {
  const logins: number[] = [];
  for (let index = 0; index < 5; index += 1) logins.push(await p5.openAccount());
  for (const login of logins) await p5.server.control('/deals', { login, count: 4 });
  const query = { selection: { logins }, ...EVER, moneyDigits: () => 4 };
  const gateway = p5.gateway({ maxRows: 9 });
  const found = (await Array.fromAsync(gateway.readDeals(query))).flat().map(understood);
  assert.deepEqual(
    found.map(({ login, deals }) => [login, deals.length]).toSorted(),
    logins.map((login) => [login, 4]).toSorted(),
  );
  await assert.rejects(Array.fromAsync(p5.gateway({ maxRows: 3 }).readDeals(query)), {
    code: 'unavailable',
  });
});
