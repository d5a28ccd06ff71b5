import assert from 'node:assert/strict';
import { test } from 'node:test';
import { riskFiguresOf } from './risk-figures.ts';

/** Pseudo-random returns of 60 days; the figures below were computed independently in Python. */
function someReturns(): { day: number; value: number }[] {
  let state = 7n;
  return Array.from({ length: 60 }, (_, day) => {
    state = (state * 1_103_515_245n + 12_345n) % 2_147_483_648n;
    return { day, value: (Number((state >> 8n) % 401n) - 190) / 10_000 };
  });
}

test('the figures of a series are those of an independent computation', () => {
  const { drawdowns, ...figures } = riskFiguresOf({ returns: someReturns() });
  const expected = {
    annualReturn: -8.982338119961542,
    volatility: 18.028001609548916,
    sharpeRatio: -0.43332589874310856,
    sortinoRatio: -0.6070250014816896,
    calmarRatio: -0.9374206146654417,
    omegaRatio: 0.936991869918699,
    valueAtRisk: -1.7135,
    conditionalValueAtRisk: -1.7966666666666669,
    skewness: 0.057845675978826984,
    kurtosis: -1.091521796372508,
    probabilisticSharpeRatio: 41.63441097595515,
  };
  for (const [name, value] of Object.entries(expected)) {
    const found = figures[name as keyof typeof expected] ?? Number.NaN;
    // The share of the normal distribution is an approximation.
    const within = name === 'probabilisticSharpeRatio' ? 2e-5 : 1e-7;
    assert.ok(Math.abs(found - value) < within, `${name}: ${found}, not ${value}`);
  }
  assert.equal(drawdowns.maximalPercent, 9.58197204);
  assert.ok(Math.abs(drawdowns.ulcerIndex - 3.399436778430091) < 1e-9);
});

test('fewer than 30 days give drawdowns, but no figures of a year', () => {
  const figures = riskFiguresOf({ returns: someReturns().slice(0, 29) });
  assert.equal(figures.days, 29);
  assert.equal(figures.volatility, undefined);
  assert.equal(figures.valueAtRisk, undefined);
  assert.ok(figures.drawdowns.deepest.length > 0);
});

test('returns that never differ have no ratios', () => {
  const returns = Array.from({ length: 40 }, (_, day) => ({ day, value: 0.001 }));
  const { sharpeRatio, sortinoRatio, skewness, omegaRatio, calmarRatio } = riskFiguresOf({
    returns,
  });
  assert.deepEqual([sharpeRatio, sortinoRatio, skewness], [undefined, undefined, undefined]);
  assert.deepEqual([omegaRatio, calmarRatio], [undefined, undefined]);
});

test('an account that lost everything has lost it for the year', () => {
  const returns = Array.from({ length: 30 }, (_, day) => ({ day, value: day === 5 ? -1 : 0.01 }));
  assert.equal(riskFiguresOf({ returns }).annualReturn, -100);
});
