import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/properties.ts';
import { dailyGrowthOf } from './calendar-growth.ts';
import { gainPercentOf, growthOf } from './growth.ts';
import { maxDrawdownOf } from './max-drawdown.ts';
import { closedTrade, transfer } from './trades.fixture.ts';

test('deposits and withdrawals do not touch the gain', () => {
  // 1000 → 1100 (+10 %), deposit 8900, 10000 → 9000 (−10 %), all but 1000 out, 1000 → 1500 (+50 %)
  const course = growthOf(
    [
      ...[transfer(1000, 1), closedTrade(100, 2), transfer(8900, 3), closedTrade(-1000, 4)],
      ...[transfer(-8000, 5), closedTrade(500, 6)],
    ],
    0,
  );
  assert.equal(course.at(-1)?.balance, 1500);
  assert.equal(course.at(-1)?.result, -400);
  assert.equal(gainPercentOf(course.at(-1)?.index ?? 0), 48.5);
});

test('within a sub-period the factors make 1 + P/OB', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1_000_000, max: 9_000_000 }),
      fc.array(fc.integer({ min: -10_000, max: 10_000 }), { maxLength: 50 }),
      (opening, results) => {
        const course = growthOf(
          results.map((result, index) => closedTrade(result, index)),
          opening,
        );
        const profit = results.reduce((total, result) => total + result, 0);
        const index = course.at(-1)?.index ?? 1;
        assert.ok(Math.abs(index - (1 + profit / opening)) < 1e-12);
      },
    ),
  );
});

test('credit is no part of the course', () => {
  assert.deepEqual(growthOf([closedTrade(5000, 1, { type: 'DEAL_TYPE_CREDIT' })], 0), []);
});

test('losing everything ends at 0, and a result without a balance has no rate', () => {
  const index = (...trades: Parameters<typeof growthOf>[0]): number =>
    growthOf(trades, 0).at(-1)?.index ?? 1;
  assert.equal(index(transfer(100, 1), closedTrade(-150, 2)), 0);
  assert.equal(index(closedTrade(50, 1)), 1);
});

test('gains on next to nothing stay a number, whatever they chain to', () => {
  const trades = Array.from({ length: 200 }, (_, at) => [
    closedTrade(1_000_000_000, 2 * at),
    transfer(-1_000_000_000, 2 * at + 1),
  ]).flat();
  const course = growthOf(trades, 1);
  assert.equal(course.at(-1)?.index, 1e15);
  assert.equal(maxDrawdownOf(course).maximalPercent, 0);
  assert.equal(dailyGrowthOf(course)[0]?.gain, gainPercentOf(1e15));
});

test('a drawdown leaves transfers out and takes percentages from the index', () => {
  // Results 100, −300, +50: the withdrawal is no fall, the deposit hides none.
  const course = growthOf(
    [
      ...[transfer(1000, 1), closedTrade(100, 2), transfer(-500, 3), closedTrade(-300, 4)],
      ...[transfer(5000, 5), closedTrade(50, 6)],
    ],
    0,
  );
  assert.deepEqual(maxDrawdownOf(course), { absolute: 200, maximal: 300, maximalPercent: 50 });
});

test('without transfers a drawdown is that of the balance', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -100, max: 100 }), { maxLength: 50 }),
      fc.constant(100_000),
      (results, opening) => {
        const course = growthOf(
          results.map((result, index) => closedTrade(result, index)),
          opening,
        );
        const balances = [opening, ...course.map((point) => point.balance)];
        let [fall, percent] = [0, 0];
        balances.forEach((high, i) => {
          for (const low of balances.slice(i)) {
            fall = Math.max(fall, high - low);
            percent = Math.max(percent, ((high - low) / high) * 100);
          }
        });
        const drawdown = maxDrawdownOf(course);
        assert.equal(drawdown.maximal, fall);
        assert.ok(Math.abs(drawdown.maximalPercent - percent) < 1e-7);
      },
    ),
  );
});
