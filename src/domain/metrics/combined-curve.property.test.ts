import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/properties.ts';
import { HOUR_MS } from '../broker-time.ts';
import { Exact } from '../margin/exact.ts';
import { moneyDigits } from '../money.ts';
import { CombinedCurve, type CurveReading } from './combined-curve.ts';

const HOURS = 6;
const START = 1000 * HOUR_MS;
/** Whole rates, so that the oracle can sum whole units: of 10⁻⁸ of the currency. */
const RATES: Record<string, bigint> = { USD: 1n, BTC: 60_000n, JPY: 3n };

const money = fc.integer({ min: -9_000_000_000_000_000, max: 9_000_000_000_000_000 });
const readings = fc
  .array(
    fc.record({
      // Before, within and after the curve, often at the very edge of an hour.
      utcMs: fc
        .tuple(fc.integer({ min: -3, max: HOURS + 2 }), fc.constantFrom(0, 1, HOUR_MS - 1))
        .map(([hour, rest]) => START + hour * HOUR_MS + rest),
      ...{ balance: money, equity: money },
    }),
    { maxLength: 8 },
  )
  .map((some) => some.sort((a, b) => a.utcMs - b.utcMs));
const accounts = fc.array(
  fc.record({ currency: fc.constantFrom(...Object.keys(RATES)), readings }),
  { maxLength: 5 },
);
type Drawn = { currency: string; readings: CurveReading[] };

/** For each hour, and each account, the last reading before the end of the hour. */
function naiveHour(drawn: readonly Drawn[], startUtcMs: number) {
  const endMs = startUtcMs + HOUR_MS;
  const known = drawn.flatMap(({ currency, readings }) => {
    const last = readings.findLast(({ utcMs }) => utcMs < endMs);
    return last ? [{ currency, ...last }] : [];
  });
  const sum = (kind: 'balance' | 'equity') => {
    const units = known.map(
      (one) =>
        BigInt(one[kind]) *
        (RATES[one.currency] ?? 0n) *
        10n ** BigInt(8 - moneyDigits(one.currency)),
    );
    const total = units.reduce((all, one) => all + one, 0n);
    const magnitude = ((total < 0n ? -total : total) + 5_000n) / 10_000n;
    return Number(total < 0n ? -magnitude : magnitude);
  };
  return {
    startUtcMs,
    balance: sum('balance'),
    equity: sum('equity'),
    accounts: known.length,
    quiet: known.filter(({ utcMs }) => utcMs < startUtcMs).length,
  };
}

test('each account counts with its last reading before the end of the hour, in any order', () => {
  fc.assert(
    fc.property(accounts, fc.integer({ min: 0, max: HOURS }), (drawn, length) => {
      const hours = Array.from({ length }, (_, hour) => START + hour * HOUR_MS);
      const expected = hours
        .map((start) => naiveHour(drawn, start))
        .filter(({ accounts }) => accounts > 0);
      for (const order of [drawn, drawn.toReversed()]) {
        const curve = new CombinedCurve(START, length);
        for (const { currency, readings } of order) {
          const isKnown = readings.some(({ utcMs }) => utcMs < START + length * HOUR_MS);
          assert.equal(curve.add(currency, readings), isKnown);
        }
        const rateOf = (from: string) => Exact.ofUnits(RATES[from] ?? 0n, 0);
        const steps = curve.convert('USD', rateOf);
        let step = steps.next();
        while (!step.done) step = steps.next();
        assert.deepEqual(step.value, expected);
      }
    }),
  );
});
