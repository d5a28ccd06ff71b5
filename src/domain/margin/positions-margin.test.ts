import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Setting } from '../../../test/margin/holdings.ts';
import { ALL_RATES, held, marginOf } from '../../../test/margin/holdings.ts';
import { sampleContract, sampleSymbol } from '../../../test/margin/samples.ts';

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

test('FORTS futures widen the distance by the currency rate, and have their own rates', () => {
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

test('the conversion rate of the opening, if known, is weighted like the price', () => {
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

test('uncharged pending orders need no prices', () => {
  const [position] = held('EURJPY', 'BUY 1 @120');
  assert.ok(position);
  const orders = [{ ...position, conversionRate: 1.1 }, ...held('EURJPY', 'BUY_LIMIT 1 @110')];
  assert.equal(marginOf([sampleSymbol('EURJPY')], orders), 1100);
});

test('each symbol is rounded separately before all are added', () => {
  const thing = (name: string) =>
    sampleContract(name, { marginMode: 'CFD', contractSize: 1, volumeMin: 1 });
  const orders = [...held('A', 'BUY 1 @0.005'), ...held('B', 'SELL 1 @0.005')];
  assert.equal(marginOf([thing('A'), thing('B')], orders), 0.02);
  assert.equal(marginOf([thing('A')], orders), 'symbol B is not known');
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
