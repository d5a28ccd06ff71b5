import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  at,
  FIXED_CLOCK,
  LiveDesk,
  NEW_YORK_CLOCK,
  trackerOf,
} from '../../../test/simulation/live-desk.ts';
import { PERIOD_WORDS } from '../../words/periods.ts';
import { formatBrokerTime } from '../broker-time.ts';
import { BrokerClockView } from './broker-clock-view.ts';
import { ClockViews } from './clock-views.ts';
import { LiveRows } from './live-account.ts';
import { makeTracker } from './tracker-changes.ts';
import type { TrackerDefinition } from './tracker-definition.ts';
import { nextMidnightUtc, periodOf } from './tracker-period.ts';
import { TrackerRules } from './tracker-rule.ts';

/** First and last moment of the period that contains a broker time. */
function boundsAt(parts: Partial<TrackerDefinition>, time: string, clock = FIXED_CLOCK) {
  const view = new BrokerClockView(clock);
  const tracker = makeTracker(
    trackerOf(parts),
    new TrackerRules(new ClockViews()),
    new LiveRows(1).trackers.take(),
  );
  const utcMs = view.utcOf(at(time), Number.NaN);
  const { startMs, lastMs } = periodOf(tracker, view, at(time), utcMs);
  const shown = (timeMs: number) => formatBrokerTime(timeMs).replace(':00.000', '');
  return [shown(startMs), lastMs === Infinity ? 'open' : shown(lastMs)];
}

const FAR = '23:59:59.999';

test('without a start every word follows the calendar, weeks from Sunday', () => {
  const time = '2026-05-13 15:20'; // a Wednesday
  const expected: Record<string, string[]> = {
    day: ['2026-05-13 00:00', `2026-05-13 ${FAR}`],
    date: ['2026-05-13 00:00', `2026-05-13 ${FAR}`],
    week: ['2026-05-10 00:00', `2026-05-16 ${FAR}`],
    'week-to-date': ['2026-05-10 00:00', `2026-05-16 ${FAR}`],
    month: ['2026-05-01 00:00', `2026-05-31 ${FAR}`],
    'month-to-date': ['2026-05-01 00:00', `2026-05-31 ${FAR}`],
    quarter: ['2026-04-01 00:00', `2026-06-30 ${FAR}`],
    'quarter-to-date': ['2026-04-01 00:00', `2026-06-30 ${FAR}`],
    year: ['2026-01-01 00:00', `2026-12-31 ${FAR}`],
    'year-to-date': ['2026-01-01 00:00', `2026-12-31 ${FAR}`],
    lifetime: [time, 'open'],
  };
  assert.deepEqual(Object.keys(expected), [...PERIOD_WORDS]);
  for (const period of PERIOD_WORDS) {
    assert.deepEqual(boundsAt({ period }, time), expected[period], period);
  }
});

test('with a start plain words roll from it, the others stay with the calendar', () => {
  const startTimeMs = at('2026-03-03 12:00');
  const expected: Record<string, string[]> = {
    day: ['2026-05-13 12:00', '2026-05-14 11:59:59.999'],
    date: ['2026-05-13 00:00', `2026-05-13 ${FAR}`],
    week: ['2026-05-12 12:00', '2026-05-19 11:59:59.999'],
    'week-to-date': ['2026-05-10 00:00', `2026-05-16 ${FAR}`],
    month: ['2026-05-03 12:00', '2026-06-03 11:59:59.999'],
    'month-to-date': ['2026-05-01 00:00', `2026-05-31 ${FAR}`],
    quarter: ['2026-03-03 12:00', '2026-06-03 11:59:59.999'],
    'quarter-to-date': ['2026-04-01 00:00', `2026-06-30 ${FAR}`],
    year: ['2026-03-03 12:00', '2027-03-03 11:59:59.999'],
    'year-to-date': ['2026-03-03 12:00', `2026-12-31 ${FAR}`],
    lifetime: ['2026-03-03 12:00', 'open'],
  };
  for (const period of PERIOD_WORDS) {
    const bounds = boundsAt({ period, startTimeMs }, '2026-05-13 15:20');
    assert.deepEqual(bounds, expected[period], period);
  }
});

test('the first and the last period are clipped by start and end of the tracker', () => {
  const startTimeMs = at('2026-05-12 12:00');
  const endTimeMs = at('2026-05-14 06:00');
  for (const period of PERIOD_WORDS) {
    const bounds = boundsAt({ period, startTimeMs, endTimeMs }, '2026-05-14 05:00');
    assert.equal(bounds[1], '2026-05-14 06:00', period);
  }
  for (const period of PERIOD_WORDS) {
    const bounds = boundsAt({ period, startTimeMs, endTimeMs }, '2026-05-12 12:00');
    assert.equal(bounds[0], '2026-05-12 12:00', period);
  }
});

