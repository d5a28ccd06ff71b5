import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HeldOrder } from './legs.ts';
import type { Family } from './margin-mode.ts';
import { sampleAccount, sampleContract, sampleMarket, sampleSymbol } from './margin-samples.ts';
import type { MarginSymbol } from './market.ts';
import type { PositionAccounting } from './positions-margin.ts';
import { positionsMargin } from './positions-margin.ts';

/** `BUY 2 @1.1` is a position, `BUY_LIMIT 1 @1.05` a pending order. */
function held(symbol: string, ...orders: string[]): HeldOrder[] {
  return orders.map((order) => {
    const [type = '', volume, price = ''] = order.split(' ');
    return {
      symbol,
      type: `ORDER_TYPE_${type}` as HeldOrder['type'],
      volume: Number(volume),
      openPrice: Number(price.slice(1)),
    };
  });
}

type Setting = { family?: Family; currency?: string; leverage?: number };

function marginOf(
  symbols: MarginSymbol[],
  orders: HeldOrder[],
  accounting: PositionAccounting = 'hedging',
  { family = 'p5', currency = 'USD', leverage = 100 }: Setting = {},
) {
  const account = { ...sampleAccount(family, currency, leverage), accounting };
  const result = positionsMargin({ held: orders, account, market: sampleMarket(symbols) });
  return 'margin' in result ? result.margin : result.unavailable;
}

const ALL_RATES = {
  ORDER_TYPE_BUY_LIMIT: 1,
  ORDER_TYPE_SELL_LIMIT: 1,
  ORDER_TYPE_BUY_STOP: 1,
  ORDER_TYPE_SELL_STOP: 1,
  ORDER_TYPE_BUY_STOP_LIMIT: 1,
  ORDER_TYPE_SELL_STOP_LIMIT: 1,
};

test('positions of one side count at their average price (MetaTrader 5 help, Hedging)', () => {
  const silver = sampleContract('XAGUSD', {
    marginMode: 'CFDLEVERAGE',
    contractSize: 5000,
    marginRates: ALL_RATES,
  });
  const positions = held('XAGUSD', 'BUY 1 @15.436', 'BUY 2 @15.432');
  assert.equal(marginOf([silver], positions), 2315);
  const limit = held('XAGUSD', 'BUY_LIMIT 1 @15.412');
  assert.equal(marginOf([silver], [...positions, ...limit]), 3085.6);
});

test('covered and uncovered volume are charged apart (MetaTrader 5 help, Hedging)', () => {
  const symbol = sampleSymbol('EURUSD', {
    marginHedged: 100_000,
    marginRates: { ORDER_TYPE_BUY: 2, ORDER_TYPE_SELL: 4 },
  });
  const positions = held(
    'EURUSD',
    'SELL 1 @1.11943',
    'BUY 1 @1.11953',
    'SELL 1 @1.11943',
    'BUY 1 @1.11953',
    'SELL 1 @1.11943',
  );
  assert.equal(marginOf([symbol], positions, 'hedging', { leverage: 500 }), 2238.9);
});

test('the larger side counts with its pending orders (MetaTrader 5 help, Hedging)', () => {
  const symbol = sampleSymbol('EURUSD', { hedgeByLargerLeg: true, marginRates: ALL_RATES });
  const buys = held('EURUSD', 'BUY 1 @1.16214', 'BUY 2 @1.16207', 'BUY_LIMIT 1 @1.16053');
  const sells = held(
    'EURUSD',
    'SELL 1 @1.16184',
    'SELL 1 @1.16189',
    'SELL_STOP 1 @1.15808',
    'SELL_STOP 1 @1.16067',
  );
  assert.equal(marginOf([symbol], sells), 4642.48);
  assert.equal(marginOf([symbol], buys), 4646.81);
  assert.equal(marginOf([symbol], [...buys, ...sells]), 4646.81);
});

test('a pair costs what the hedged size says, and on p4 the size counts for both of its lots', () => {
  const pair = held('EURUSD', 'BUY 1 @1.1', 'SELL 1 @1.1');
  const cost = (marginHedged: number, family: Family) =>
    marginOf([sampleSymbol('EURUSD', { marginHedged })], pair, 'hedging', {
      family,
      currency: 'EUR',
    });
  assert.equal(cost(100_000, 'p5'), 1000);
  assert.equal(cost(50_000, 'p4'), 1000);
  assert.equal(cost(0, 'p5'), 0);
  assert.equal(cost(0, 'p4'), 0);
  assert.equal(marginOf([sampleSymbol('EURUSD')], pair), 0);
});

