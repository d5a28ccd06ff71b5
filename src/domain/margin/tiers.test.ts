import assert from 'node:assert/strict';
import { test } from 'node:test';
import { basisOf, calculateMargin } from './calculate-margin.ts';
import { marketOf } from './market.ts';
import { readMarket } from './read-market.ts';
import type { LeverageTier } from './tiers.ts';

const symbol = (fields: object = {}) => ({
  ...{ symbol: 'EURUSD', marginMode: 'FOREX' as const, contractSize: 1_000, digits: 5 },
  ...{ currencyBase: 'EUR', currencyProfit: 'USD', currencyMargin: 'EUR' },
  ...{ volumeMin: 0.01, volumeMax: 1_000, volumeStep: 0.01, ...fields },
});

function marginOf(volume: number, fields: object, leverage = 100) {
  const market = marketOf([symbol(fields)], [{ symbol: 'EURUSD', bid: 1.45, ask: 1.45 }]);
  const order = { symbol: symbol(fields).symbol, type: 'ORDER_TYPE_BUY', volume, openPrice: 1.45 };
  const account = { family: 'p5' as const, currency: 'USD', currencyDigits: 2, leverage };
  return calculateMargin({ order, account, market });
}

const TIERS: LeverageTier[] = [
  { fromVolume: 0, leverage: 20 },
  { fromVolume: 50, leverage: 10 },
];

test('the part above the volume of a tier has its leverage', () => {
  const leverageTiers = TIERS;
  assert.deepEqual(marginOf(52, { leverageTiers }), { margin: 3_915 });
  assert.deepEqual(marginOf(50, { leverageTiers }), { margin: 3_625 });
  assert.deepEqual(marginOf(52, {}, 20), { margin: 3_770 });
});

test('a tier gives no more leverage than the account has, which applies below the first tier', () => {
  assert.deepEqual(marginOf(52, { leverageTiers: TIERS }, 10), { margin: 7_540 });
  const [, second] = TIERS;
  const above = marginOf(52, { leverageTiers: [second] }, 20);
  assert.deepEqual(above, { margin: 3_915 });
});

test('the method of calculating a margin has a name', () => {
  const ways = [{}, { marginInitial: 500 }, { leverageTiers: TIERS }];
  const names = ways.map((fields) => basisOf(symbol(fields)));
  assert.deepEqual(names, ['formula', 'fixed', 'tiers']);
});

test('a base currency that contradicts the pair gives no margin, but a reason', () => {
  const wrong = {
    symbol: 'EURJPY',
    currencyProfit: 'JPY',
    currencyBase: 'AUD',
    currencyMargin: 'AUD',
  };
  const result = marginOf(1, wrong);
  assert.match('unavailable' in result ? result.unavailable : '', /EURJPY .* base currency AUD/);
  const right = { ...wrong, currencyBase: 'EUR', currencyMargin: 'USD' };
  assert.equal('margin' in marginOf(1, right), true);
});

test('tiers must be in the order of their volumes', () => {
  const record = { symbols: [symbol({ leverageTiers: TIERS.toReversed() })], quotes: [] };
  const read = readMarket('p5', record);
  assert.deepEqual('faults' in read && read.faults.map(({ parameter }) => parameter), [
    'symbols[0].leverageTiers',
  ]);
});
