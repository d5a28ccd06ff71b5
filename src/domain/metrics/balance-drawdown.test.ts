import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/properties.ts';
import { balanceDrawdownOf } from './balance-drawdown.ts';

test('absolute counts from the start, maximal in money and relative in percent from a high', () => {
  // 5000 → 6000 → 4000 → 8000 → 5500
  assert.deepEqual(balanceDrawdownOf(5000, [1000, -2000, 4000, -2500]), {
    ...{ absolute: 1000, maximal: 2500, maximalPercent: 31.25 },
    ...{ relative: 2000, relativePercent: (2000 / 6000) * 100 },
  });
});

test('a balance that only grows has no drawdown', () => {
  const none = { absolute: 0, maximal: 0, maximalPercent: 0, relative: 0, relativePercent: 0 };
  assert.deepEqual(balanceDrawdownOf(100, [1, 2, 0, 3]), none);
  assert.deepEqual(balanceDrawdownOf(0, []), none);
});

test('a high that is not positive gives no percentage', () => {
  assert.deepEqual(balanceDrawdownOf(0, [-10]), {
    ...{ absolute: 10, maximal: 10, maximalPercent: 0, relative: 0, relativePercent: 0 },
  });
});

const results = fc.array(fc.integer({ min: -1000, max: 1000 }), { maxLength: 60 });
const start = fc.integer({ min: 0, max: 5000 });

test('any drawdown is the largest fall between any two moments', () => {
  fc.assert(
    fc.property(start, results, (from, changes) => {
      const balances = [from];
      for (const change of changes) balances.push((balances.at(-1) ?? 0) + change);
      let [fall, percent] = [0, 0];
      balances.forEach((low, i) => {
        for (const high of balances.slice(0, i)) fall = Math.max(fall, high - low);
        // In percent a fall counts against the highest balance before it.
        const highest = Math.max(...balances.slice(0, i + 1));
        if (highest > 0) percent = Math.max(percent, ((highest - low) / highest) * 100);
      });
      const drawdown = balanceDrawdownOf(from, changes);
      assert.equal(drawdown.maximal, fall);
      assert.equal(drawdown.relativePercent, percent);
      assert.equal(drawdown.absolute, from - Math.min(...balances));
    }),
  );
});

test('scaling the money scales the falls and leaves the percentages', () => {
  fc.assert(
    fc.property(start, results, fc.constantFrom(2, 4, 8), (from, changes, scale) => {
      const one = balanceDrawdownOf(from, changes);
      const many = balanceDrawdownOf(
        from * scale,
        changes.map((change) => change * scale),
      );
      assert.equal(many.maximal, one.maximal * scale);
      assert.equal(many.maximalPercent, one.maximalPercent);
      assert.equal(many.relativePercent, one.relativePercent);
    }),
  );
});

test('a new high at the end changes nothing', () => {
  fc.assert(
    fc.property(start, results, (from, changes) => {
      const before = balanceDrawdownOf(from, changes);
      assert.deepEqual(balanceDrawdownOf(from, [...changes, 1_000_000]), before);
    }),
  );
});
