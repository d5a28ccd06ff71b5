import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, deposit, FIXED_CLOCK, LiveDesk, usd } from '../../../test/simulation/live-desk.ts';
import { brokerTimeAt } from '../broker-time.ts';
import { limitRoom } from './limit-room.ts';
import type { TrackerDefinition } from './tracker-definition.ts';
import { withWaitingDeals } from './with-waiting-deals.ts';

function roomOf(desk: LiveDesk) {
  const shown = withWaitingDeals(desk.account);
  const [tracker] = shown.trackers;
  assert.ok(tracker);
  return limitRoom(shown, tracker);
}

const LIMITS = { relativeDrawdownThreshold: 0.05, absoluteProfitThreshold: usd(800) };

test('the room left is the equity above the floor and below the target, until the reset', () => {
  const desk = new LiveDesk([LIMITS]);
  desk.see('2026-03-02 10:00', 10_000, 10_000);
  desk.see('2026-03-02 11:00', 10_000, 9800);
  const room = roomOf(desk);
  assert.deepEqual(room, {
    trackerId: 'tracker',
    startTimeMs: at('2026-03-02'),
    endTimeMs: at('2026-03-03') - 1,
    resetUtcMs: room?.resetUtcMs,
    floor: usd(9500),
    target: usd(10_800),
    toFloor: usd(300),
    toTarget: usd(1000),
    used: 0.4,
    exceeded: undefined,
  });
  assert.equal(brokerTimeAt(room?.resetUtcMs ?? 0, FIXED_CLOCK), at('2026-03-03'));
});

test('a deposit moves floor and target, also before a snapshot shows it', () => {
  const desk = new LiveDesk([LIMITS]);
  desk.see('2026-03-02 10:00', 10_000, 9800);
  desk.book(deposit('2026-03-02 11:00', 5000));
  const { floor, target, toFloor, toTarget } = roomOf(desk) ?? {};
  assert.deepEqual([floor, target], [usd(14_500), usd(15_800)]);
  assert.deepEqual([toFloor, toTarget], [usd(300), usd(1000)]);
});

test('beyond the floor the room is negative, and the period stays exceeded', () => {
  const desk = new LiveDesk([LIMITS]);
  desk.see('2026-03-02 10:00', 10_000, 9000);
  assert.equal(roomOf(desk)?.toFloor, usd(-500));
  desk.see('2026-03-02 11:00', 10_000, 10_000);
  assert.equal(roomOf(desk)?.toFloor, usd(500));
  assert.equal(roomOf(desk)?.exceeded, 'drawdown');
});

test('an equity at an inclusive floor has no room and is exceeded, at a strict one it is not', () => {
  for (const inclusive of [false, true]) {
    const desk = new LiveDesk([{ ...LIMITS, inclusive }]);
    desk.see('2026-03-02 10:00', 10_000, 9500);
    assert.equal(roomOf(desk)?.floor, usd(9500));
    assert.equal(roomOf(desk)?.toFloor, 0);
    assert.equal(roomOf(desk)?.used, 1);
    assert.equal(roomOf(desk)?.exceeded, inclusive ? 'drawdown' : undefined);
  }
});

test('without thresholds there is no floor, without an end no reset, without snapshots nothing', () => {
  const desk = new LiveDesk([{ period: 'lifetime' }]);
  assert.equal(roomOf(desk), undefined);
  desk.see('2026-03-02 10:00', 10_000, 9500);
  const room = roomOf(desk);
  assert.deepEqual(
    [room?.floor, room?.target, room?.used, room?.resetUtcMs, room?.endTimeMs],
    [undefined, undefined, undefined, undefined, undefined],
  );
});

test('an account without money has no relative floor until it is funded', () => {
  const parts: Partial<TrackerDefinition> = { ...LIMITS, period: 'lifetime' };
  const desk = new LiveDesk([parts]);
  desk.see('2026-03-02 10:00', 0, 0);
  assert.equal(roomOf(desk)?.floor, undefined);
  desk.book(deposit('2026-03-02 11:00', 10_000));
  assert.deepEqual([roomOf(desk)?.floor, roomOf(desk)?.toFloor], [usd(9500), usd(500)]);
});
