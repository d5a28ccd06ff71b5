import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/properties.ts';
import { drawdownsOf } from './drawdown-table.ts';

const returnsOf = (...values: number[]) => values.map((value, day) => ({ day, value }));

test('a drawdown begins below the high and ends back at it', () => {
  // 1.1, 0.99, 0.891, 0.9801, 1.17612, 1.117314
  const { deepest, maximalPercent } = drawdownsOf(returnsOf(0.1, -0.1, -0.1, 0.1, 0.2, -0.05), 10);
  assert.deepEqual(deepest, [
    { depthPercent: 19, startDay: 1, troughDay: 2, recoveryDay: 4 },
    { depthPercent: 5, startDay: 5, troughDay: 5 },
  ]);
  assert.equal(maximalPercent, 19);
});

test('a loss on the first day is a fall from the start', () => {
  assert.equal(drawdownsOf(returnsOf(-0.2, 0.1), 10).maximalPercent, 20);
});

test('only the deepest are listed, deepest first', () => {
  const many = Array.from({ length: 20 }, (_, index) => [-0.01 * (index + 1), 1]).flat();
  const { deepest } = drawdownsOf(returnsOf(...many), 3);
  assert.deepEqual(
    deepest.map(({ depthPercent }) => depthPercent),
    [20, 19, 18],
  );
});

test('the deepest fall and the ulcer index are those of the definition', () => {
  const values = fc.array(fc.integer({ min: -50, max: 60 }), { maxLength: 60 });
  fc.assert(
    fc.property(values, (percents) => {
      const { maximalPercent, ulcerIndex } = drawdownsOf(
        returnsOf(...percents.map((percent) => percent / 100)),
        10,
      );
      const levels = percents.map((_, at) =>
        percents.slice(0, at + 1).reduce((product, percent) => product * (1 + percent / 100), 1),
      );
      const falls = levels.map((level, at) => {
        const high = Math.max(1, ...levels.slice(0, at + 1));
        return (1 - level / high) * 100;
      });
      assert.ok(Math.abs(maximalPercent - Math.max(0, ...falls)) < 1e-6);
      const square = falls.reduce((sum, fall) => sum + fall ** 2, 0) / Math.max(1, falls.length);
      assert.ok(Math.abs(ulcerIndex - Math.sqrt(square)) < 1e-6);
    }),
  );
});