test('p4 covers at the mean of both open prices (MetaTrader 4 help)', () => {
  const index = sampleContract('US30', { marginMode: 'CFD', contractSize: 2, marginHedged: 1 });
  const orders = held('US30', 'BUY 2 @100', 'BUY 1 @103', 'SELL 1 @111');
  // 2 uncovered lots × 2 × 101, and 1 covered pair × 2 × 1 × (101 + 111) / 2.
  assert.equal(marginOf([index], orders, 'hedging', { family: 'p4' }), 404 + 212);
});

test('p4 covers at the mean of both conversion rates, whatever the volumes', () => {
  const symbol = sampleSymbol('EURUSD', { marginHedged: 50_000 });
  const orders = held('EURUSD', 'BUY 3 @1', 'SELL 1 @1.2');
  assert.equal(marginOf([symbol], orders, 'hedging', { family: 'p4' }), 2000 + 1100);
});

test('p4 futures are held for their maintenance margin, pairs for the hedged amount', () => {
  const p4: Setting = { family: 'p4' };
  const future = (marginInitial: number) =>
    sampleContract('FUT', {
      marginMode: 'FUTURES',
      marginInitial,
      marginMaintenance: 700,
      marginHedged: 300,
    });
  assert.equal(marginOf([future(1000)], held('FUT', 'BUY 2 @5'), 'hedging', p4), 1400);
  const pair = held('FUT', 'BUY 1 @5', 'SELL 1 @5');
  assert.equal(marginOf([future(1000)], pair, 'hedging', p4), 600);
  assert.equal(marginOf([future(0)], pair, 'hedging', p4), 600);
});

test('p4 counts the larger leg too (MetaTrader 4 help)', () => {
  const symbol = sampleSymbol('EURUSD', { hedgeByLargerLeg: true });
  const orders = held(
    'EURUSD',
    'BUY 2 @1.38905',
    'BUY 2 @1.38605',
    'SELL 2 @1.38986',
    'SELL 1 @1.38995',
    'SELL_LIMIT 9 @1.4',
  );
  assert.equal(marginOf([symbol], orders, 'hedging', { family: 'p4', currency: 'EUR' }), 4000);
});

test('held futures are charged their maintenance margin (MetaTrader 5 help, Hedging)', () => {
  const fixed = { marginInitial: 1000, marginMaintenance: 500, marginHedged: 500 };
  const future = sampleContract('BR-12.18', { marginMode: 'FUTURES', ...fixed });
  assert.equal(marginOf([future], held('BR-12.18', 'BUY 1 @70')), 500);
  assert.equal(marginOf([future], held('BR-12.18', 'BUY 1 @70', 'SELL 2 @71')), 1000);
  const initialOnly = sampleContract('FUT', { marginMode: 'FUTURES', marginInitial: 4500 });
  assert.equal(marginOf([initialOnly], held('FUT', 'BUY 2 @70')), 9000);
});

test('FORTS futures reserve the larger sum (MetaTrader 5 help, Exchange FORTS Futures)', () => {
  const symbol = sampleContract('Si-6.18', {
    marginMode: 'EXCH_FUTURES_FORTS',
    marginInitial: 7665.41,
    marginMaintenance: 7739.59,
    priceSettle: 73_638,
    tickValue: 1,
    tickSize: 1,
    marginRates: ALL_RATES,
  });
  const position = held('Si-6.18', 'BUY 3 @73640', 'BUY_LIMIT 2 @73000');
  assert.equal(marginOf([symbol], position), 37_057.05);
  const limit = held('Si-6.18', 'SELL_LIMIT 10 @74500');
  assert.equal(marginOf([symbol], [...position, ...limit]), 45_563.13);
});

test('FORTS futures widen the distance by the currency rate, and positions by their own rate', () => {
  const symbol = sampleContract('Si-6.18', {
    marginMode: 'EXCH_FUTURES_FORTS',
    marginInitial: 7000,
    marginMaintenance: 8000,
    priceSettle: 73_000,
    tickValue: 1,
    tickSize: 1,
    marginCurrencyRate: 2.5,
    maintenanceMarginRates: { ORDER_TYPE_BUY: 2 },
  });
  assert.equal(marginOf([symbol], held('Si-6.18', 'BUY 1 @73100')), 2 * (7000 + 102.5));
});

