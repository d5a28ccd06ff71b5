import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/properties.ts';
import { addExcursion, excursionFiguresFrom, noExcursions } from './excursion-figures.ts';

const anyTrades = fc.array(
  fc.record({
    profit: fc.integer({ min: -900, max: 900 }),
    adverse: fc.integer({ min: -900, max: 0 }),
    favourable: fc.integer({ min: 0, max: 900 }),
  }),
);

test('the figures of excursions match their definitions over all trades', () => {
  fc.assert(
    fc.property(anyTrades, (trades) => {
      const sums = noExcursions();
      for (const { profit, ...excursion } of trades) addExcursion(sums, profit, excursion);
      const figures = excursionFiguresFrom(sums);
      const told = { trades: trades.length };
      if (trades.length === 0) return assert.deepEqual(figures, told);
      const sum = (values: number[]) => values.reduce((all, each) => all + each, 0);
      const [falls, rises] = [
        trades.map((one) => one.adverse),
        trades.map((one) => one.favourable),
      ];
      const near = (actual = Number.NaN, exact: number) =>
        assert.ok(Math.abs(actual - exact) <= 0.5 && Number.isInteger(actual));
      near(figures.averageAdverse, sum(falls) / trades.length);
      near(figures.averageFavourable, sum(rises) / trades.length);
      assert.equal(figures.worstAdverse, Math.min(...falls));
      assert.equal(figures.bestFavourable, Math.max(...rises));
      const captured = (100 * sum(trades.map((one) => one.profit))) / sum(rises);
      if (sum(rises) === 0) assert.equal(figures.capturedPercent, undefined);
      else assert.ok(Math.abs((figures.capturedPercent ?? Number.NaN) - captured) < 1e-9);
    }),
  );
});
