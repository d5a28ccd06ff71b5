import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trackerOf } from '../../../test/simulation/live-desk.ts';
import { checkTracker } from './check-tracker.ts';
import type { TrackerDefinition } from './tracker-definition.ts';

const faultsOf = (parts: Partial<TrackerDefinition>): string[] =>
  checkTracker(trackerOf(parts)).map(({ parameter }) => parameter);

test('measurable definitions have no faults', () => {
  for (const parts of [
    {},
    { relativeDrawdownThreshold: 1, relativeProfitThreshold: 90 },
    { relativeDrawdownThreshold: 0.0000001, inclusive: true },
    { absoluteDrawdownThreshold: 1, absoluteProfitThreshold: 1 },
    { startTimeMs: 0, endTimeMs: 1 },
    { baseline: 'initialCapital', initialCapital: 1 },
    { limitBase: 'initialCapital', initialCapital: 1 },
    { initialCapital: 1 },
    { baseline: 'peakEquity', absoluteDrawdownThreshold: 1, lockAt: 0 },
    { baseline: 'peakEndOfDayBalance', relativeDrawdownThreshold: 0.1, lockAt: 5 },
    { resetClock: { zone: 'Europe/Prague', time: '23:59' } },
  ] satisfies Partial<TrackerDefinition>[]) {
    assert.deepEqual(faultsOf(parts), [], JSON.stringify(parts));
  }
});

test('thresholds must be above zero', () => {
  for (const threshold of ['relativeDrawdownThreshold', 'relativeProfitThreshold'] as const) {
    for (const value of [0, -0.1, 90.0000001, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.deepEqual(faultsOf({ [threshold]: value }), [threshold], `${value}`);
    }
  }
  for (const threshold of ['absoluteDrawdownThreshold', 'absoluteProfitThreshold'] as const) {
    for (const value of [0, -1]) assert.deepEqual(faultsOf({ [threshold]: value }), [threshold]);
  }
});

test('a relative threshold too small to be distinguished from zero is a fault', () => {
  assert.deepEqual(faultsOf({ relativeDrawdownThreshold: 0.00000004 }), [
    'relativeDrawdownThreshold',
  ]);
});

test('a relative drawdown above 1 is refused with a hint that it is a fraction', () => {
  for (const relativeDrawdownThreshold of [1.0000001, 5]) {
    assert.deepEqual(checkTracker(trackerOf({ relativeDrawdownThreshold })), [
      {
        parameter: 'relativeDrawdownThreshold',
        message: 'must be at most 1: it is a fraction of 1, so 0.05 is 5 %',
      },
    ]);
  }
  assert.deepEqual(faultsOf({ relativeProfitThreshold: 5 }), []);
});

test('an end must be after the start', () => {
  assert.deepEqual(faultsOf({ startTimeMs: 5, endTimeMs: 5 }), ['endBrokerTime']);
  assert.deepEqual(faultsOf({ startTimeMs: 5, endTimeMs: 4 }), ['endBrokerTime']);
});

test('a definition that uses the initial capital needs one above zero', () => {
  assert.deepEqual(faultsOf({ baseline: 'initialCapital' }), ['initialCapital']);
  assert.deepEqual(faultsOf({ limitBase: 'initialCapital' }), ['initialCapital']);
  assert.deepEqual(faultsOf({ initialCapital: 0 }), ['initialCapital']);
});

test('a lock needs a trailing baseline and a drawdown threshold', () => {
  const lockAt = 100;
  assert.deepEqual(faultsOf({ lockAt, absoluteDrawdownThreshold: 1 }), ['lockAt']);
  assert.deepEqual(faultsOf({ lockAt, baseline: 'peakEquity' }), ['lockAt']);
  assert.deepEqual(faultsOf({ lockAt: -1, baseline: 'peakEquity', absoluteDrawdownThreshold: 1 }), [
    'lockAt',
  ]);
});

test('a reset clock needs a known zone and a time of day', () => {
  const faults = (zone: string, time: string) => faultsOf({ resetClock: { zone, time } });
  assert.deepEqual(faults('Europe/Atlantis', '00:00'), ['resetClock.zone']);
  for (const time of ['24:00', '0:30', '12:60', '12:30:00', '']) {
    assert.deepEqual(faults('UTC', time), ['resetClock.time'], time);
  }
});

test('all faults are reported at once', () => {
  const parts = {
    relativeDrawdownThreshold: 0,
    absoluteProfitThreshold: 0,
    startTimeMs: 5,
    endTimeMs: 4,
    baseline: 'initialCapital',
    lockAt: 1,
    resetClock: { zone: 'x', time: 'y' },
  } as const;
  assert.deepEqual(faultsOf(parts), [
    'relativeDrawdownThreshold',
    'absoluteProfitThreshold',
    'endBrokerTime',
    'initialCapital',
    'lockAt',
    'resetClock.zone',
    'resetClock.time',
  ]);
});
