import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brokerDateMs } from '../broker-time.ts';
import { buy, dealOf, deposit, sell } from '../trades/deals.fixture.ts';
import { dailyGrowthOf, monthlyGrowthOf } from './calendar-growth.ts';
import { foldAll } from './metrics.fixture.ts';
import { periodGrowthOf } from './period-growth.ts';
import { DAY, HOUR } from './trades.fixture.ts';

const JANUARY_31 = brokerDateMs(2026, 1, 31);
const at = (timeMs: number) => ({ timeMs: JANUARY_31 + timeMs });
const { days } = foldAll([
  deposit('1', 1000, at(0)),
  buy('2', 1, 1.1, { positionId: 'a', commission: -5, ...at(HOUR) }),
  sell('3', 1, 1.101, { positionId: 'a', profit: 105, ...at(2 * HOUR) }),
  // Closed in part on one day, and the rest on the next.
  buy('4', 2, 1.1, { positionId: 'b', ...at(3 * HOUR) }),
  sell('5', 1, 1.09, { positionId: 'b', profit: -220, ...at(DAY - 1) }),
  deposit('6', -380, at(DAY)),
  sell('7', 1, 1.12, { positionId: 'b', profit: 250, ...at(DAY) }),
  dealOf({ id: '8', type: 'DEAL_TYPE_CHARGE', profit: -5, ...at(3 * DAY) }),
]);

const shown = (rows: ReturnType<typeof dailyGrowthOf>) =>
  rows.map(({ date, trades, pips, profit, gain, transfers, balance, totalProfit }) => [
    ...[date, trades, pips, profit / 1e4, gain, transfers / 1e4, balance / 1e4, totalProfit / 1e4],
  ]);

test('days begin at midnight of broker time and days without bookings are absent', () => {
  assert.deepEqual(shown(dailyGrowthOf(days)), [
    ['2026-01-31', 1, 10, -120, -12, 1000, 880, -120],
    ['2026-02-01', 1, 50, 250, 50, -380, 750, 130],
    ['2026-02-03', 0, undefined, -5, -0.66666667, 0, 745, 125],
  ]);
});

test('a day has its largest fall, and how far below its highest it ends', () => {
  const [first, second] = dailyGrowthOf(days);
  assert.deepEqual([first?.maximalFall, first?.fallPercent], [2_200_000, 20]);
  assert.deepEqual([second?.maximalFall, second?.fallPercent], [2_200_000, 0]);
});

test('months chain the gains of their days', () => {
  assert.deepEqual(shown(monthlyGrowthOf(days)), [
    ['2026-01', 1, 10, -120, -12, 1000, 880, -120],
    ['2026-02', 1, 50, 245, 49, -380, 745, 125],
  ]);
});

test('a day after a total loss has a gain of its own', () => {
  const ruined = foldAll([
    deposit('1', 10, at(0)),
    sell('2', 1, 1, { profit: -10, ...at(1) }),
    deposit('3', 100, at(DAY)),
    sell('4', 1, 1, { profit: 5, ...at(DAY + 1) }),
  ]);
  assert.deepEqual(
    dailyGrowthOf(ruined.days).map((day) => day.gain),
    [-100, 5],
  );
});

test('periods begin with the day, Monday, the month and the year', () => {
  // 2026-02-03 is a Tuesday; the trades of Saturday and Sunday are of the week before.
  const periods = periodGrowthOf(days, JANUARY_31 + 3 * DAY + HOUR);
  assert.equal(periods.today?.profit, -50_000);
  assert.equal(periods.thisWeek?.profit, -50_000);
  assert.deepEqual([periods.thisMonth?.profit, periods.thisMonth?.gain], [2_450_000, 49]);
  assert.deepEqual([periods.thisYear?.profit, periods.thisYear?.trades], [1_250_000, 2]);
  assert.deepEqual(periodGrowthOf(days, JANUARY_31 + 400 * DAY), {});
});
