import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LiveDesk } from '../../../test/simulation/live-desk.ts';
import { HOUR_MS, MINUTE_MS } from '../broker-time.ts';
import { isClockOff } from './feed-clock.ts';
import { foldSnapshot } from './fold-snapshot.ts';

const START_MS = Date.UTC(2026, 2, 2, 8);

/** A snapshot at a second, whose clock is off by this much then. */
function clockOf() {
  const { account, effects } = new LiveDesk([]);
  return {
    ...{ account, effects },
    see(second: number, offMs: number) {
      const receivedMs = START_MS + 1000 * second;
      const timeMs = account.clock.brokerTimeOf(receivedMs + offMs);
      foldSnapshot(account, timeMs, 1_000, 1_000 + second, [], receivedMs, effects);
    },
    told: () => effects.feedChanges.map(({ feed, offsetMs }) => [feed, offsetMs]),
  };
}

for (const offMs of [3 * HOUR_MS, -HOUR_MS, 121_000]) {
  test(`a clock that is off by ${offMs} ms is reported once, and once when it is right`, () => {
    const { account, see, told } = clockOf();
    for (let second = 0; second <= 300; second += 2) see(second, offMs + (second % 7) * 100);
    assert.deepEqual(
      told().map(([feed]) => feed),
      ['clockOff'],
    );
    assert.ok(isClockOff(account));
    // Its snapshots are the newest again when the wrong time has come.
    const later = 300 + Math.max(0, offMs) / 1000;
    for (let second = later + 2; second <= later + 60; second += 2) see(second, 0);
    assert.deepEqual(told().at(-1), ['clockRight', 0]);
    assert.equal(told().length, 2);
    assert.ok(!isClockOff(account));
  });
}

test('a clock that differs by a minute or two is not off, and one at the edge is reported once', () => {
  const { see, told } = clockOf();
  for (let second = 0; second <= 120; second += 2) see(second, -2 * MINUTE_MS);
  assert.deepEqual(told(), []);
  for (let second = 122; second <= 600; second += 2) see(second, second % 4 ? -125_000 : -115_000);
  assert.ok(told().length <= 1, JSON.stringify(told()));
});

test('a feed that catches up has no wrong clock', () => {
  const { see, told } = clockOf();
  for (let second = 0; second <= 60; second += 1)
    see(second, -5 * HOUR_MS + second * 4 * MINUTE_MS);
  assert.deepEqual(told(), []);
});

test('a clock that stands still while the market is closed is not off', () => {
  const { account, effects, see, told } = clockOf();
  see(0, 0);
  const { lastTimeMs } = account;
  for (let hour = 1; hour < 48; hour += 1) {
    foldSnapshot(account, lastTimeMs, 1_000, hour, [], START_MS + hour * HOUR_MS, effects);
  }
  assert.deepEqual(told(), []);
  assert.equal(account.clockOffsetMs, 0);
});
