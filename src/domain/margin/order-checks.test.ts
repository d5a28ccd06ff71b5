import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleAccount, sampleMarket, sampleSymbol } from '../../../test/margin/samples.ts';
import { ORDER_TYPES } from '../../words/accounts.ts';
import { calculateMargin } from './calculate-margin.ts';
import type { MarginOrder } from './order-checks.ts';

const symbol = sampleSymbol('EURUSD', { volumeMin: 0.1, volumeMax: 50, volumeStep: 0.1 });
const free = sampleSymbol('USDJPY', { volumeMin: 0, volumeMax: 0, volumeStep: 0 });
const market = sampleMarket([symbol, free]);
const account = sampleAccount('p5', 'USD', 100);
const GOOD: MarginOrder = {
  symbol: 'EURUSD',
  type: 'ORDER_TYPE_BUY',
  volume: 0.1,
  openPrice: 1.1,
};

function faultsOf(changes: Partial<MarginOrder>) {
  const result = calculateMargin({ order: { ...GOOD, ...changes }, account, market });
  return 'faults' in result ? result.faults : [];
}

test('every fault of an order is named at once', () => {
  assert.deepEqual(faultsOf({ symbol: 'NONE', type: 'BUY', volume: -1, openPrice: 0 }), [
    { parameter: 'symbol', message: 'is not a symbol of the account' },
    { parameter: 'type', message: 'is not an order type' },
    { parameter: 'volume', message: 'must be a number above 0' },
    { parameter: 'openPrice', message: 'must be a number above 0' },
  ]);
});

test('volume must keep to minimum, maximum and step', () => {
  const messageOf = (volume: number) => faultsOf({ volume })[0]?.message;
  assert.equal(messageOf(0), 'must be a number above 0');
  assert.equal(messageOf(Number.NaN), 'must be a number above 0');
  assert.equal(messageOf(Number.POSITIVE_INFINITY), 'must be a number above 0');
  assert.equal(messageOf(1e-12), 'must be at least 0.1');
  assert.equal(messageOf(0.05), 'must be at least 0.1');
  assert.equal(messageOf(50.1), 'must be at most 50');
  assert.equal(messageOf(1e300), 'must be at most 50');
  assert.equal(messageOf(0.15), 'must be a multiple of 0.1');
  assert.equal(messageOf(0.200000001), 'must be a multiple of 0.1');
  assert.equal(messageOf(50), undefined);
  assert.equal(messageOf(0.1 + 0.2), undefined);
  assert.equal(messageOf(4.3), undefined);
});

test('unset limits do not bind', () => {
  for (const volume of [1e-8, 0.12345678, 1e6])
    assert.deepEqual(faultsOf({ symbol: 'USDJPY', volume }), [], String(volume));
  assert.equal(faultsOf({ symbol: 'USDJPY', volume: 1e9 }).length, 1);
});

test('every order type of the platforms is accepted, no other word is', () => {
  for (const type of ORDER_TYPES) assert.deepEqual(faultsOf({ type }), []);
  for (const type of ['', 'order_type_buy', 'ORDER_TYPE_', 'DEAL_TYPE_BUY'])
    assert.equal(faultsOf({ type })[0]?.parameter, 'type');
});

test('a price that is not a number above 0 is refused', () => {
  for (const openPrice of [-1, 0, Number.NaN, Number.POSITIVE_INFINITY])
    assert.equal(faultsOf({ openPrice })[0]?.parameter, 'openPrice');
});
