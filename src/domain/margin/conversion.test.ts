import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  sampleAccount,
  sampleContract,
  sampleMarket,
  sampleSymbol,
} from '../../../test/margin/samples.ts';
import type { Platform } from '../../words/accounts.ts';
import { calculateMargin } from './calculate-margin.ts';
import type { MarginSymbol } from './market.ts';

type Prices = Record<string, [number, number]>;

/** Margin of one lot at 1:1 of a contract of 100 000: the conversion rate × 100 000. */
function converted(
  symbol: MarginSymbol,
  currency: string,
  prices: Prices,
  { family = 'p5', type = 'ORDER_TYPE_BUY', extra = [] as MarginSymbol[] } = {},
) {
  const pairs = Object.keys(prices).map((name) => sampleSymbol(name));
  const result = calculateMargin({
    order: { symbol: symbol.symbol, type, volume: 1, openPrice: 150 },
    account: sampleAccount(family as Platform, currency, 1),
    market: sampleMarket([...pairs, symbol, ...extra], prices),
  });
  return 'margin' in result ? result.margin : undefined;
}

const SELL = { type: 'ORDER_TYPE_SELL' };
const EURJPY = sampleSymbol('EURJPY');
const p4 = { family: 'p4' };

test('p5 converts at the ask for buys and at the bid for sells', () => {
  const prices: Prices = { EURUSD: [1.1, 1.1002] };
  assert.equal(converted(EURJPY, 'USD', prices), 110_020);
  assert.equal(converted(EURJPY, 'USD', prices, SELL), 110_000);
});

test('p5 turns a pair quoted the other way round, and takes its opposite price', () => {
  const prices: Prices = { USDEUR: [0.8, 1] };
  assert.equal(converted(EURJPY, 'USD', prices), 125_000);
  assert.equal(converted(EURJPY, 'USD', prices, SELL), 100_000);
});

test('p5 goes through USD only without a pair, at the worse price in each step', () => {
  const prices: Prices = { EURUSD: [1.1, 1.2], USDPLN: [3, 4] };
  assert.equal(converted(EURJPY, 'PLN', prices), 480_000);
  assert.equal(converted(EURJPY, 'PLN', prices, SELL), 480_000);
  assert.equal(converted(EURJPY, 'PLN', { ...prices, EURPLN: [4.2, 4.3] }), 430_000);
  const inverse: Prices = { USDEUR: [0.8, 1], PLNUSD: [0.25, 0.5] };
  assert.equal(converted(EURJPY, 'PLN', inverse), 500_000);
});

test("a symbol's own pair converts at the open price, whatever the market says", () => {
  for (const family of ['p4', 'p5']) {
    assert.equal(converted(EURJPY, 'JPY', { EURJPY: [1, 2] }, { family }), 15_000_000);
    assert.equal(converted(EURJPY, 'JPY', {}, { family }), 15_000_000);
    const inYen = sampleSymbol('EURJPY', { currencyMargin: 'JPY' });
    assert.equal(converted(inYen, 'EUR', {}, { family }), 666.67);
  }
});

test('p5 prefers pairs of the own postfix, then the first by name that has prices', () => {
  const own = sampleSymbol('EURJPY.x');
  const prices: Prices = { 'EURUSD.a': [2, 2], 'EURUSD.x': [3, 3], EURUSD: [1, 1] };
  assert.equal(converted(own, 'USD', prices), 300_000);
  assert.equal(converted(own, 'USD', { 'EURUSD.b': [4, 4], 'EURUSD.a': [2, 2] }), 200_000);
  const silent = { extra: [sampleSymbol('EURUSD.x')] };
  assert.equal(converted(own, 'USD', { 'EURUSD.b': [4, 4] }, silent), 400_000);
  const contract = sampleContract('GER40.x', { marginMode: 'CFD', currencyMargin: 'EUR' });
  assert.equal(converted(contract, 'USD', prices), 15_000_000);
});

test('p4 converts at the middle of bid and ask', () => {
  const prices: Prices = { EURUSD: [1.1, 1.1001], USDPLN: [3, 4] };
  assert.equal(converted(EURJPY, 'USD', prices, p4), 110_005);
  assert.equal(converted(EURJPY, 'USD', prices, { ...p4, ...SELL }), 110_005);
  assert.equal(converted(EURJPY, 'PLN', prices, p4), 385_017.5);
  assert.equal(converted(EURJPY, 'USD', { USDEUR: [0.7, 0.9] }, p4), 125_000);
});

test('p4 takes pairs of the own postfix only, plain names for other instruments', () => {
  const own = sampleSymbol('EURJPYmicro');
  assert.equal(converted(own, 'USD', { EURUSD: [1, 1] }, p4), undefined);
  assert.equal(converted(own, 'USD', { EURUSD: [1, 1], EURUSDmicro: [2, 2] }, p4), 200_000);
  const contract = sampleContract('GER40.x', { marginMode: 'CFD', currencyMargin: 'EUR' });
  assert.equal(converted(contract, 'USD', { 'EURUSD.x': [2, 2] }, p4), undefined);
  assert.equal(converted(contract, 'USD', { EURUSD: [2, 2] }, p4), 30_000_000);
});

test('only forex symbols with prices convert', () => {
  const index = sampleSymbol('EURUSD', { marginMode: 'CFD' });
  for (const family of ['p4', 'p5']) {
    const market = sampleMarket([EURJPY, index], { EURUSD: [1, 1] });
    const order = { symbol: 'EURJPY', type: 'ORDER_TYPE_BUY', volume: 1, openPrice: 150 };
    const account = sampleAccount(family as Platform, 'USD', 1);
    assert.ok('unavailable' in calculateMargin({ order, account, market }));
    assert.equal(converted(EURJPY, 'USD', { EURUSD: [0, 1] }, { family }), undefined);
  }
});
