import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/properties.ts';
import { Exact } from './exact.ts';

const decimals = fc.double({ min: -1e12, max: 1e12, noNaN: true });

test('a double is the decimal number that it prints as', () => {
  assert.equal(Exact.of(1.005).roundedUnits(2), 101n);
  assert.equal(Exact.of(1e21).roundedUnits(0), 10n ** 21n);
  assert.equal(Exact.of(-2.5e-7).roundedUnits(8), -25n);
  assert.equal(Exact.of(0.1).plus(Exact.of(0.2)).compare(Exact.of(0.3)), 0);
  assert.equal(Exact.ofUnits(-150n, 2).compare(Exact.of(-1.5)), 0);
  assert.equal(Exact.ONE.over(Exact.of(3)).toNumber(), 1 / 3);
});

test('halves round away from zero, everything else to the nearest', () => {
  assert.equal(Exact.of(0.125).roundedUnits(2), 13n);
  assert.equal(Exact.of(-0.125).roundedUnits(2), -13n);
  assert.equal(Exact.of(0.12499999999).roundedUnits(2), 12n);
  assert.equal(Exact.of(2).over(Exact.of(3)).roundedUnits(4), 6667n);
});

test('values other than numbers and division by zero are refused', () => {
  assert.throws(() => Exact.of(Number.NaN), RangeError);
  assert.throws(() => Exact.of(Number.POSITIVE_INFINITY), RangeError);
  assert.throws(() => Exact.ONE.over(Exact.ZERO), RangeError);
});

test('a quotient times its divisor is the dividend, a sum less a part the other part', () => {
  fc.assert(
    fc.property(decimals, decimals, decimals, (a, b, c) => {
      const [x, y, z] = [Exact.of(a), Exact.of(b), Exact.of(c)];
      assert.equal(x.plus(y).minus(y).compare(x), 0);
      assert.equal(
        x
          .plus(y)
          .times(z)
          .compare(x.times(z).plus(y.times(z))),
        0,
      );
      if (!y.isZero) assert.equal(x.over(y).times(y).compare(x), 0);
      if (!y.isZero && !z.isZero) {
        const sum = x.over(y).plus(y.over(z));
        assert.equal(sum.minus(y.over(z)).compare(x.over(y)), 0);
      }
    }),
  );
});

test('a sum is the same however it is added', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(decimals, fc.integer({ min: 1, max: 99 }))), (pairs) => {
      const values = pairs.map(([value, divisor]) => Exact.of(value).over(Exact.of(divisor)));
      const oneByOne = values.reduce((sum, value) => sum.plus(value), Exact.ZERO);
      assert.equal(Exact.sum(values).compare(oneByOne), 0);
    }),
  );
});

test('rounding is off by half a unit at most', () => {
  fc.assert(
    fc.property(decimals, decimals, fc.integer({ min: 0, max: 8 }), (a, b, digits) => {
      fc.pre(b !== 0);
      const value = Exact.of(a).over(Exact.of(b));
      const unit = Exact.ONE.over(Exact.of(10 ** digits));
      // 2 × |value − rounded| ≤ unit, without leaving exact arithmetic.
      let rounded = Exact.ZERO;
      const units = value.roundedUnits(digits);
      for (const digit of String(units < 0n ? -units : units))
        rounded = rounded.times(Exact.of(10)).plus(Exact.of(Number(digit)));
      if (units < 0n) rounded = Exact.ZERO.minus(rounded);
      const error = value.minus(rounded.times(unit)).times(Exact.of(2));
      assert.ok(error.compare(unit) <= 0 && error.compare(Exact.ZERO.minus(unit)) >= 0);
    }),
  );
});
