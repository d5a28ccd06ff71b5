import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ATHENS_CLOCK,
  at,
  FIXED_CLOCK,
  NEW_YORK_CLOCK,
} from '../../../test/simulation/live-desk.ts';
import { BrokerClockView } from './broker-clock-view.ts';

const utc = (text: string): number => at(text);

test('the wall time of New York + 7 follows the dates of New York', () => {
  const view = new BrokerClockView(NEW_YORK_CLOCK);
  assert.equal(view.brokerTimeOf(utc('2026-03-08 06:59')), at('2026-03-08 08:59'));
  assert.equal(view.brokerTimeOf(utc('2026-03-08 07:00')), at('2026-03-08 10:00'));
  assert.equal(view.brokerTimeOf(utc('2026-03-20 12:00')), at('2026-03-20 15:00'));
  assert.equal(view.brokerTimeOf(utc('2026-11-01 06:00')), at('2026-11-01 08:00'));
});

test('the wall time of Athens follows the dates of Europe', () => {
  const view = new BrokerClockView(ATHENS_CLOCK);
  assert.equal(view.brokerTimeOf(utc('2026-03-20 12:00')), at('2026-03-20 14:00'));
  assert.equal(view.brokerTimeOf(utc('2026-03-29 01:00')), at('2026-03-29 04:00'));
});

test('a clock without changes is the same all year, with any fraction of an hour', () => {
  const view = new BrokerClockView(FIXED_CLOCK);
  for (const month of ['01', '07']) {
    assert.equal(
      view.utcOf(at(`2026-${month}-15 12:00`), Number.NaN),
      utc(`2026-${month}-15 10:00`),
    );
  }
  const shifted = new BrokerClockView({ zone: 'UTC', shiftHours: -0.5 });
  assert.equal(shifted.brokerTimeOf(utc('2026-01-15 00:30')), at('2026-01-15 00:00'));
});

test('a skipped time maps to the moment as far after the jump', () => {
  const view = new BrokerClockView(NEW_YORK_CLOCK);
  assert.equal(view.utcOf(at('2026-03-08 09:30'), Number.NaN), utc('2026-03-08 07:30'));
  assert.equal(view.utcOf(at('2026-03-08 10:30'), Number.NaN), utc('2026-03-08 07:30'));
});

test('a time shown twice is in the first pass unless known otherwise', () => {
  const view = new BrokerClockView(ATHENS_CLOCK);
  const first = utc('2026-10-25 00:30');
  assert.equal(view.utcOf(at('2026-10-25 03:30'), Number.NaN), first);
  assert.equal(view.utcOf(at('2026-10-25 03:30'), utc('2026-10-24 20:00')), first);
  assert.equal(view.utcOf(at('2026-10-25 03:30'), utc('2026-10-25 00:10')), first);
});

test('an account in the second pass stays in it', () => {
  const view = new BrokerClockView(ATHENS_CLOCK);
  const second = utc('2026-10-25 01:30');
  assert.equal(view.utcOf(at('2026-10-25 03:30'), utc('2026-10-25 01:00')), second);
  assert.equal(view.utcOf(at('2026-10-25 03:30'), utc('2026-10-25 01:40')), second);
  assert.equal(view.utcOf(at('2026-10-25 03:30'), utc('2026-10-26 12:00')), second);
});

test('a step back of more than half an hour begins the second pass, a smaller one is late', () => {
  const view = new BrokerClockView(ATHENS_CLOCK);
  const lastUtcMs = utc('2026-10-25 00:50');
  assert.equal(
    view.utcOf(at('2026-10-25 03:19:59.999'), lastUtcMs),
    utc('2026-10-25 01:19:59.999'),
  );
  assert.equal(view.utcOf(at('2026-10-25 03:20'), lastUtcMs), utc('2026-10-25 00:20'));
});

test('a time before the first pass begins can not start the second', () => {
  const view = new BrokerClockView(ATHENS_CLOCK);
  assert.equal(
    view.utcOf(at('2026-10-25 03:00'), utc('2026-10-24 23:59:59.999')),
    utc('2026-10-25 00:00'),
  );
});

test('a wall time far from every change is found repeatedly', () => {
  const view = new BrokerClockView(NEW_YORK_CLOCK);
  for (const [wall, moment] of [
    ['2026-07-01 12:00', '2026-07-01 09:00'],
    ['2026-12-01 12:00', '2026-12-01 10:00'],
    ['2026-07-01 12:00', '2026-07-01 09:00'],
    ['1950-07-01 12:00', '1950-07-01 10:00'],
    ['9999-07-01 12:00', '9999-07-01 10:00'],
  ] as const) {
    assert.equal(view.utcOf(at(wall), Number.NaN), utc(moment), wall);
  }
});

test('an unknown zone is refused', () => {
  assert.throws(() => new BrokerClockView({ zone: 'Europe/Atlantis', shiftHours: 0 }), RangeError);
});

test('a skipped time is the same moment whatever came before', () => {
  const view = new BrokerClockView(NEW_YORK_CLOCK);
  for (const last of ['2026-03-08 05:00', '2026-03-08 07:00', '2026-03-08 09:00']) {
    assert.equal(view.utcOf(at('2026-03-08 09:30'), utc(last)), utc('2026-03-08 07:30'), last);
  }
});

test('the edges of skipped and repeated hours are exact, also right after a plain time', () => {
  const newYork = new BrokerClockView(NEW_YORK_CLOCK);
  assert.equal(newYork.utcOf(at('2026-03-08 10:00'), Number.NaN), utc('2026-03-08 07:00'));
  const athens = new BrokerClockView(ATHENS_CLOCK);
  assert.equal(athens.utcOf(at('2026-10-25 04:00'), Number.NaN), utc('2026-10-25 02:00'));
  const lastUtcMs = utc('2026-10-25 01:30');
  assert.equal(
    athens.utcOf(at('2026-10-25 02:59:59.999'), lastUtcMs),
    utc('2026-10-24 23:59:59.999'),
  );
  assert.equal(athens.utcOf(at('2026-10-25 03:00'), lastUtcMs), utc('2026-10-25 01:00'));
});
