import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linearFitOf } from './linear-regression.ts';

test('values on a line correlate fully and leave no error', () => {
  assert.deepEqual(linearFitOf([10, 20, 30, 40]), { correlation: 1, standardError: 0 });
  assert.equal(linearFitOf([3, 2, 1]).correlation, -1);
});

test('the standard error spreads the squares over two points less', () => {
  // Line 1.5 + 0·x through 1, 2, 2, 1: four distances of ½.
  assert.deepEqual(linearFitOf([1, 2, 2, 1]), { correlation: 0, standardError: Math.sqrt(0.5) });
});

test('too few or equal values have no correlation', () => {
  assert.deepEqual(linearFitOf([]), {});
  assert.deepEqual(linearFitOf([5]), { correlation: undefined, standardError: undefined });
  assert.equal(linearFitOf([5, 5, 5]).correlation, undefined);
});
