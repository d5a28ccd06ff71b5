import assert from 'node:assert/strict';
import test from 'node:test';
import { ClockViews } from './clock-views.ts';
import type { TrackerDefinition } from './tracker-definition.ts';
import { MAX_RULES, TrackerRules } from './tracker-rule.ts';

const RESET = { zone: 'America/New_York', time: '17:00' };

const limitOf = (amount: number): TrackerDefinition => ({
  id: `tracker-${amount}`,
  name: `Limit of ${amount}`,
  period: 'date',
  absoluteDrawdownThreshold: amount,
  resetClock: { ...RESET },
});

test('trackers that measure the same share one rule, whatever their names', () => {
  const rules = new TrackerRules(new ClockViews());
  const rule = rules.ruleOf(limitOf(1));
  assert.equal(rules.ruleOf({ ...limitOf(1), id: 'other', name: 'Other' }), rule);
  assert.notEqual(rules.ruleOf(limitOf(2)), rule);
});

test('a breach that starts actions waits five seconds for its cause by default', () => {
  const rules = new TrackerRules(new ClockViews());
  const actions = [{ action: 'disableTrading' as const }];
  const waits = (more: Partial<TrackerDefinition>) => rules.ruleOf({ ...limitOf(1), ...more });
  assert.equal(waits({}).settleMs, 0);
  assert.equal(waits({ actions }).settleMs, 5000);
  assert.equal(waits({ actions, settleSeconds: 0 }), waits({}));
  assert.equal(waits({ settleSeconds: 60 }).settleMs, 60_000);
});

test('rules that differ share the view of their reset clock', () => {
  const rules = new TrackerRules(new ClockViews());
  assert.equal(rules.ruleOf(limitOf(1)).resetClock, rules.ruleOf(limitOf(2)).resetClock);
});

test('rules of removed trackers do not pile up', () => {
  const rules = new TrackerRules(new ClockViews());
  const first = rules.ruleOf(limitOf(1));
  for (let amount = 2; amount <= MAX_RULES + 1; amount += 1) rules.ruleOf(limitOf(amount));
  assert.notEqual(rules.ruleOf(limitOf(1)), first);
});
