import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Check } from 'typebox/value';
import { createTrackerOperation } from '../../src/contract/operations/trackers.ts';
import { checkTracker } from '../../src/domain/live/check-tracker.ts';
import type { TrackerDefinition } from '../../src/domain/live/tracker-definition.ts';
import { MONEY_FIELDS } from '../../src/services/trackers/present-tracker.ts';
import { LiveDesk, NEW_YORK_CLOCK } from './live-desk.ts';
import { moneyOfWire, moneyToWire } from './wire.ts';

/**
 * The rules as users read them: each section has its trackers and an example that must come true.
 */
const page = readFileSync(new URL('../../docs/trackers.md', import.meta.url), 'utf8');
const sections = page.split('## Rules of prop firms')[1]?.split('\n### ').slice(1);

type ExampleRow = { time: string; balance: number; equity: number; event: string };

function exampleOf(section: string): ExampleRow[] {
  const rows = [...section.matchAll(/^\| (\d{4}-.*) \|$/gm)].map(([, row = '']) =>
    row.split(' | '),
  );
  return rows.map(([time = '', balance, equity, event = '']) => {
    return { time, balance: Number(balance), equity: Number(equity), event };
  });
}

function trackersOf(section: string): TrackerDefinition[] {
  const blocks = [...section.matchAll(/^```json\n(.*?)^```/gms)];
  return blocks.map(([, text = '']) => {
    const tracker: unknown = JSON.parse(text);
    assert.ok(Check(createTrackerOperation.body, tracker), text);
    const definition: TrackerDefinition = { ...tracker, id: tracker.name };
    for (const field of MONEY_FIELDS) {
      const amount = tracker[field];
      if (amount !== undefined) definition[field] = moneyOfWire(amount);
    }
    assert.deepEqual(checkTracker(definition), []);
    return definition;
  });
}

test('the page has its eight rules', () => {
  assert.equal(sections?.length, 8);
});

for (const section of sections ?? []) {
  const title = section.slice(0, section.indexOf('\n'));
  test(`the example comes true: ${title}`, () => {
    const rows = exampleOf(section);
    assert.ok(rows.length >= 3);
    const desk = new LiveDesk(trackersOf(section), NEW_YORK_CLOCK);
    const outcomes = rows.map(({ time, balance, equity }) => {
      const known = desk.events.length;
      desk.see(time, balance, equity);
      const told = desk.events.slice(known).map((event) => {
        const type = event.exceededThresholdType;
        const amount = type === 'profit' ? event.absoluteProfit : event.absoluteDrawdown;
        return `${type} ${moneyToWire(amount)} of ${moneyToWire(event.allowed)}`;
      });
      return told.join(', ') || '–';
    });
    assert.deepEqual(
      outcomes,
      rows.map(({ event }) => event),
    );
  });
}
