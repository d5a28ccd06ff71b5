import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdingTimesOf } from './holding-times.ts';
import { closedTrade } from './trades.fixture.ts';

const heldFor = (...times: number[]) =>
  times.map((time) => closedTrade(1, 1000, { openTimeMs: 1000 - time }));

test('average, median and extremes of the times', () => {
  assert.deepEqual(holdingTimesOf(heldFor(30, 10, 200)), {
    ...{ averageMs: 80, medianMs: 30, shortestMs: 10, longestMs: 200 },
  });
  assert.equal(holdingTimesOf(heldFor(10, 20, 31, 90))?.medianMs, 26);
});

test('positions whose opening is not known do not count', () => {
  assert.equal(holdingTimesOf([closedTrade(1, 5, { incomplete: true })]), undefined);
  assert.equal(holdingTimesOf([]), undefined);
});
