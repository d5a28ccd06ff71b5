import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/properties.ts';
import { PlatformClock } from './platform-clock.ts';

const LEAD_MS = 7_200_000;
/** The report of a platform whose clock is this far ahead of ours: whole seconds. */
const told = (elapsedMs: number, leadMs = LEAD_MS): number =>
  Math.floor((elapsedMs + leadMs) / 1000) * 1000;

const looks = fc.array(
  fc.record({
    pauseMs: fc.integer({ min: 0, max: 5_000 }),
    sentMs: fc.integer({ min: 0, max: 3_000 }),
    receivedMs: fc.integer({ min: 0, max: 3_000 }),
  }),
  { minLength: 1, maxLength: 50 },
);

test("the platform's clock is never further off than one reading allows, however slow others are", () => {
  fc.assert(
    fc.property(looks, (each) => {
      const clock = new PlatformClock();
      let nowMs = 0;
      let openMs = Number.POSITIVE_INFINITY;
      for (const { pauseMs, sentMs, receivedMs } of each) {
        nowMs += pauseMs;
        const readMs = nowMs + sentMs;
        clock.look(told(readMs), nowMs, readMs + receivedMs);
        openMs = Math.min(openMs, sentMs + receivedMs + 1_000);
        nowMs = readMs + receivedMs;
        assert.ok(Math.abs(clock.at(nowMs) - (nowMs + LEAD_MS)) <= openMs);
      }
    }),
  );
});

test("the platform's clock never goes back unless the platform's does", () => {
  fc.assert(
    fc.property(looks, (each) => {
      const clock = new PlatformClock();
      let [nowMs, lastMs] = [0, Number.NEGATIVE_INFINITY];
      for (const { pauseMs, sentMs, receivedMs } of each) {
        nowMs += pauseMs;
        clock.look(told(nowMs + sentMs), nowMs, nowMs + sentMs + receivedMs);
        nowMs += sentMs + receivedMs;
        assert.ok(clock.at(nowMs) >= lastMs);
        lastMs = clock.at(nowMs);
      }
    }),
  );
});

test('a moved clock is followed at once', () => {
  const clock = new PlatformClock();
  assert.equal(clock.isKnown, false);
  clock.look(told(0), 0, 20);
  for (const hours of [1, -1, 3]) {
    const leadMs = LEAD_MS + hours * 3_600_000;
    clock.look(told(1_000, leadMs), 1_000, 1_020);
    assert.ok(Math.abs(clock.at(1_020) - (1_020 + leadMs)) <= 1_020);
  }
});
