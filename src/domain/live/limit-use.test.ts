import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BrokerClockView } from './broker-clock-view.ts';
import { foldSnapshot } from './fold-snapshot.ts';
import { limitUse, worstLimitUse } from './limit-use.ts';
import { LiveAccount } from './live-account.ts';
import { FoldEffects } from './live-records.ts';
import { addTracker } from './tracker-changes.ts';
import type { TrackerDefinition } from './tracker-definition.ts';
import { TrackerRules } from './tracker-rule.ts';

const NOON_MS = Date.UTC(2026, 0, 5, 12);
const HUNDRED = 1_000_000;

function accountWith(
  definitions: Omit<TrackerDefinition, 'name' | 'period'>[],
  ...equities: number[]
) {
  const account = new LiveAccount('a', new BrokerClockView({ zone: 'UTC', shiftHours: 0 }));
  const rules = new TrackerRules();
  for (const definition of definitions) {
    addTracker(account, { ...definition, name: definition.id, period: 'date' }, rules);
  }
  const effects = new FoldEffects();
  for (const [index, equity] of equities.entries()) {
    foldSnapshot(account, NOON_MS + index * 1000, HUNDRED, equity, [], Infinity, effects);
  }
  return account;
}

describe('the use of a limit', () => {
  it('is the present drawdown as a part of what is allowed', () => {
    const account = accountWith(
      [{ id: 'five', relativeDrawdownThreshold: 0.05 }],
      HUNDRED,
      HUNDRED * 0.98,
    );
    assert.deepEqual(worstLimitUse(account), { trackerId: 'five', used: 0.4, exceeded: false });
  });

  it('stays exceeded when the equity has come back', () => {
    const account = accountWith(
      [{ id: 'five', relativeDrawdownThreshold: 0.05 }],
      HUNDRED,
      HUNDRED * 0.9,
      HUNDRED,
    );
    assert.deepEqual(worstLimitUse(account), { trackerId: 'five', used: 0, exceeded: true });
  });

  it('of an exceeded tracker comes before a nearer one that is not', () => {
    const account = accountWith(
      [
        { id: 'ten', relativeDrawdownThreshold: 0.1 },
        { id: 'one', relativeDrawdownThreshold: 0.01 },
      ],
      HUNDRED,
      HUNDRED * 0.95,
      HUNDRED * 0.995,
    );
    assert.equal(worstLimitUse(account)?.trackerId, 'one');
  });

  it('is unknown before the first snapshot and without a drawdown threshold', () => {
    assert.equal(
      worstLimitUse(accountWith([{ id: 'a', relativeDrawdownThreshold: 0.1 }])),
      undefined,
    );
    const account = accountWith([{ id: 'p', relativeProfitThreshold: 0.1 }], HUNDRED);
    const [tracker] = account.trackers;
    assert.ok(tracker);
    assert.equal(limitUse(account, tracker), undefined);
  });
});
