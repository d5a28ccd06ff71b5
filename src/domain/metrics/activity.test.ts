import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activityOf } from './activity.ts';
import { closedTrade, DAY } from './trades.fixture.ts';

test('days are whole, trades are spread over begun days', () => {
  const trades = [
    closedTrade(1, 2 * DAY, { openTimeMs: DAY }),
    closedTrade(1, 3 * DAY, { openTimeMs: 2 * DAY }),
  ];
  assert.deepEqual(activityOf(trades, 4.5 * DAY), {
    ...{ firstTradeTimeMs: DAY, lastTradeTimeMs: 3 * DAY },
    ...{ daysSinceFirstTrade: 3, tradesPerDay: 0.5 },
  });
});

test('on its first day, or by a clock that is behind, all trades are of one day', () => {
  assert.equal(activityOf([closedTrade(1, DAY)], 0).tradesPerDay, 1);
});

test('without trades nothing is told', () => {
  assert.deepEqual(activityOf([], DAY), {});
});
