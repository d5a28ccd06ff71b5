import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/properties.ts';
import { addHolding, holdingTimesFrom, joinHolding, noHolding } from './holding-times.ts';

function sumOf(times: readonly number[]) {
  const sum = noHolding();
  for (const time of times) addHolding(sum, time);
  return sum;
}

test('average, median and extremes of the times', () => {
  assert.deepEqual(holdingTimesFrom(sumOf([30, 10, 200])), {
    ...{ averageMs: 80, medianMs: 30, shortestMs: 10, longestMs: 200 },
  });
  assert.equal(holdingTimesFrom(sumOf([10, 20, 31, 90]))?.medianMs, 26);
  assert.equal(holdingTimesFrom(noHolding()), undefined);
});

const anyTimes = fc.array(fc.nat({ max: 10 * 366 * 86_400_000 }), { minLength: 1 });

test('the median is off by no more than a 64th', () => {
  fc.assert(
    fc.property(anyTimes, (times) => {
      const ordered = times.toSorted((a, b) => a - b);
      const at = (place: number): number => ordered[place] ?? 0;
      const middle = (times.length - 1) / 2;
      const median = (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2;
      const found = holdingTimesFrom(sumOf(times))?.medianMs ?? 0;
      assert.ok(Math.abs(found - median) <= median / 64 + 1, `${found}, ${median}`);
    }),
  );
});

test('joining two kinds of times equals taking all at once', () => {
  fc.assert(
    fc.property(anyTimes, anyTimes, (a, b) => {
      assert.deepEqual(
        holdingTimesFrom(joinHolding(sumOf(a), sumOf(b))),
        holdingTimesFrom(sumOf([...a, ...b])),
      );
    }),
  );
});
