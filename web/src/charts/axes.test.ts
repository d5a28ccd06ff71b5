import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { amountRange, digitsOf, hourRange, timeLabels } from './axes.ts';

const at = (time: string): number => Date.parse(`2026-11-23T${time}Z`) / 1000;

describe('times below a chart', () => {
  it('show seconds if marks are less than a minute apart', () => {
    const labels = timeLabels([at('10:46:30'), at('10:46:45'), at('10:47:00')], 15);
    assert.deepEqual(labels, ['10:46:30\n11-23', '10:46:45', '10:47:00']);
  });

  it('show days if marks are further apart, and the year where it changes', () => {
    const days = ['2025-12-30', '2025-12-31', '2026-01-01', '2026-01-02'];
    const labels = timeLabels(
      days.map((day) => Date.parse(day) / 1000),
      86_400,
    );
    assert.deepEqual(labels, ['12-30\n2025', '12-31', '01-01\n2026', '01-02']);
  });

  it('show minutes otherwise, and the date where it changes', () => {
    const labels = timeLabels([at('23:00:00'), at('23:59:00') + 60], 3600);
    assert.deepEqual(labels, ['23:00\n11-23', '00:00\n11-24']);
  });
});

describe('values beside a chart', () => {
  it('have enough digits for their steps, and no more than the currency has', () => {
    assert.deepEqual(
      [2500, 5, 2.5, 0.25, 0.1 + 0.2].map((step) => digitsOf(step, 2)),
      [0, 0, 1, 2, 1],
    );
    assert.equal(digitsOf(0.25, 0), 0);
  });
});

describe('the range of an axis', () => {
  it('is as wide as what is shown, and a little more', () => {
    assert.deepEqual(amountRange(-100, 900, 2), [-160, 960]);
    assert.deepEqual(hourRange(3600, 7200), [3600, 7200]);
  });

  it('has marks that differ, also around one amount, whatever its sign', () => {
    for (const digits of [0, 2, 3, 8]) {
      for (const amount of [0, 7, -7, 10_000, -10_000]) {
        const [low, high] = amountRange(amount, amount, digits);
        assert.ok(low < amount && amount < high);
        assert.ok(high - low >= 12 / 10 ** digits - 1e-9, `${amount} with ${digits} digits`);
      }
    }
    assert.deepEqual(amountRange(-10_000, -10_000, 2), [-10_000.6, -9_999.4]);
  });

  it('has a single hour in its middle', () => {
    assert.deepEqual(hourRange(7200, 7200), [3600, 10_800]);
  });
});
