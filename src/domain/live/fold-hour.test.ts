import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ATHENS_CLOCK,
  at,
  LiveDesk,
  NEW_YORK_CLOCK,
  usd,
} from '../../../test/simulation/live-desk.ts';
import { correctBucket, runningBucket } from './equity-bucket.ts';

const hours = (desk: LiveDesk) => desk.effects.closedBuckets;

test('an average holds each value until the next snapshot', () => {
  const desk = new LiveDesk();
  desk.see('2026-03-02 10:00', 1000, 1000);
  desk.see('2026-03-02 10:15', 1000, 400);
  desk.see('2026-03-02 10:45', 1200, 800);
  desk.see('2026-03-02 12:00', 5000, 5000);
  assert.deepEqual(hours(desk), [
    {
      accountId: 'account',
      startTimeMs: at('2026-03-02 10:00'),
      averageBalance: usd(1000),
      minBalance: usd(1000),
      maxBalance: usd(1200),
      averageEquity: usd((1000 * 15 + 400 * 30) / 45),
      minEquity: usd(400),
      maxEquity: usd(1000),
      startBalance: usd(1000),
      startEquity: usd(1000),
      lastBalance: usd(1200),
      lastEquity: usd(800),
      hasLateExtremes: false,
    },
  ]);
});

test('the running hour holds sums and duration up to its newest snapshot', () => {
  const desk = new LiveDesk();
  assert.equal(runningBucket(desk.account), undefined);
  desk.see('2026-03-02 10:10', 1000, 900);
  assert.equal(runningBucket(desk.account)?.averageEquity, usd(900));
  assert.equal(runningBucket(desk.account)?.durationMs, 0);
  desk.see('2026-03-02 10:10:01', 1100, 700);
  const running = runningBucket(desk.account);
  assert.equal(running?.timeMs, at('2026-03-02 10:10:01'));
  assert.equal(running.durationMs, 1000);
  assert.equal(running.balanceSum, usd(1000) * 1000);
  assert.equal(running.equitySum, usd(900) * 1000);
  assert.equal(running.averageBalance, usd(1000));
  assert.equal(running.lastEquity, usd(700));
});

test('over the edge of an hour a value holds for ten minutes at most', () => {
  const held = new LiveDesk();
  held.see('2026-03-02 10:55', 1000, 500);
  held.see('2026-03-02 11:05', 1000, 900);
  held.see('2026-03-02 11:10', 1000, 900);
  held.see('2026-03-02 12:59', 1000, 900);
  assert.equal(hours(held)[0]?.averageEquity, usd(500));
  assert.equal(hours(held)[1]?.minEquity, usd(500));
  assert.equal(hours(held)[1]?.averageEquity, usd(700));
  assert.equal(hours(held)[1]?.startEquity, usd(900));

  const gap = new LiveDesk();
  gap.see('2026-03-02 10:54:59.999', 1000, 500);
  gap.see('2026-03-02 11:05', 1000, 900);
  gap.see('2026-03-02 11:10', 1000, 900);
  assert.equal(runningBucket(gap.account)?.minEquity, usd(900));
  assert.equal(runningBucket(gap.account)?.durationMs, 300_000);
});

test('a held value fills the old hour to its end', () => {
  const desk = new LiveDesk();
  desk.see('2026-03-02 10:50', 1000, 100);
  desk.see('2026-03-02 10:55', 1000, 300);
  desk.see('2026-03-02 11:01', 1000, 900);
  assert.equal(hours(desk)[0]?.averageEquity, usd(200));
});

test('hours without snapshots do not exist', () => {
  const desk = new LiveDesk();
  desk.see('2026-03-02 10:55', 1000, 500);
  desk.see('2026-03-02 15:00', 1000, 900);
  desk.see('2026-03-02 16:00', 1000, 900);
  assert.deepEqual(
    hours(desk).map(({ startTimeMs }) => startTimeMs),
    [at('2026-03-02 10:00'), at('2026-03-02 15:00')],
  );
});

test('a late snapshot of the running hour changes its extremes only', () => {
  const desk = new LiveDesk();
  desk.see('2026-03-02 10:10', 1000, 1000);
  desk.see('2026-03-02 10:20', 1000, 1000);
  const before = runningBucket(desk.account);
  assert.equal(desk.see('2026-03-02 10:15', 900, 400), 'late');
  assert.deepEqual(runningBucket(desk.account), {
    ...before,
    minBalance: usd(900),
    minEquity: usd(400),
    hasLateExtremes: true,
  });
});

