import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/properties.ts';
import type { DealType } from '../../words/deals.ts';
import { gainPercentOf, grow, noGrowth } from './growth.ts';

type Step = [money: number, type?: DealType];

function courseOf(...steps: Step[]) {
  const growth = noGrowth();
  const points = steps.map(([money, type = 'DEAL_TYPE_BUY'], index) => {
    grow(growth, { timeMs: index, type, money });
    return { ...growth };
  });
  return { growth, points };
}
const transfer = (money: number): Step => [money, 'DEAL_TYPE_BALANCE'];

test('deposits and withdrawals do not change the gain', () => {
  // 1000 → 1100 (+10 %), deposit 8900, 10000 → 9000 (−10 %), all but 1000 out, 1000 → 1500 (+50 %)
  const { growth } = courseOf(
    ...([transfer(1000), [100], transfer(8900), [-1000], transfer(-8000), [500]] as Step[]),
  );
  const { balance, result, deposits, withdrawals } = growth;
  assert.deepEqual(
    { balance, result, deposits, withdrawals },
    { balance: 1500, result: -400, deposits: 9900, withdrawals: 8000 },
  );
  assert.equal(gainPercentOf(growth.index), 48.5);
  assert.equal(growth.highestBalance, 10_000);
  assert.equal(growth.highestBalanceTimeMs, 2);
});

test('within a sub-period the factors make 1 + P/OB', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1_000_000, max: 9_000_000 }),
      fc.array(fc.integer({ min: -10_000, max: 10_000 }), { maxLength: 50 }),
      (opening, results) => {
        const { growth } = courseOf(transfer(opening), ...results.map((result): Step => [result]));
        const profit = results.reduce((total, result) => total + result, 0);
        assert.ok(Math.abs(growth.index - (1 + profit / opening)) < 1e-12);
      },
    ),
  );
});

test('credit is not part of the course', () => {
  const { growth } = courseOf(transfer(1000), [500, 'DEAL_TYPE_CREDIT']);
  assert.deepEqual([growth.balance, growth.credit, growth.index], [1000, 500, 1]);
});

test('losing everything ends at 0, and a result without a balance has no rate', () => {
  assert.equal(courseOf(transfer(100), [-150]).growth.index, 0);
  assert.equal(courseOf([50]).growth.index, 1);
});

test('gains on next to nothing stay finite', () => {
  const steps = Array.from({ length: 200 }, (): Step[] => [
    [1_000_000_000],
    transfer(-1_000_000_000),
  ]);
  const { growth } = courseOf(transfer(1), ...steps.flat());
  assert.equal(growth.index, 1e15);
  assert.equal(growth.maximalFallPercent, 0);
});

test('a drawdown ignores transfers and takes percentages from the index', () => {
  // Results 100, −300, +50: the withdrawal is no fall, the deposit hides none.
  const { absoluteFall, maximalFall, maximalFallPercent } = courseOf(
    ...([transfer(1000), [100], transfer(-500), [-300], transfer(5000), [50]] as Step[]),
  ).growth;
  assert.deepEqual([absoluteFall, maximalFall, maximalFallPercent], [200, 300, 50]);
});

test('without transfers a drawdown is that of the balance', () => {
  const opening = 100_000;
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -100, max: 100 }), { maxLength: 50 }), (results) => {
      const { growth, points } = courseOf(
        transfer(opening),
        ...results.map((result): Step => [result]),
      );
      const balances = points.map((point) => point.balance);
      let [fall, percent] = [0, 0];
      balances.forEach((high, i) => {
        for (const low of balances.slice(i)) {
          fall = Math.max(fall, high - low);
          percent = Math.max(percent, ((high - low) / high) * 100);
        }
      });
      assert.equal(growth.maximalFall, fall);
      assert.ok(Math.abs(growth.maximalFallPercent - percent) < 1e-7);
    }),
  );
});
