import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Trade } from '../trade.ts';
import { buy, dealOf, deposit, sell } from './deals.fixture.ts';
import { openPositionsOf } from './open-trades.ts';
import { createTradeState, foldTradeDeal, tradesOf } from './trade-state.ts';

const LOT = 100_000_000;

/** Compares the named properties only. */
function assertTrades(actual: Trade[], expected: Partial<Trade>[]): void {
  const same = actual.map((trade, index) =>
    Object.fromEntries(
      Object.keys(expected[index] ?? {}).map((key) => [key, trade[key as keyof Trade]]),
    ),
  );
  assert.deepEqual(same, expected);
  assert.equal(actual.length, expected.length);
}

test('partial closes make one trade with the weighted close price and all the money', () => {
  const trades = tradesOf([
    deposit('1', 1000),
    buy('2', 1, 1.1, { positionId: '77', commission: -7, minute: 10, comment: 'breakout' }),
    sell('3', 0.4, 1.102, { positionId: '77', profit: 80, minute: 20, comment: '[tp]' }),
    sell('4', 0.6, 1.099, { positionId: '77', profit: -60, swap: -1.2, minute: 26.9 }),
  ]);
  assert.deepEqual(trades[1], {
    ...{ id: '77', positionId: '77', type: 'DEAL_TYPE_BUY', symbol: 'EURUSD', volume: LOT },
    ...{ openTimeMs: 600_000, closeTimeMs: 1_614_000, openPrice: 1.1, closePrice: 1.1002 },
    ...{ pips: 2, profit: 11_8000, swap: -1_2000, commission: -7_0000, fee: 0, gain: 1.18 },
    ...{ success: 'won', durationInMinutes: 16, comment: 'breakout', closeBalance: 1011_8000 },
    marketValue: 110_000_0000,
  });
});

test('a trade has the first comment of what opened it, and never one of what closed it', () => {
  const trades = tradesOf([
    buy('1', 1, 1.1, { positionId: '77', minute: 10 }),
    buy('2', 1, 1.1, { positionId: '77', minute: 11, comment: 'grid 2' }),
    sell('3', 2, 1.102, { positionId: '77', minute: 20, comment: '[tp]' }),
    sell('4', 1, 1.1, { positionId: '78', minute: 21 }),
    buy('5', 1, 1.1, { positionId: '78', minute: 22, comment: 'so: 12 %' }),
    // Its opening is not in the history.
    sell('6', 1, 1.1, { positionId: '79', entry: 'DEAL_ENTRY_OUT', minute: 23, comment: '[sl]' }),
  ]);
  assertTrades(trades, [
    { positionId: '77', comment: 'grid 2' },
    { positionId: '78', comment: undefined },
    { positionId: '79', comment: undefined },
  ]);
});

test('a balance operation is a line without symbol, prices and pips', () => {
  assert.deepEqual(tradesOf([deposit('5', -250.5, { minute: 3, comment: 'payout' })]), [
    {
      ...{ id: '5', positionId: '5', type: 'DEAL_TYPE_BALANCE', volume: 0 },
      ...{ openTimeMs: 180_000, closeTimeMs: 180_000, profit: -250_5000, swap: 0, commission: 0 },
      ...{ fee: 0, gain: 0, success: 'lost', durationInMinutes: 0, comment: 'payout' },
      closeBalance: -250_5000,
    },
  ]);
});

test('a stop determines the risk of a trade, in money, percent and pips', () => {
  const plan = { magic: 7, stopLoss: 1.098, takeProfit: 1.106 };
  const close = { profit: 30, positionId: '77', magic: 0, stopLoss: 1.101 };
  const of = (more: Partial<Trade>, price = 1.103) =>
    tradesOf([
      deposit('1', 1000),
      buy('2', 0.1, 1.1, { positionId: '77', commission: -7, ...plan, ...more }),
      sell('3', 0.1, price, close),
    ])[1];
  assertTrades(
    [of({})].flatMap((trade) => trade ?? []),
    [
      {
        ...{ ...plan, profit: 23_0000, risk: 20_0000, reward: 60_0000 },
        ...{ riskPercent: 2, riskPips: 20, marketValue: 11_000_0000 },
      },
    ],
  );
  // Above the open price it only keeps a profit; and a profit against the prices proves nothing.
  for (const trade of [of({ stopLoss: 1.1001 }), of({}, 1.09), of({}, 1.1)])
    assert.equal(trade?.risk, undefined);
});

