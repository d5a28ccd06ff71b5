import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zScoreOf, zScorePercentOf } from './z-score.ts';

test('alternating trades score above 0, long runs below', () => {
  // 10 trades, 5 won: x = 50, deviation √(50 × 40 / 9) = 14.907.
  const alternating = [1, -1, 1, -1, 1, -1, 1, -1, 1, -1];
  const inRuns = [1, 1, 1, 1, 1, -1, -1, -1, -1, -1];
  assert.equal(zScoreOf(alternating)?.toFixed(4), '3.0187');
  assert.equal(zScoreOf(inRuns)?.toFixed(4), '-2.3479');
});

test('trades of one kind alone have no score', () => {
  assert.equal(zScoreOf([1, 2, 3]), undefined);
  assert.equal(zScoreOf([]), undefined);
  assert.equal(zScoreOf([1, -1]), undefined);
});

test('the percentage is that of the normal distribution, up to three deviations', () => {
  assert.equal(zScorePercentOf(0).toFixed(2), '0.00');
  assert.equal(zScorePercentOf(1).toFixed(2), '68.27');
  assert.equal(zScorePercentOf(-1.96).toFixed(2), '95.00');
  assert.equal(zScorePercentOf(9), 99.74);
});
