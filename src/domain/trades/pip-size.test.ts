import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pipSizeOf } from './pip-size.ts';

const assertSizes = (cases: [symbol: string, digits: number | undefined, size: unknown][]): void =>
  assert.deepEqual(
    cases.map(([symbol, digits]) => [symbol, digits, pipSizeOf(symbol, digits, 2)]),
    cases,
  );

test('a pip of a currency pair is the fourth decimal, or the second of prices in hundreds', () => {
  assertSizes([
    ['EURUSD', 5, 0.0001],
    ['EURUSD', 4, 0.0001],
    ['USDJPY', 3, 0.01],
    ['USDJPY', 2, 0.01],
    ['USDTRY', undefined, 0.0001],
    ['EURHUF', undefined, 0.01],
  ]);
  assert.equal(pipSizeOf('EURUSD', undefined, 3), 0.0001);
  assert.equal(pipSizeOf('USDJPY', undefined, 3), 0.01);
});

test("brokers' prefixes and suffixes do not hide the symbol", () => {
  assertSizes([
    ['EURUSD.pro', undefined, 0.0001],
    ['mEURUSD', undefined, 0.0001],
    ['EURUSDm', undefined, 0.0001],
    ['EURUSD_i', undefined, 0.0001],
    ['EURUSDC', undefined, 0.0001],
    ['EUR/USD', undefined, 0.0001],
    ['eurusd', undefined, 0.0001],
    ['XAUUSDm', undefined, 0.1],
    ['XAUUSD.std', 3, 0.1],
    ['GOLD', undefined, 0.1],
    ['XAGUSD', 3, 0.01],
    ['US500.cash', undefined, 1],
    ['US30', 2, 1],
    ['.USTECm', undefined, 1],
    ['nq100_m', undefined, 1],
    ['GER40', undefined, 1],
    ['BTCUSD#', undefined, 1],
    ['ETHUSDT', 2, 1],
  ]);
});

test('stocks, futures and unknown symbols have no pip', () => {
  assertSizes([
    ['#AAPL', 2, undefined],
    ['TSLA.US', 2, undefined],
    ['ESZ6', 2, undefined],
    ['USDX', 3, undefined],
    ['', undefined, undefined],
  ]);
});