test('the market value follows from the profit and the prices, unless it is small', () => {
  const position = { positionId: '77', commission: -7 };
  const of = (profit: number, price: number, type = sell) =>
    tradesOf([
      (type === sell ? buy : sell)('2', 0.1, 150, { ...position, entry: 'DEAL_ENTRY_IN' }),
      type('3', 0.1, price, { profit, ...position, entry: 'DEAL_ENTRY_OUT' }),
    ])[0]?.marketValue;
  // A tenth of a lot of 100,000 for dollars, and a dollar is 151.5 yen at the end.
  assert.equal(of(99.01, 151.5), 9901_0000);
  assert.equal(of(-99.01, 151.5, buy), 9901_0000);
  assert.deepEqual([of(0.99, 151.5), of(-99.01, 151.5), of(0, 150)], Array(3).fill(undefined));
});

test('a netted position that was scaled in has the weighted open price', () => {
  const open = [
    buy('1', 1, 1.1, { entry: undefined, minute: 1 }),
    buy('2', 2, 1.103, { entry: undefined, minute: 2 }),
    sell('3', 3, 1.104, { entry: undefined, minute: 3 }),
  ];
  assertTrades(tradesOf(open), [
    { id: '1', positionId: '1', volume: 3 * LOT, openPrice: 1.102, closePrice: 1.104, pips: 20 },
  ]);
});

test('a reversal closes one leg and opens the next under its own number', () => {
  const inOut = 'DEAL_ENTRY_INOUT';
  assertTrades(
    tradesOf([
      buy('1', 1, 1.1, { positionId: '9', minute: 1 }),
      sell('2', 3, 1.105, { positionId: '9', entry: inOut, lotsClosed: 1, profit: 500, minute: 2 }),
      buy('3', 2, 1.104, { positionId: '9', entry: 'DEAL_ENTRY_OUT', profit: 200, minute: 3 }),
    ]),
    [
      { id: '9', type: 'DEAL_TYPE_BUY', volume: LOT, openPrice: 1.1, closePrice: 1.105, pips: 50 },
      { id: '9+2', positionId: '9', type: 'DEAL_TYPE_SELL', volume: 2 * LOT, pips: 10 },
    ],
  );
});

test('commission and fee of a reversal are shared by volume and no unit is lost', () => {
  const trades = tradesOf([
    buy('1', 1, 1.1, { minute: 1 }),
    sell('2', 3, 1.105, {
      ...{
        entry: 'DEAL_ENTRY_INOUT',
        profit: 5,
        swap: -2,
        commission: -0.0002,
        fee: -1,
        minute: 2,
      },
    }),
    buy('3', 2, 1.105, { entry: 'DEAL_ENTRY_OUT', minute: 3 }),
  ]);
  assertTrades(trades, [
    { profit: 2_6667, swap: -2_0000, commission: 0, fee: -3333 },
    { id: '1+2', profit: -6669, swap: 0, commission: -2, fee: -6667 },
  ]);
});

test('a close-by trusts price and profit of each of the two deals', () => {
  const closeBy = 'DEAL_ENTRY_OUT_BY';
  assertTrades(
    tradesOf([
      buy('11', 1, 1.1, { positionId: '1', minute: 1 }),
      sell('12', 0.4, 1.102, { positionId: '2', entry: 'DEAL_ENTRY_IN', minute: 2 }),
      sell('13', 0.4, 1.102, { positionId: '1', entry: closeBy, profit: 80, minute: 3 }),
      buy('14', 0.4, 1.102, { positionId: '2', entry: closeBy, minute: 3 }),
      sell('15', 0.6, 1.101, { positionId: '1', profit: 60, minute: 4 }),
    ]),
    [
      { id: '2', openPrice: 1.102, closePrice: 1.102, pips: 0, profit: 0, success: 'lost' },
      { id: '1', closePrice: 1.1014, pips: 14, profit: 140_0000, volume: LOT, success: 'won' },
    ],
  );
});

test('a position with entries outside of the history is priced as far as known', () => {
  assertTrades(
    tradesOf([
      sell('1', 0.5, 1.2, { positionId: '8', positionPrice: 1.19, profit: 500, minute: 5 }),
      sell('2', 0.5, 1.2, { positionId: '9', profit: 7, minute: 6 }),
    ]),
    [
      { id: '8', type: 'DEAL_TYPE_BUY', openPrice: 1.19, openTimeMs: 300_000, incomplete: true },
      { id: '9', openPrice: undefined, closePrice: 1.2, pips: undefined, incomplete: true },
    ],
  );
});

