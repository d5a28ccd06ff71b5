import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closed, EnrolmentDesk, phaseOf } from '../../../test/simulation/enrolment-desk.ts';
import { ATHENS_CLOCK, deposit, usd } from '../../../test/simulation/live-desk.ts';
import { checkPhase } from './check-program.ts';
import type { Phase, Rule } from './program-definition.ts';

const DAY_END: Rule & { kind: 'dailyLoss' } = {
  kind: 'dailyLoss',
  amount: usd(1000),
  judged: 'dayEnd',
};
const deskOf = (more: Partial<typeof DAY_END> = {}, phase: Partial<Phase> = {}): EnrolmentDesk =>
  new EnrolmentDesk(phaseOf([{ ...DAY_END, ...more }], [], phase));

test('only the last snapshot of a day breaks the limit, once a later one shows that it was', () => {
  const desk = deskOf();
  desk.see('2026-03-02 10:00', 100_000, 90_000);
  desk.see('2026-03-02 23:59', 100_000, 99_000);
  desk.see('2026-03-03 00:00', 100_000, 90_000);
  assert.equal(desk.state, 'running');
  desk.see('2026-03-03 23:59:59', 100_000, 98_999.99);
  assert.deepEqual([desk.state, desk.events.length], ['running', 0]);
  desk.see('2026-03-04 00:00', 100_000, 100_000);
  assert.equal(desk.state, 'failed dailyLoss 2026-03-04 00:00');
  const [event] = desk.events;
  assert.equal(event?.timeMs, Date.UTC(2026, 2, 3, 23, 59, 59));
  assert.deepEqual([event?.baseline, event?.equity], [usd(100_000), usd(98_999.99)]);
  assert.equal(event?.absoluteDrawdown, usd(1000.01));
  const [failed] = desk.effects.transitions;
  assert.equal(failed?.breach?.startTimeMs, event?.startTimeMs);
  const statistics = desk.completed.find(({ thresholdExceeded }) => thresholdExceeded);
  assert.equal(statistics?.startTimeMs, Date.UTC(2026, 2, 3));
});

test('the day ends by the reset clock, through a change of summer time', () => {
  const resetClock = { zone: 'Europe/Prague', time: '00:00' };
  // In Athens midnight in Prague is always 01:00, but on the day of the change 23 hours later.
  const phase = phaseOf([DAY_END], [], { resetClock });
  const desk = new EnrolmentDesk(phase, 100_000, ATHENS_CLOCK);
  desk.see('2026-03-29 01:00', 100_000, 100_000);
  desk.see('2026-03-30 00:59', 100_000, 98_000);
  assert.equal(desk.state, 'running');
  desk.see('2026-03-30 01:00', 100_000, 98_000);
  assert.equal(desk.state, 'failed dailyLoss 2026-03-30 01:00');
});

test('a day without a snapshot is not judged, nor is the one that a pause ends', () => {
  const desk = deskOf();
  desk.see('2026-03-02 10:00', 100_000, 100_000);
  desk.see('2026-03-05 10:00', 98_000, 98_000, [closed('2026-03-03 10:00', -2000)]);
  assert.equal(desk.state, 'running');
  const paused = deskOf();
  paused.see('2026-03-02 10:00', 100_000, 98_000);
  paused.pause('2026-03-02 11:00');
  paused.resume('2026-03-02 12:00');
  paused.see('2026-03-03 10:00', 100_000, 98_000);
  assert.equal(paused.state, 'running');
});

test('a deal of the day that the last snapshot lacks changes nothing', () => {
  const desk = deskOf();
  desk.see('2026-03-02 10:00', 100_000, 100_000);
  desk.see('2026-03-02 23:00', 100_000, 98_000);
  const late = deposit('2026-03-02 23:30', 5000);
  desk.see('2026-03-03 10:00', 105_000, 103_000, [late]);
  assert.equal(desk.state, 'failed dailyLoss 2026-03-03 10:00');
  assert.equal(desk.events[0]?.absoluteDrawdown, usd(2000));
});

test('a withdrawal that becomes known later takes the breach back', () => {
  const desk = deskOf({ onBreach: 'record', failsAt: 2 });
  desk.see('2026-03-02 10:00', 100_000, 100_000);
  desk.see('2026-03-02 23:00', 98_000, 98_000);
  desk.see('2026-03-03 10:00', 98_000, 98_000);
  assert.equal(desk.progress?.rules[0]?.breaches, 1);
  desk.book(deposit('2026-03-02 22:59:30', -2000));
  assert.equal(desk.progress?.rules[0]?.breaches, 0);
  const [revision] = desk.effects.revisions;
  assert.deepEqual([revision?.stillExceeded, revision?.absoluteDrawdown], [false, 0]);
});

test('a snapshot that comes late is the last of its day', () => {
  const desk = deskOf({ onBreach: 'record', failsAt: 2 });
  desk.see('2026-03-02 10:00', 100_000, 100_000);
  desk.see('2026-03-02 22:00', 100_000, 98_000);
  desk.see('2026-03-03 00:00', 100_000, 98_000);
  assert.equal(desk.progress?.rules[0]?.breaches, 1);
  desk.see('2026-03-02 23:59', 100_000, 99_500);
  assert.equal(desk.progress?.rules[0]?.breaches, 0);
});

test('so it is while a movement of the balance still waits for its deal', () => {
  const desk = deskOf({ onBreach: 'record', failsAt: 2 });
  desk.see('2026-03-02 10:00', 100_000, 100_000);
  desk.see('2026-03-02 11:00', 99_900, 99_900);
  desk.see('2026-03-02 22:00', 99_900, 98_000);
  desk.see('2026-03-03 00:00', 99_900, 98_000);
  assert.equal(desk.progress?.rules[0]?.breaches, 1);
  desk.see('2026-03-02 23:59', 99_900, 99_500);
  assert.equal(desk.progress?.rules[0]?.breaches, 0);
});

test('the day warns as it goes on, whether or not its end breaks the limit', () => {
  const desk = deskOf({ warnAt: 0.8, measured: 'balance' });
  desk.see('2026-03-02 10:00', 100_000, 100_000);
  desk.see('2026-03-02 11:00', 99_200, 90_000, [closed('2026-03-02 11:00', -800)]);
  desk.see('2026-03-02 12:00', 98_000, 98_000, [closed('2026-03-02 12:00', -1200)]);
  assert.deepEqual(
    desk.events.map(({ warnAt, absoluteDrawdown }) => [warnAt, absoluteDrawdown]),
    [[0.8, usd(800)]],
  );
  assert.ok((desk.progress?.rules[0]?.room?.used ?? 0) > 1);
});

test('a day’s end has no wait for deals, and no platform that could confirm it', () => {
  const faultsOf = (more: Partial<typeof DAY_END>) =>
    checkPhase(phaseOf([{ ...DAY_END, ...more }]), 'p').map(({ parameter }) => parameter);
  const action = { action: 'disableTrading' } as const;
  assert.deepEqual(faultsOf({ actions: [{ ...action, confirm: 'person' }] }), []);
  assert.deepEqual(faultsOf({ actions: [action] }), ['p.rules[0].judged']);
  assert.deepEqual(faultsOf({ settleSeconds: 5 }), ['p.rules[0].judged']);
});
