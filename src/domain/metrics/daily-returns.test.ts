import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brokerDateMs, DAY_MS } from '../broker-time.ts';
import { dealOf, deposit, sell } from '../trades/deals.fixture.ts';
import { dailySeriesOf } from './daily-returns.ts';
import { foldAll } from './metrics.fixture.ts';

/** A Monday. */
const MONDAY = brokerDateMs(2026, 11, 2) / DAY_MS;
const on = (day: number) => ({ timeMs: (MONDAY + day) * DAY_MS });
const short = (returns: readonly { day: number; value: number }[]) =>
  returns.map(({ day, value }) => [day - MONDAY, Number(value.toFixed(9))]);
const whole = (money: number) => money * 10_000;

const { days } = foldAll([
  deposit('1', 1000, on(0)),
  sell('2', 1, 1, { profit: 100, ...on(1) }),
  deposit('3', 900, on(3)),
  sell('4', 1, 1, { profit: -200, ...on(3) }),
  // A Sunday, then the Tuesday after it.
  sell('5', 1, 1, { profit: 180, ...on(6) }),
  sell('6', 1, 1, { profit: -198, ...on(8) }),
]);

test('without equity the days have the returns of the balance, from the first result on', () => {
  const { returns, equitySinceDay } = dailySeriesOf(days, []);
  assert.equal(equitySinceDay, undefined);
  // Quiet weekdays count with 0, the quiet Saturday doesn't.
  assert.deepEqual(short(returns), [
    [1, 0.1],
    [2, 0],
    [3, -0.1],
    [4, 0],
    [6, 0.1],
    [7, 0],
    [8, -0.1],
  ]);
});

test('from its first day on the equity counts, without deposits', () => {
  const equityDays = [
    { day: MONDAY + 2, equity: whole(1210), transfers: 0 },
    // 900 came in: (1899 − 1210 − 900) / (1210 + 900)
    { day: MONDAY + 3, equity: whole(1899), transfers: whole(900) },
    // Friday has no equity: its return is in that of the next day.
    { day: MONDAY + 7, equity: whole(1899 * 1.1), transfers: 0 },
  ];
  const { returns, equitySinceDay } = dailySeriesOf(days, equityDays);
  assert.equal(equitySinceDay, MONDAY + 2);
  assert.deepEqual(short(returns), [
    [1, 0.1],
    [2, 0.1],
    [3, -0.1],
    [4, 0],
    [7, 0.1],
  ]);
});

test('a withdrawal is no loss, credit no gain', () => {
  const moved = foldAll([
    deposit('1', 1000, on(0)),
    deposit('2', -500, on(1)),
    dealOf({ id: '3', type: 'DEAL_TYPE_CREDIT', profit: 500, ...on(2) }),
  ]).days;
  const equityDays = [
    { day: MONDAY, equity: whole(1000), transfers: whole(1000) },
    { day: MONDAY + 1, equity: whole(550), transfers: whole(-500) },
    { day: MONDAY + 2, equity: whole(1050), transfers: whole(500) },
  ];
  // (550 − 1000 + 500) / 1000; then (1050 − 550 − 500) / 1050.
  assert.deepEqual(short(dailySeriesOf(moved, equityDays).returns), [
    [0, 0],
    [1, 0.05],
    [2, 0],
  ]);
});

test('equity of an account with unknown deals begins where it is first seen', () => {
  const equityDays = [500, 550].map((equity, day) => ({
    day: MONDAY + day,
    ...{ equity: whole(equity), transfers: 0 },
  }));
  assert.deepEqual(short(dailySeriesOf([], equityDays).returns), [
    [0, 0],
    [1, 0.1],
  ]);
});

test('a withdrawal after the last snapshot of a day belongs to the day whose equity shows it', () => {
  const moved = foldAll([deposit('1', 1000, on(0)), deposit('2', -500, on(1))]).days;
  const equityDays = [
    { day: MONDAY, equity: whole(1000), transfers: whole(1000) },
    { day: MONDAY + 1, equity: whole(1000), transfers: 0 },
    { day: MONDAY + 2, equity: whole(500), transfers: whole(-500) },
  ];
  assert.deepEqual(
    short(dailySeriesOf(moved, equityDays).returns).map(([, value]) => value),
    [0, 0, 0],
  );
});
