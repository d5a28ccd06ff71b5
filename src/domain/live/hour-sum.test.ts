import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/properties.ts';
import { averageAbove, highPart, lowPart, sumOf } from './hour-sum.ts';

const amounts = fc.oneof(
  fc.integer({ min: -5_000_000, max: 5_000_000 }),
  fc.maxSafeInteger(),
  fc.constantFrom(Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 0, 2 ** 26, -(2 ** 26)),
);
const steps = fc.array(fc.record({ amount: amounts, ms: fc.integer({ min: 1, max: 3_600_000 }) }), {
  minLength: 1,
  maxLength: 18,
});

test('averages of any amounts are exact', () => {
  fc.assert(
    fc.property(steps, (parts) => {
      let [high, low, exact, duration] = [0, 0, 0n, 0];
      for (const { amount, ms } of parts) {
        high += highPart(amount) * ms;
        low += lowPart(amount) * ms;
        exact += BigInt(amount) * BigInt(ms);
        duration += ms;
      }
      const average = BigInt(averageAbove(high, low, duration));
      // Rounded half up: −d ≤ 2 × (sum − average × d) < d.
      const twiceRest = 2n * (exact - average * BigInt(duration));
      assert.ok(twiceRest >= -BigInt(duration) && twiceRest < BigInt(duration));
      assert.equal(sumOf(high, low), Number(exact));
    }),
    { numRuns: 500 },
  );
});
