import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { IncidentRecord } from '../../../src/contract/operations/incidents.ts';
import { arrange, headingOf } from './arrange.ts';

type Event = IncidentRecord['events'][number];

/** An incident of an account, by its rule and the share lost; none is lost at a target. */
function incident(id: number, accountName: string, trackerName: string, lost?: number) {
  const event = {
    ...{ sequenceNumber: id, trackerName, relativeDrawdown: lost ?? 0 },
    exceededThresholdType: lost === undefined ? 'profit' : 'drawdown',
  } as Event;
  const known = { id, accountId: accountName, accountName, login: `70${id}`, events: [event] };
  return { ...known, revisions: [] as IncidentRecord['revisions'] } as IncidentRecord;
}

const ALL = [
  incident(5, 'Challenge 10', 'Daily', 0.06),
  incident(4, 'Challenge 2', 'Total', 0.11),
  incident(3, 'Challenge 10', 'Total', 0.12),
  incident(2, 'Challenge 2', 'Target'),
  incident(1, 'Challenge 10', 'Daily', 0.06),
];
const idsOf = (incidents: readonly IncidentRecord[]): number[] => incidents.map(({ id }) => id);

it('lists accounts by their numbers, each newest first', () => {
  const arranged = arrange(ALL, 'account', '');
  assert.deepEqual(idsOf(arranged), [4, 2, 5, 3, 1]);
  assert.deepEqual(
    arranged.map((each) => headingOf(each, 'account')),
    ['Challenge 2', 'Challenge 2', 'Challenge 10', 'Challenge 10', 'Challenge 10'],
  );
});

it('lists the largest loss first, and targets last', () => {
  assert.deepEqual(idsOf(arrange(ALL, 'severity', '')), [3, 4, 5, 1, 2]);
});

it('keeps the order of the server for the newest, without headings', () => {
  assert.deepEqual(idsOf(arrange(ALL, 'time', '')), [5, 4, 3, 2, 1]);
  assert.equal(headingOf(incident(1, 'One', 'Daily'), 'time'), undefined);
});

it('finds what all searched words are about, in any case and order', () => {
  assert.deepEqual(idsOf(arrange(ALL, 'time', 'total 10')), [3]);
  assert.deepEqual(idsOf(arrange(ALL, 'time', 'DAILY challenge')), [5, 1]);
  assert.deepEqual(idsOf(arrange(ALL, 'time', '704')), [4]);
  assert.deepEqual(idsOf(arrange(ALL, 'time', 'nobody')), []);
});
