import assert from 'node:assert/strict';
import test from 'node:test';
import { ClockViews, MAX_CLOCKS } from './clock-views.ts';

const NEW_YORK = 'America/New_York';

test('accounts and rules on equal clocks share one view', () => {
  const clocks = new ClockViews();
  const view = clocks.viewOf({ zone: NEW_YORK, shiftHours: -17 });
  assert.equal(clocks.viewOf({ zone: NEW_YORK, shiftHours: -17 }), view);
  assert.equal(clocks.resetViewOf({ zone: NEW_YORK, time: '17:00' }), view);
  assert.notEqual(clocks.resetViewOf({ zone: NEW_YORK, time: '17:30' }), view);
});

test('the midnight of a reset clock is the time of the reset', () => {
  const view = new ClockViews().resetViewOf({ zone: NEW_YORK, time: '17:30' });
  const resetUtcMs = Date.UTC(2026, 0, 5, 22, 30);
  assert.equal(view.brokerTimeOf(resetUtcMs), Date.UTC(2026, 0, 5));
});

test('only a limited number of clocks are kept, those used last', () => {
  const clocks = new ClockViews();
  const viewOf = (shiftHours: number) => clocks.viewOf({ zone: 'UTC', shiftHours });
  const [used, unused] = [viewOf(1), viewOf(2)];
  for (let index = 1; index <= MAX_CLOCKS; index += 1) {
    viewOf(2 + index / MAX_CLOCKS);
    viewOf(1);
  }
  assert.equal(viewOf(1), used);
  assert.notEqual(viewOf(2), unused);
});
