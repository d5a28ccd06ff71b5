import assert from 'node:assert/strict';
import { it } from 'node:test';
import { recordDealsOperation } from '../../src/contract/operations/deals.ts';
import { createTrackerOperation } from '../../src/contract/operations/trackers.ts';
import { DEAL_ENTRIES, DEAL_TYPES } from '../../src/domain/deal.ts';
import { BASELINES, PERIOD_WORDS } from '../../src/domain/live/tracker-definition.ts';

// The contract imports nothing of ours, so it writes the field's words once more: they must agree.
const words = (schema: object): unknown => JSON.parse(JSON.stringify(schema)).enum;

it('has the same deal types and entries on the wire as in the domain', () => {
  const { type, entry } = recordDealsOperation.body.items.properties;
  assert.deepEqual(words(type), [...DEAL_TYPES]);
  assert.deepEqual(words(entry), [...DEAL_ENTRIES]);
});

it('has the same period and baseline words on the wire as in the domain', () => {
  const { period, baseline } = createTrackerOperation.body.properties;
  assert.deepEqual(words(period), [...PERIOD_WORDS]);
  assert.deepEqual(words(baseline), [...BASELINES]);
});
