import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activityOf } from './activity.ts';
import { DAY } from './trades.fixture.ts';

test('days are whole, trades are spread over begun days', () => {
  assert.deepEqual(activityOf({ firstOpenMs: DAY, lastCloseMs: 3 * DAY }, 2, 4.5 * DAY), {
    ...{ firstTradeTimeMs: DAY, lastTradeTimeMs: 3 * DAY },
    ...{ daysSinceFirstTrade: 3, tradesPerDay: 0.5 },
  });
});

test('on its first day, or by a clock that is behind, all trades are of one day', () => {
  assert.equal(activityOf({ firstOpenMs: DAY, lastCloseMs: DAY }, 1, 0).tradesPerDay, 1);
});

test('without trades nothing is told', () => {
  assert.deepEqual(activityOf({}, 0, DAY), {});
});
