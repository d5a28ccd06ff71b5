import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from './trades.fixture.ts';
import { tradingPaceOf } from './trading-pace.ts';

test('days are whole, trades are spread over begun days', () => {
  assert.deepEqual(tradingPaceOf({ firstTradeTimeMs: DAY, trades: 2 }, 4.5 * DAY), {
    ...{ daysSinceFirstTrade: 3, tradesPerDay: 0.5 },
  });
});

test('on its first day, or by a clock that is behind, all trades are of one day', () => {
  assert.equal(tradingPaceOf({ firstTradeTimeMs: DAY, trades: 1 }, 0).tradesPerDay, 1);
});

test('without trades there is no pace', () => {
  assert.deepEqual(tradingPaceOf({ trades: 0 }, DAY), {});
});
