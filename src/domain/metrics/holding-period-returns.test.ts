import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  averageHoldingPeriodReturn,
  geometricHoldingPeriodReturn,
  returnsOf,
  sharpeRatioOf,
  sortinoRatioOf,
} from './holding-period-returns.ts';

test('each result is measured by the balance it met', () => {
  assert.deepEqual(returnsOf(1000, [100, -550, 0]), [0.1, -0.5, 0]);
});

test('results that meet no balance are left out', () => {
  assert.deepEqual(returnsOf(0, [100, 50]), [0.5]);
});

test('the means of 1.1 and 0.5 are 0.8 and the root of 0.55', () => {
  assert.equal(averageHoldingPeriodReturn([0.1, -0.5]), 0.8);
  const geometric = geometricHoldingPeriodReturn([0.1, -0.5]);
  assert.ok(Math.abs((geometric ?? 0) - Math.sqrt(0.55)) < 1e-15);
});

test('who lost everything once has a geometric mean of 0', () => {
  assert.equal(geometricHoldingPeriodReturn([0.5, -1, 3]), 0);
});

test('Sharpe is mean over deviation, Sortino mean over downside deviation', () => {
  // Mean 0.01; deviation √((0.02² + 0.04² + 0.02²)/3); downside √(0.03²/3).
  const returns = [0.03, -0.03, 0.03];
  assert.ok(Math.abs((sharpeRatioOf(returns) ?? 0) - 0.01 / Math.sqrt(0.0024 / 3)) < 1e-12);
  assert.ok(Math.abs((sortinoRatioOf(returns) ?? 0) - 0.01 / Math.sqrt(0.0009 / 3)) < 1e-12);
});

test('without spread, losses or returns the ratios are not defined', () => {
  assert.equal(sharpeRatioOf([0.1, 0.1, 0.1]), undefined);
  assert.equal(sortinoRatioOf([0.1, 0.2]), undefined);
  assert.equal(sharpeRatioOf([]), undefined);
  assert.equal(averageHoldingPeriodReturn([]), undefined);
  assert.equal(geometricHoldingPeriodReturn([]), undefined);
});
