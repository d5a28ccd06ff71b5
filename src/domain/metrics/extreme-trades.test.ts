import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addExtremes, type ExtremeTrades } from './extreme-trades.ts';
import { closedTrade } from './trades.fixture.ts';

test('the best and the worst trade with their time, the first of equal ones', () => {
  const extremes: ExtremeTrades = {};
  [5, 90, -7, 90, -7].forEach((profit, index) => {
    addExtremes(extremes, closedTrade(profit, index + 1));
  });
  assert.deepEqual(extremes, {
    best: { id: 't2', symbol: 'EURUSD', profit: 90, closeTimeMs: 2 },
    worst: { id: 't3', symbol: 'EURUSD', profit: -7, closeTimeMs: 3 },
  });
});

test('most and least pips are those of the trades that have any', () => {
  const extremes: ExtremeTrades = {};
  [3.4, undefined, -0.1, 3.4].forEach((pips, index) => {
    addExtremes(extremes, closedTrade(1, index, { pips }));
  });
  assert.deepEqual(extremes.mostPips, { tenths: 34, closeTimeMs: 0 });
  assert.deepEqual(extremes.leastPips, { tenths: -1, closeTimeMs: 2 });
});
