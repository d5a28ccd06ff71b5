import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PeriodStatisticsRecord } from '../../../../src/contract/operations/trackers.ts';
import { thresholdLines } from './threshold-lines.ts';

const period = { initialBalance: 10_000 } as PeriodStatisticsRecord;
const tracker = { _id: '1', name: 'Daily', period: 'date' };

describe('lines of thresholds', () => {
  it('lie below and above the balance at the start, at the nearer of two limits', () => {
    const lines = thresholdLines(
      {
        ...tracker,
        relativeDrawdownThreshold: 0.05,
        absoluteDrawdownThreshold: 300,
        relativeProfitThreshold: 0.1,
      },
      period,
    );
    assert.deepEqual(lines, [
      { kind: 'drawdown', title: 'Daily', value: 9_700 },
      { kind: 'profit', title: 'Daily', value: 11_000 },
    ]);
  });

  it('measure from the initial capital where the rule does', () => {
    const rule = {
      ...tracker,
      baseline: 'initialCapital' as const,
      initialCapital: 20_000,
      relativeDrawdownThreshold: 0.1,
    };
    assert.equal(thresholdLines(rule, period)[0]?.value, 18_000);
  });

  it('are not drawn for baselines that move', () => {
    const rule = { ...tracker, baseline: 'peakEquity' as const, relativeDrawdownThreshold: 0.1 };
    assert.deepEqual(thresholdLines(rule, period), []);
  });
});
