import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALL_RATES, held, marginOf } from '../../../test/margin/holdings.ts';
import { sampleSymbol } from '../../../test/margin/samples.ts';

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