test('a day rolls at the time of the start, a date at midnight', () => {
  const startTimeMs = at('2026-05-12 12:00');
  const day = (time: string) => boundsAt({ period: 'day', startTimeMs }, time)[0];
  assert.equal(day('2026-05-13 11:59:59.999'), '2026-05-12 12:00');
  assert.equal(day('2026-05-13 12:00'), '2026-05-13 12:00');
  const date = (time: string) => boundsAt({ period: 'date', startTimeMs }, time)[0];
  assert.equal(date('2026-05-12 13:00'), '2026-05-12 12:00');
  assert.equal(date('2026-05-13 00:00'), '2026-05-13 00:00');
});

test('a week ends on Saturday', () => {
  const start = (time: string) => boundsAt({ period: 'week-to-date' }, time)[0];
  assert.equal(start('2026-05-16 23:59:59.999'), '2026-05-10 00:00');
  assert.equal(start('2026-05-17 00:00'), '2026-05-17 00:00');
});

test('months that roll from a 31st are clipped to the month, each from the start again', () => {
  const startTimeMs = at('2026-01-31 12:00');
  const month = (time: string) => boundsAt({ period: 'month', startTimeMs }, time);
  assert.deepEqual(month('2026-02-28 11:59'), ['2026-01-31 12:00', '2026-02-28 11:59:59.999']);
  assert.deepEqual(month('2026-02-28 12:00'), ['2026-02-28 12:00', '2026-03-31 11:59:59.999']);
  assert.deepEqual(month('2026-03-31 12:00'), ['2026-03-31 12:00', '2026-04-30 11:59:59.999']);
  const quarter = boundsAt({ period: 'quarter', startTimeMs }, '2026-05-01 00:00');
  assert.deepEqual(quarter, ['2026-04-30 12:00', '2026-07-31 11:59:59.999']);
});

test('years that roll from February 29 are clipped to the 28th', () => {
  const startTimeMs = at('2028-02-29 00:00');
  const year = (time: string) => boundsAt({ period: 'year', startTimeMs }, time);
  assert.deepEqual(year('2029-02-28 00:00'), ['2029-02-28 00:00', `2030-02-27 ${FAR}`]);
  assert.deepEqual(year('2031-03-01 00:00'), ['2031-02-28 00:00', `2032-02-28 ${FAR}`]);
});

test('a reset clock ends days by its own zone and time, through changes of either clock', () => {
  const prague = { zone: 'Europe/Prague', time: '00:00' };
  const day = (time: string) =>
    boundsAt({ period: 'day', resetClock: prague }, time, NEW_YORK_CLOCK);
  // New York + 7 is UTC+2 in winter; Prague is UTC+1, so its midnight is 01:00.
  assert.deepEqual(day('2026-02-10 15:00'), ['2026-02-10 01:00', '2026-02-11 00:59:59.999']);
  // From March 8 the broker is at UTC+3, Prague still at UTC+1.
  assert.deepEqual(day('2026-03-10 15:00'), ['2026-03-10 02:00', '2026-03-11 01:59:59.999']);
  assert.deepEqual(day('2026-04-10 15:00'), ['2026-04-10 01:00', '2026-04-11 00:59:59.999']);
});

test('a reset clock may end days at any time of day', () => {
  const half = { zone: 'UTC', time: '00:30' };
  const bounds = (period: 'day' | 'week') =>
    boundsAt({ period, resetClock: half }, '2026-05-13 02:29');
  assert.deepEqual(bounds('day'), ['2026-05-12 02:30', '2026-05-13 02:29:59.999']);
  assert.deepEqual(bounds('week'), ['2026-05-10 02:30', '2026-05-17 02:29:59.999']);
});

test('a period ends with the last moment that the clock shows before the bound', () => {
  const lastOf = (zone: string, resetClock: { zone: string; time: string }, time: string) =>
    boundsAt({ period: 'day', resetClock }, time, { zone, shiftHours: 0 })[1];
  // Both clocks jump at the bound: in Athens no 03:xx comes before it.
  const prague = { zone: 'Europe/Prague', time: '03:00' };
  const spring = lastOf('Europe/Athens', prague, '2026-03-29 01:00');
  assert.equal(spring, '2026-03-29 02:59:59.999');
  // 06:00 of UTC is the second 01:00 in New York: the hour before it is the first 01:xx.
  const autumn = lastOf('America/New_York', { zone: 'UTC', time: '06:00' }, '2026-11-01 00:30');
  assert.equal(autumn, '2026-11-01 01:59:59.999');
  const before = lastOf('America/New_York', { zone: 'UTC', time: '06:00' }, '2026-10-31 00:30');
  assert.equal(before, '2026-10-31 01:59:59.999');
});

