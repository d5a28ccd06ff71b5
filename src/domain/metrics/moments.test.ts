import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/properties.ts';
import {
  deviationFrom,
  excessKurtosisFrom,
  momentsOf,
  noMoments,
  sampleDeviationFrom,
  skewnessFrom,
} from './moments.ts';

const near = (actual: number | undefined, expected: number, scale: number, what: string): void =>
  assert.ok(
    Math.abs((actual ?? Number.NaN) - expected) <= 1e-9 * scale,
    `${what}: ${actual}, not ${expected}`,
  );

test('one pass gives what the definitions give', () => {
  const values = fc.array(fc.integer({ min: -1_000_000, max: 1_000_000 }), { minLength: 2 });
  fc.assert(
    fc.property(values, fc.constantFrom(0, 5e6), (plain, offset) => {
      const all = plain.map((value) => value + offset);
      const n = all.length;
      const mean = all.reduce((sum, value) => sum + value, 0) / n;
      const power = (k: number) => all.reduce((sum, value) => sum + (value - mean) ** k, 0) / n;
      const moments = momentsOf(all);
      near(moments.mean, mean, 1e6, 'mean');
      near(deviationFrom(moments), Math.sqrt(power(2)), 1e6, 'deviation');
      near(sampleDeviationFrom(moments), Math.sqrt((power(2) * n) / (n - 1)), 1e6, 'sample');
      if (power(2) < 1) return;
      near(skewnessFrom(moments), power(3) / power(2) ** 1.5, 1e4, 'skewness');
      near(excessKurtosisFrom(moments), power(4) / power(2) ** 2 - 3, 1e4, 'kurtosis');
    }),
  );
});

test('nothing is defined of no values, and no shape of equal ones', () => {
  assert.equal(deviationFrom(noMoments()), undefined);
  assert.equal(sampleDeviationFrom(momentsOf([1])), undefined);
  assert.equal(skewnessFrom(momentsOf([0.1, 0.1, 0.1])), undefined);
  assert.equal(excessKurtosisFrom(momentsOf([7])), undefined);
});