test('closing more than is known to be open keeps the money and counts the missing entry', () => {
  assertTrades(
    tradesOf([
      buy('1', 0.4, 1.1, { positionId: '8', minute: 1 }),
      sell('2', 1, 1.2, { positionId: '8', positionPrice: 1.15, profit: 90, minute: 2 }),
    ]),
    [{ volume: LOT, openPrice: 1.13, profit: 90_0000, incomplete: true }],
  );
});

test('a correction after the close is a separate line under the same position', () => {
  assertTrades(
    tradesOf([
      buy('1', 1, 1.1, { positionId: '8', minute: 1 }),
      sell('2', 1, 1.2, { positionId: '8', profit: 90, minute: 2 }),
      sell('3', 0, 1.2, { positionId: '8', swap: -3, minute: 9 }),
    ]),
    [
      { id: '8', profit: 90_0000 },
      { id: '8+d3', positionId: '8', volume: 0, profit: -3_0000, swap: -3_0000, incomplete: true },
    ],
  );
});

test('a position id that opens again is completed by the deal that opens it', () => {
  const round = (first: number) => [
    buy(`${first}`, 1, 1.1, { positionId: 'gold', minute: first }),
    sell(`${first + 1}`, 1, 1.2, { positionId: 'gold', minute: first + 1 }),
  ];
  assert.deepEqual(
    tradesOf([...round(1), ...round(3), ...round(5)]).map((trade) => trade.id),
    ['gold', 'gold+d3', 'gold+d5'],
  );
});

test('a canceled closing leaves its position open, and its money in it', () => {
  const state = createTradeState();
  foldTradeDeal(state, buy('1', 1, 1.1, { positionId: '8', minute: 1 }));
  const canceled = dealOf({
    ...{ id: '2', type: 'DEAL_TYPE_SELL_CANCELED', positionId: '8', minute: 2 },
    ...{ lots: 1, price: 1.2, commission: -2 },
  });
  assert.deepEqual(foldTradeDeal(state, canceled), []);
  assertTrades(foldTradeDeal(state, sell('3', 1, 1.3, { positionId: '8', profit: 9, minute: 3 })), [
    { profit: 7_0000, closePrice: 1.3 },
  ]);
});

test('a balance operation and a position of the same number keep different ids', () => {
  const ids = tradesOf([
    deposit('8', 100, { minute: 0 }),
    buy('9', 1, 1.1, { positionId: '8', minute: 1 }),
    sell('10', 1, 1.2, { positionId: '8', minute: 2 }),
  ]).map((trade) => trade.id);
  assert.deepEqual(ids, ['8', '8+d9']);
});

test('a position id that looks like a leg or a balance operation stays distinct', () => {
  const round = (first: number, positionId: string) => [
    buy(`${first}`, 1, 1.1, { positionId, minute: first }),
    sell(`${first + 1}`, 1, 1.2, { positionId, minute: first + 1 }),
  ];
  const deals = [deposit('8', 5), ...round(9, '8'), ...round(20, '8'), ...round(30, '8+2')];
  assert.deepEqual(
    tradesOf([...deals, ...round(40, '8+0')]).map((trade) => trade.id),
    ['8', '8+d9', '8+d20', '8++2', '8++0'],
  );
});

test('a long-lived position keeps its own id, whatever closes in between', () => {
  const deals = [deposit('1', 5), buy('2', 1, 1.1, { positionId: '1', minute: 1 })];
  for (let id = 10; id < 1000; id += 2)
    deals.push(
      buy(`${id}`, 1, 1.1, { positionId: `p${id}`, minute: id }),
      sell(`${id + 1}`, 1, 1.1, { positionId: `p${id}`, minute: id }),
    );
  const ids = tradesOf([...deals, sell('2000', 1, 1.2, { positionId: '1', minute: 2000 })]);
  assert.equal(ids.at(-1)?.id, '1+d2');
});

test('a correction long after the close of its position has an id of its own', () => {
  const round = (first: number, positionId: string) => [
    buy(`${first}`, 1, 1.1, { positionId, minute: first }),
    sell(`${first + 1}`, 1, 1.2, { positionId, minute: first }),
  ];
  const deals = round(1, 'P');
  for (let id = 10; id < 610; id += 2) deals.push(...round(id, `q${id}`));
  deals.push(sell('700', 0, 1.2, { positionId: 'P', swap: -3, minute: 700 }));
  const ids = tradesOf(deals).map((trade) => trade.id);
  assert.equal(ids[0], 'P');
  assert.equal(ids.at(-1), 'P+d700');
});

