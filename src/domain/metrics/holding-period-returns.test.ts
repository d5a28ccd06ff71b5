import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  averageHoldingPeriodReturn,
  geometricHoldingPeriodReturn,
  returnSumsOf,
  returnsOf,
  sharpeRatioFrom,
  sortinoRatioFrom,
} from './holding-period-returns.ts';

test('each result is measured by the balance before it', () => {
  assert.deepEqual(returnsOf(1000, [100, -550, 0]), [0.1, -0.5, 0]);
});

test('results without a balance before them are left out', () => {
  assert.deepEqual(returnsOf(0, [100, 50]), [0.5]);
});

const near = (actual: number | undefined, expected: number): void =>
  assert.ok(Math.abs((actual ?? Number.NaN) - expected) < 1e-12, `${actual}, not ${expected}`);

test('the means of 1.1 and 0.5 are 0.8 and the root of 0.55', () => {
  near(averageHoldingPeriodReturn(returnSumsOf([0.1, -0.5])), 0.8);
  near(geometricHoldingPeriodReturn(returnSumsOf([0.1, -0.5])), Math.sqrt(0.55));
});

test('an account that once lost everything has a geometric mean of 0', () => {
  assert.equal(geometricHoldingPeriodReturn(returnSumsOf([0.5, -1, 3])), 0);
});

test('Sharpe is mean over deviation, Sortino mean over downside deviation', () => {
  // Mean 0.01; deviation √((0.02² + 0.04² + 0.02²)/3); downside √(0.03²/3).
  const sums = returnSumsOf([0.03, -0.03, 0.03]);
  near(sharpeRatioFrom(sums), 0.01 / Math.sqrt(0.0024 / 3));
  near(sortinoRatioFrom(sums), 0.01 / Math.sqrt(0.0009 / 3));
});

test('without spread, losses or returns the ratios are not defined', () => {
  assert.equal(sharpeRatioFrom(returnSumsOf([0.1, 0.1, 0.1])), undefined);
  assert.equal(sortinoRatioFrom(returnSumsOf([0.1, 0.2])), undefined);
  const none = returnSumsOf([]);
  assert.equal(sharpeRatioFrom(none), undefined);
  assert.equal(sortinoRatioFrom(none), undefined);
  assert.equal(averageHoldingPeriodReturn(none), undefined);
  assert.equal(geometricHoldingPeriodReturn(none), undefined);
});
