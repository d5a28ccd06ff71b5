import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALL_RATES, held, marginOf } from '../../../test/margin/holdings.ts';
import { sampleContract, sampleSymbol } from '../../../test/margin/samples.ts';
import type { Platform } from '../../words/accounts.ts';

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

test('covered and uncovered volume are charged separately (MetaTrader 5 help, Hedging)', () => {
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

test('a pair costs the hedged size, on p4 for each of its two lots', () => {
  const pair = held('EURUSD', 'BUY 1 @1.1', 'SELL 1 @1.1');
  const cost = (marginHedged: number, family: Platform) =>
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

test('p4 counts the larger leg, too (MetaTrader 4 help)', () => {
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