test('a late snapshot of a closed hour is a correction of its extremes only', () => {
  const desk = new LiveDesk();
  desk.see('2026-03-02 10:10', 1000, 1000);
  desk.see('2026-03-02 11:10', 1000, 1000);
  const running = runningBucket(desk.account);
  assert.equal(desk.see('2026-03-02 10:15', 1100, 1400), 'late');
  assert.deepEqual(runningBucket(desk.account), running);
  const [late] = desk.effects.lateBucketCorrections;
  assert.ok(late);
  const stored = hours(desk)[0];
  const corrected = correctBucket(stored, late);
  const wider = { maxBalance: usd(1100), maxEquity: usd(1400), hasLateExtremes: true };
  assert.deepEqual(corrected, { ...stored, ...wider });
  assert.deepEqual(correctBucket(corrected, late), corrected);
});

test('a late snapshot of an hour that was empty begins it', () => {
  const desk = new LiveDesk();
  desk.see('2026-03-02 12:10', 1000, 1000);
  desk.see('2026-03-02 10:15', 1100, 900);
  const [late] = desk.effects.lateBucketCorrections;
  assert.ok(late);
  const hour = correctBucket(undefined, late);
  assert.equal(hour.startTimeMs, at('2026-03-02 10:00'));
  assert.deepEqual(
    [hour.startBalance, hour.minBalance, hour.averageBalance, hour.maxBalance, hour.lastBalance],
    Array(5).fill(usd(1100)),
  );
  assert.deepEqual(
    [hour.startEquity, hour.minEquity, hour.averageEquity, hour.maxEquity, hour.lastEquity],
    Array(5).fill(usd(900)),
  );
});

test('an hour shown twice is one bucket whose average is weighted by UTC', () => {
  const desk = new LiveDesk([], ATHENS_CLOCK);
  desk.see('2026-10-25 03:00', 1000, 100);
  desk.see('2026-10-25 03:50', 1000, 500);
  desk.see('2026-10-25 03:00', 1000, 700); // ten minutes later
  desk.see('2026-10-25 03:30', 1000, 900);
  const running = runningBucket(desk.account);
  assert.equal(running?.durationMs, 90 * 60_000);
  assert.equal(running.averageEquity, usd((100 * 50 + 500 * 10 + 700 * 30) / 90));
  assert.equal(hours(desk).length, 0);
});

test('a wall clock that steps back over the edge of an hour stays in the running hour', () => {
  // Half an hour ahead of Athens: 04:30 goes back to 03:30.
  const desk = new LiveDesk([], { zone: 'Europe/Athens', shiftHours: 0.5 });
  desk.see('2026-10-25 03:59', 1000, 100);
  desk.see('2026-10-25 04:25', 1000, 100);
  assert.equal(desk.see('2026-10-25 03:35', 1000, 500), 'accepted');
  desk.see('2026-10-25 05:00', 1000, 100);
  assert.deepEqual(
    hours(desk).map(({ startTimeMs, maxEquity }) => [startTimeMs, maxEquity]),
    [
      [at('2026-10-25 03:00'), usd(100)],
      [at('2026-10-25 04:00'), usd(500)],
    ],
  );
});

test('a skipped hour has no bucket', () => {
  const desk = new LiveDesk([], NEW_YORK_CLOCK);
  desk.see('2026-03-08 08:59', 1000, 100);
  desk.see('2026-03-08 10:01', 1000, 300);
  desk.see('2026-03-08 11:00', 1000, 300);
  assert.deepEqual(
    hours(desk).map(({ startTimeMs }) => startTimeMs),
    [at('2026-03-08 08:00'), at('2026-03-08 10:00')],
  );
  // They are two minutes apart, so the value is held into the next hour.
  assert.equal(hours(desk)[1]?.minEquity, usd(100));
});

test('averages are rounded to units, halves up, also below zero', () => {
  const desk = new LiveDesk();
  desk.see('2026-03-02 10:00:00.000', 0.0001, -0.0001);
  desk.see('2026-03-02 10:00:00.001', 0, 0);
  desk.see('2026-03-02 10:00:00.002', 0, 0);
  assert.equal(runningBucket(desk.account)?.averageBalance, 1);
  assert.equal(runningBucket(desk.account)?.averageEquity, 0);
});

test('an hour that begins inside of a skipped half hour begins with the jump', () => {
  // From 02:00 the clock goes to 02:30.
  const desk = new LiveDesk([], { zone: 'Australia/Lord_Howe', shiftHours: 0 });
  desk.see('2026-10-04 01:50', 1000, 100);
  desk.see('2026-10-04 01:59', 1000, 300);
  desk.see('2026-10-04 02:31', 1000, 500);
  desk.see('2026-10-04 02:33', 1000, 500);
  assert.equal(hours(desk)[0]?.averageEquity, usd(100));
  assert.equal(runningBucket(desk.account)?.durationMs, 4 * 60_000);
  assert.equal(runningBucket(desk.account)?.averageEquity, usd(400));
});
