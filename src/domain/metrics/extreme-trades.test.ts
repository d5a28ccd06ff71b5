import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extremeTradesOf } from './extreme-trades.ts';
import { closedTrade } from './trades.fixture.ts';

test('the best and the worst trade with their time, the first of equal ones', () => {
  const trades = [5, 90, -7, 90, -7].map((profit, index) => closedTrade(profit, index + 1));
  assert.deepEqual(extremeTradesOf(trades), {
    bestTrade: { id: 't2', symbol: 'EURUSD', profit: 90, closeTimeMs: 2 },
    worstTrade: { id: 't3', symbol: 'EURUSD', profit: -7, closeTimeMs: 3 },
  });
  assert.deepEqual(extremeTradesOf([]), { bestTrade: undefined, worstTrade: undefined });
});