test('a period begins with the first moment that the clock shows after the bound', () => {
  const firstOf = (parts: Partial<TrackerDefinition>, time: string) =>
    boundsAt(parts, time, { zone: 'Asia/Beirut', shiftHours: 0 })[0];
  // At the midnight before 29 March the clock jumps to 01:00.
  assert.equal(firstOf({ period: 'date' }, '2026-03-29 12:00'), '2026-03-29 01:00');
  assert.equal(firstOf({ period: 'date' }, '2026-03-30 12:00'), '2026-03-30 00:00');
  assert.equal(firstOf({ period: 'week-to-date' }, '2026-03-31 12:00'), '2026-03-29 01:00');
  const startTimeMs = at('2026-03-29 00:30');
  assert.equal(
    firstOf({ period: 'lifetime', startTimeMs }, '2026-03-31 12:00'),
    '2026-03-29 01:30',
  );
});

test('with a reset clock plain words follow its calendar, not the start', () => {
  const resetClock = { zone: 'UTC', time: '22:00' };
  const startTimeMs = at('2026-05-12 12:00');
  const bounds = boundsAt({ period: 'day', resetClock, startTimeMs }, '2026-05-13 15:00');
  assert.deepEqual(bounds, ['2026-05-13 00:00', `2026-05-13 ${FAR}`]);
});

test('a day has 23 or 25 hours when the clock changes, and starts at its wall time', () => {
  const view = new BrokerClockView({ zone: 'Europe/Athens', shiftHours: 0 });
  const tracker = makeTracker(
    trackerOf({ period: 'date' }),
    new TrackerRules(new ClockViews()),
    new LiveRows(1).trackers.take(),
  );
  const hoursOf = (date: string) => {
    const utcMs = view.utcOf(at(`${date} 12:00`), Number.NaN);
    const { startUtcMs, endUtcMs } = periodOf(tracker, view, at(`${date} 12:00`), utcMs);
    return (endUtcMs - startUtcMs) / 3_600_000;
  };
  assert.equal(hoursOf('2026-03-28'), 24);
  assert.equal(hoursOf('2026-03-29'), 23);
  assert.equal(hoursOf('2026-10-25'), 25);
});

test('a boundary inside the hour shown twice is passed once, in the first pass', () => {
  const desk = new LiveDesk([{ period: 'day', startTimeMs: at('2026-10-20 03:30') }], {
    zone: 'Europe/Athens',
    shiftHours: 0,
  });
  desk.see('2026-10-25 03:10', 10_000, 10_000);
  assert.equal(desk.completed.length, 0);
  desk.see('2026-10-25 03:40', 10_000, 10_000);
  assert.equal(desk.completed.length, 1);
  assert.equal(desk.see('2026-10-25 03:05', 10_000, 9900), 'accepted');
  assert.equal(desk.completed.length, 1);
  assert.equal(desk.period()?.startTimeMs, at('2026-10-25 03:30'));
  assert.equal(desk.period()?.maxAbsoluteDrawdown, 1_000_000);
});

test('the next midnight is strictly later, also at a midnight', () => {
  const view = new BrokerClockView(FIXED_CLOCK);
  const midnightUtcMs = Date.UTC(2026, 4, 12, 22);
  assert.equal(nextMidnightUtc(view, midnightUtcMs - 1), midnightUtcMs);
  assert.equal(nextMidnightUtc(view, midnightUtcMs), midnightUtcMs + 86_400_000);
});

test('a start one millisecond into a period cuts it', () => {
  const startTimeMs = at('2026-05-13 00:00:00.001');
  const [start] = boundsAt({ period: 'date', startTimeMs }, '2026-05-13 15:00');
  assert.equal(start, '2026-05-13 00:00:00.001');
});

test('in the second pass of an hour a boundary inside it has passed', () => {
  const view = new BrokerClockView({ zone: 'Europe/Athens', shiftHours: 0 });
  const definition = trackerOf({ period: 'day', startTimeMs: at('2026-10-20 03:30') });
  const tracker = makeTracker(
    definition,
    new TrackerRules(new ClockViews()),
    new LiveRows(1).trackers.take(),
  );
  const secondPassUtcMs = Date.UTC(2026, 9, 25, 1, 10);
  const period = periodOf(tracker, view, at('2026-10-25 03:10'), secondPassUtcMs);
  assert.equal(period.startMs, at('2026-10-25 03:30'));
  assert.equal(period.startUtcMs, Date.UTC(2026, 9, 25, 0, 30));
  assert.equal(period.endUtcMs, Date.UTC(2026, 9, 26, 1, 30));
});
