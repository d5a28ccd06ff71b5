import assert from 'node:assert/strict';
import { test } from 'node:test';
import { riskOfRuinOf } from './risk-of-ruin.ts';

test('a share of the balance is a number of average losses, rounded up', () => {
  // The published figures of an account of 99 921.04 with average losses of 123.78.
  const risks = riskOfRuinOf(999_210_400, { expectancy: -394_800, averageLoss: -1_237_800 });
  assert.deepEqual(
    risks.map((risk) => risk.consecutiveLosingTrades),
    [81, 162, 243, 323, 404, 485, 566, 646, 727, 808],
  );
  assert.ok(risks.every(({ probabilityOfLoss }) => probabilityOfLoss === 1));
  assert.equal(risks[2]?.lossSize, 0.3);
});

test('with a positive expectancy, ruin is less likely the more losses it takes', () => {
  // Expectancy a fifth of the loss: (0.8 / 1.2) to the power of the losses.
  const [first, , , , , , , , , last] = riskOfRuinOf(1000, { expectancy: 10, averageLoss: -50 });
  assert.equal(first?.consecutiveLosingTrades, 2);
  assert.ok(Math.abs((first?.probabilityOfLoss ?? 0) - (2 / 3) ** 2) < 1e-12);
  assert.ok(Math.abs((last?.probabilityOfLoss ?? 0) - (2 / 3) ** 20) < 1e-12);
});

test('without a loss, or anything to lose, there is no such risk', () => {
  assert.deepEqual(riskOfRuinOf(1000, { expectancy: 10 }), []);
  assert.deepEqual(riskOfRuinOf(0, { expectancy: -1, averageLoss: -5 }), []);
});