test('maintenance rates hold for positions, and 0 means the initial rate', () => {
  const rated = (rate: number) =>
    sampleSymbol('EURUSD', {
      marginRates: { ORDER_TYPE_BUY: 2 },
      maintenanceMarginRates: { ORDER_TYPE_BUY: rate },
    });
  assert.equal(marginOf([rated(0.5)], held('EURUSD', 'BUY 1 @1.1')), 550);
  assert.equal(marginOf([rated(0)], held('EURUSD', 'BUY 1 @1.1')), 2200);
});

test('the conversion rate of the opening, where known, is weighted like the price', () => {
  const orders = held('EURJPY', 'BUY 1 @120', 'BUY 3 @121').map((order, index) => ({
    ...order,
    conversionRate: index === 0 ? 1.1 : 1.2,
  }));
  assert.equal(marginOf([sampleSymbol('EURJPY')], orders), 4700);
  assert.equal(
    marginOf([sampleSymbol('EURJPY')], held('EURJPY', 'BUY 1 @120')),
    'there are no prices to convert EUR into USD',
  );
});

test('pending orders that are not charged need no prices', () => {
  const [position] = held('EURJPY', 'BUY 1 @120');
  assert.ok(position);
  const orders = [{ ...position, conversionRate: 1.1 }, ...held('EURJPY', 'BUY_LIMIT 1 @110')];
  assert.equal(marginOf([sampleSymbol('EURJPY')], orders), 1100);
});

test('each symbol is rounded for itself before all are added', () => {
  const thing = (name: string) =>
    sampleContract(name, { marginMode: 'CFD', contractSize: 1, volumeMin: 1 });
  const orders = [...held('A', 'BUY 1 @0.005'), ...held('B', 'SELL 1 @0.005')];
  assert.equal(marginOf([thing('A'), thing('B')], orders), 0.02);
  assert.equal(marginOf([thing('A')], orders), 'symbol B is not known');
});

test('on netting accounts only orders larger than the position against it add margin', () => {
  const symbol = sampleSymbol('EURUSD', { marginRates: ALL_RATES, marginHedged: 100_000 });
  const net = (...orders: string[]) =>
    marginOf([symbol], held('EURUSD', ...orders), 'netting', { currency: 'EUR' });
  assert.equal(net('BUY 1 @1.1'), 1000);
  assert.equal(net('BUY 1 @1.1', 'BUY_LIMIT 2 @1'), 3000);
  assert.equal(net('BUY 1 @1.1', 'BUY_STOP 2 @1.2'), 3000);
  assert.equal(net('BUY 1 @1.1', 'SELL_LIMIT 1 @1.2'), 1000);
  assert.equal(net('BUY 1 @1.1', 'SELL_STOP 3 @1'), 3000);
  assert.equal(net('SELL 2 @1.1', 'BUY_STOP_LIMIT 1.5 @1'), 2000);
  assert.equal(net('BUY_LIMIT 1 @1', 'SELL_LIMIT 2 @1.2'), 2000);
  assert.equal(net('BUY_LIMIT 1 @1', 'SELL_LIMIT 2 @1.2', 'BUY_STOP 1 @2'), 3000);
  assert.equal(net('BUY 3 @1.1', 'SELL 1 @1.2'), 2000);
});

test('an order as large as the netting position against it adds nothing, whatever its rate', () => {
  const symbol = sampleSymbol('EURUSD', { marginRates: { ORDER_TYPE_SELL_LIMIT: 3 } });
  const net = (...orders: string[]) =>
    marginOf([symbol], held('EURUSD', ...orders), 'netting', { currency: 'EUR' });
  assert.equal(net('BUY 1 @1.1', 'SELL_LIMIT 1 @1.2'), 1000);
  assert.equal(net('BUY 1 @1.1', 'SELL_LIMIT 1.1 @1.2'), 3300);
});

test('nothing held, nothing charged', () => {
  assert.equal(marginOf([], []), 0);
  assert.equal(
    marginOf(
      [sampleContract('ASSET', { marginMode: 'SERV_COLLATERAL', currencyMargin: 'XAU' })],
      held('ASSET', 'BUY 1 @5'),
    ),
    0,
  );
});
