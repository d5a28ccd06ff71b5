import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { NewTracker } from '../../../src/contract/operations/trackers.ts';
import { formOf, obstacleOf, START, toNewTracker } from './rule-form.ts';

const RULES: Omit<NewTracker, 'name'>[] = [
  { period: 'date', relativeDrawdownThreshold: 0.05 },
  { period: 'week' },
  { period: 'lifetime', absoluteDrawdownThreshold: 0.1, absoluteProfitThreshold: 1234567.89 },
  {
    ...{ period: 'lifetime', baseline: 'peakBalance', relativeDrawdownThreshold: 0.0525 },
    ...{ initialCapital: 100_000, lockAt: 100_000, warnAt: 0.8, inclusive: true },
  },
  {
    ...{ period: 'date', limitBase: 'initialCapital', initialCapital: 5_000 },
    ...{ relativeDrawdownThreshold: 0.04, adjustDeals: [] },
    resetClock: { zone: 'Europe/Prague', time: '00:00' },
    ...{ startBrokerTime: '2026-03-02 10:00:00.000', endBrokerTime: '2026-04-02 10:00:00.000' },
  },
  {
    ...{ period: 'month-to-date', absoluteDrawdownThreshold: 500 },
    actions: [
      { action: 'closePositions', dryRun: true },
      { action: 'disableTrading', confirm: 'person' },
      { action: 'moveToGroup', group: 'breached\\usd' },
    ],
  },
];

describe('the form of a rule', () => {
  it('loses nothing of a rule that is opened and saved', () => {
    for (const rule of RULES) {
      const form = formOf({ ...rule, name: 'Kept' });
      assert.equal(obstacleOf(form, 'USD'), undefined);
      assert.deepEqual(toNewTracker(form, 'USD'), { ...rule, name: 'Kept' });
    }
  });

  it('refuses a warning and actions without a loss limit', () => {
    const target = { ...START, drawdownPercent: '', profitPercent: '10' };
    assert.equal(obstacleOf(target, 'USD'), undefined);
    assert.match(obstacleOf({ ...target, warnPercent: '80' }, 'USD') ?? '', /^A warning/);
    const actions = ['disableTrading'] as const;
    assert.match(obstacleOf({ ...target, actions }, 'USD') ?? '', /^Actions run when/);
    const moving = { ...START, actions: ['moveToGroup'] as const };
    assert.match(obstacleOf(moving, 'USD') ?? '', /^Name the group/);
  });
});