test('ids that count up stay plain, however many there are', () => {
  const ids = Array.from({ length: 2000 }, (_, round) => `p${round}`);
  const deals = ids.flatMap((positionId, round) => [
    buy(`${2 * round}`, 1, 1.1, { positionId, minute: round }),
    sell(`${2 * round + 1}`, 1, 1.1, { positionId, minute: round + 300 }),
  ]);
  assert.deepEqual(
    tradesOf(deals).map((trade) => trade.id),
    ids,
  );
});

test('gain is measured by the balance before the position opened, without credit', () => {
  const credit = dealOf({ id: '2', type: 'DEAL_TYPE_CREDIT', profit: 5000, minute: 1 });
  const trades = tradesOf([
    deposit('1', 1000),
    credit,
    buy('3', 1, 1.1, { positionId: '8', minute: 2, commission: -10 }),
    deposit('4', 9000, { minute: 3 }),
    sell('5', 1, 1.2, { positionId: '8', profit: 43.3333, minute: 4 }),
  ]);
  assert.equal(trades.at(-1)?.gain, 3.33333);
});

test('gain is 0 where the balance was not positive', () => {
  const trades = tradesOf([
    buy('1', 1, 1.1, { positionId: '8', minute: 1 }),
    sell('2', 1, 1.2, { positionId: '8', profit: 5, minute: 2 }),
  ]);
  assertTrades(trades, [{ gain: 0, success: 'won' }]);
});

test('without position ids, longs and shorts with entries are separate', () => {
  assertTrades(
    tradesOf([
      buy('1', 1, 1.1, { minute: 1 }),
      sell('2', 1, 1.2, { entry: 'DEAL_ENTRY_IN', minute: 2 }),
      buy('3', 1, 1.15, { entry: 'DEAL_ENTRY_OUT', minute: 3 }),
      sell('4', 1, 1.3, { minute: 4 }),
    ]),
    [
      { id: '2', type: 'DEAL_TYPE_SELL', pips: 500 },
      { id: '1', type: 'DEAL_TYPE_BUY', pips: 2000 },
    ],
  );
});

test('open positions show the remaining volume and the realised profit', () => {
  const state = createTradeState();
  foldTradeDeal(state, buy('1', 1, 1.1, { positionId: '8', minute: 1, commission: -3 }));
  foldTradeDeal(state, buy('2', 1, 1.2, { positionId: '8', minute: 2, commission: -3 }));
  foldTradeDeal(state, sell('3', 0.5, 1.3, { positionId: '8', profit: 40, swap: -1, minute: 3 }));
  assert.deepEqual(openPositionsOf(state), [
    {
      ...{ positionId: '8', type: 'DEAL_TYPE_BUY', symbol: 'EURUSD', volume: 1.5 * LOT },
      ...{ openTimeMs: 60_000, openPrice: 1.15, realisedProfit: 40_0000, swap: -1_0000 },
      ...{ commission: -6_0000, fee: 0, comment: undefined, incomplete: undefined },
    },
  ]);
});

test('the state does not grow with the history', () => {
  const state = createTradeState();
  for (let round = 0; round < 2000; round += 1) {
    foldTradeDeal(state, buy(`${2 * round}`, 1, 1.1, { positionId: `p${round}`, minute: round }));
    foldTradeDeal(
      state,
      sell(`${2 * round + 1}`, 1, 1.1, { positionId: `p${round}`, minute: round }),
    );
  }
  assert.equal(state.positions.size, 0);
  assert.equal(state.taken.positions.size, 256);
  assert.equal(state.taken.forgotten.size, 1);
});

test('averages print as decimal numbers, of large prices and of tiny ones', () => {
  const closeAt = (first: number, second: number): number | undefined =>
    tradesOf([
      buy('1', 1, first, { positionId: '8', minute: 1 }),
      buy('2', 2, second, { positionId: '8', minute: 2 }),
      sell('3', 3, first, { positionId: '8', minute: 3 }),
    ])[0]?.openPrice;
  assert.equal(closeAt(1.1, 1.103), 1.102);
  assert.equal(closeAt(1.1, 1.1001), 1.10006667);
  assert.equal(closeAt(1_600_000_000.5, 1_600_000_000.5), 1_600_000_000.5);
  assert.equal(closeAt(0.0000012345, 0.0000012345), 0.0000012345);
  assert.equal(closeAt(-37.63, -37.63), -37.63);
});
