import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '../../../test/properties.ts';
import { HOUR_MS } from '../broker-time.ts';
import type { Flow } from '../live/capital-flow.ts';
import type { EquityHour } from '../live/live-records.ts';
import { EquityDrawdown } from './equity-drawdown.ts';

const rounded = (value: number): number => Number(value.toFixed(9));

type Course = { start: number; low: number; high: number; last: number };

const hourOf = (index: number, { start, low, high, last }: Course): EquityHour => ({
  ...{ averageBalance: 0, minBalance: 0, maxBalance: 0, averageEquity: 0 },
  ...{ startBalance: 0, lastBalance: 0 },
  startTimeMs: index * HOUR_MS,
  startEquity: start,
  minEquity: low,
  maxEquity: high,
  lastEquity: last,
  hasLateExtremes: false,
});
const flat = (equity: number): Course => ({
  start: equity,
  low: equity,
  high: equity,
  last: equity,
});

/** Money that an hour is the first to show: in its first snapshot, or after it. */
type Flows = { before?: number | undefined; within?: number | undefined };

const flowOf = (money: number | undefined): Flow => ({
  ...{ money: money ?? 0, count: money === undefined ? 0 : 1 },
});

function measure(courses: readonly Course[], flows: Readonly<Record<number, Flows>> = {}) {
  const drawdown = new EquityDrawdown();
  const points = courses.map((course, index) => {
    const { before, within } = flows[index] ?? {};
    return drawdown.add(hourOf(index, course), flowOf(before), flowOf(within)).below;
  });
  return { points, drawdown };
}

describe('drawdown of the equity', () => {
  it('is the fall from the highest point of earlier hours, as a part of it', () => {
    const { points, drawdown } = measure([
      flat(10_000),
      { start: 10_000, low: 9000, high: 12_000, last: 11_000 },
      { start: 11_000, low: 6000, high: 11_000, last: 12_000 },
    ]);
    assert.deepEqual(points.map(rounded), [0, 0.1, 0.5]);
    assert.equal(drawdown.deepest, 0.5);
    assert.equal(rounded(drawdown.index), 1.2);
  });

  it('a withdrawal is no drawdown and a deposit no recovery', () => {
    const { points } = measure(
      [
        flat(10_000),
        { start: 10_000, low: 5000, high: 10_000, last: 5000 },
        flat(4000),
        { start: 4000, low: 4000, high: 14_000, last: 14_000 },
      ],
      { 1: { within: -5000 }, 3: { within: 10_000 } },
    );
    assert.deepEqual(points.map(rounded), [0, 0, 0.2, 0.2]);
  });

  it('money that left before an hour is no loss of that hour', () => {
    const { points } = measure([10_000, 4500].map(flat), { 1: { before: -5000 } });
    assert.deepEqual(points.map(rounded), [0, 0.1]);
  });

  it('ignores the extremes of an hour in which money came and went again', () => {
    const course = { start: 10_000, low: 10_000, high: 15_000, last: 10_000 };
    const { drawdown } = measure([course, flat(10_000)], { 0: { within: 0 } });
    assert.equal(drawdown.deepest, 0);
  });

  it('is listed in spells: from a highest point to the trough and back', () => {
    const { drawdown } = measure([100, 90, 80, 95, 100, 99, 120, 60].map(flat));
    assert.deepEqual(
      drawdown.spells.map(({ startTimeMs, troughTimeMs, recoveryTimeMs, depth }) =>
        [startTimeMs, troughTimeMs, recoveryTimeMs]
          .map((timeMs) => (timeMs === undefined ? undefined : timeMs / HOUR_MS))
          .concat(rounded(depth)),
      ),
      [
        [0, 2, 4, 0.2],
        [4, 5, 6, 0.01],
        [6, 7, undefined, 0.5],
      ],
    );
  });

  it('never leaves 0 to 1, with any input', () => {
    const amount = fc.integer({ min: -1000, max: 10_000 });
    const course = fc.tuple(amount, amount, amount, amount).map(([start, a, b, last]) => {
      const all = [start, a, b, last];
      return { start, low: Math.min(...all), high: Math.max(...all), last };
    });
    const money = fc.option(fc.integer({ min: -9000, max: 9000 }), { nil: undefined });
    const flows = fc.dictionary(
      fc.integer({ min: 0, max: 19 }).map(String),
      fc.record({ before: money, within: money }),
    );
    fc.assert(
      fc.property(fc.array(course, { maxLength: 20 }), flows, (courses, given) => {
        const { points, drawdown } = measure(courses, given);
        for (const point of points) assert.ok(point >= 0 && point <= 1);
        assert.equal(drawdown.deepest, Math.max(0, ...points));
        assert.equal(Math.max(0, ...drawdown.spells.map(({ depth }) => depth)), drawdown.deepest);
      }),
    );
  });

  it('is that of the equity itself without transfers', () => {
    const equities = fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(equities, (all) => {
        const { points } = measure(all.map(flat));
        all.forEach((equity, index) => {
          const peak = Math.max(...all.slice(0, index + 1));
          assert.ok(Math.abs((points[index] ?? 2) - (1 - equity / peak)) < 1e-9);
        });
      }),
    );
  });
});
