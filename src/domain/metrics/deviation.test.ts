import assert from 'node:assert/strict';
import { test } from 'node:test';
import { downsideDeviationOf, meanOf, standardDeviationOf } from './deviation.ts';

test('mean and standard deviation of the values themselves', () => {
  const values = [2, 4, 4, 4, 5, 5, 7, 9];
  assert.equal(meanOf(values), 5);
  assert.equal(standardDeviationOf(values), 2);
});

test('the downside deviation counts gains as nothing', () => {
  assert.equal(downsideDeviationOf([3, -4, 1, 0]), 2);
});

test('nothing is defined of no values', () => {
  assert.equal(meanOf([]), undefined);
  assert.equal(standardDeviationOf([]), undefined);
  assert.equal(downsideDeviationOf([]), undefined);
});
