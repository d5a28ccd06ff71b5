import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brokerDateMs } from '../broker-time.ts';
import { dailyGrowthOf, monthlyGrowthOf } from './calendar-growth.ts';
import { growthOf } from './growth.ts';
import { maxDrawdownOf } from './max-drawdown.ts';
import { closedTrade, DAY, HOUR, transfer } from './trades.fixture.ts';

const JANUARY_31 = brokerDateMs(2026, 1, 31);
const course = growthOf(
  [
    transfer(1000, JANUARY_31),
    closedTrade(100, JANUARY_31 + HOUR),
    closedTrade(-220, JANUARY_31 + DAY - 1),
    transfer(-380, JANUARY_31 + DAY),
    closedTrade(250, JANUARY_31 + DAY),
    closedTrade(-5, JANUARY_31 + 3 * DAY, { type: 'DEAL_TYPE_CHARGE' }),
  ],
  0,
);

test('days begin at midnight of broker time and days without bookings are absent', () => {
  assert.deepEqual(dailyGrowthOf(course), [
    {
      date: '2026-01-31',
      trades: 2,
      profit: -120,
      gain: -12,
      belowPeak: 20,
      transfers: 1000,
      balance: 880,
    },
    {
      date: '2026-02-01',
      trades: 1,
      profit: 250,
      gain: 50,
      belowPeak: 20,
      transfers: -380,
      balance: 750,
    },
    {
      date: '2026-02-03',
      trades: 0,
      profit: -5,
      gain: -0.66666667,
      belowPeak: 0.66666667,
      transfers: 0,
      balance: 745,
    },
  ]);
});

test('months chain the gains of their days', () => {
  assert.deepEqual(monthlyGrowthOf(course), [
    {
      date: '2026-01',
      trades: 2,
      profit: -120,
      gain: -12,
      belowPeak: 20,
      transfers: 1000,
      balance: 880,
    },
    {
      date: '2026-02',
      trades: 1,
      profit: 245,
      gain: 49,
      belowPeak: 20,
      transfers: -380,
      balance: 745,
    },
  ]);
});

test('a day after a total loss has a gain of its own', () => {
  const ruined = growthOf(
    [transfer(10, 0), closedTrade(-10, 1), transfer(100, DAY), closedTrade(5, DAY + 1)],
    0,
  );
  assert.deepEqual(
    dailyGrowthOf(ruined).map((day) => day.gain),
    [-100, 5],
  );
});

test('the balance at the end of a day is that of its deals, also where nothing was closed', () => {
  const balances = [
    { dayStartMs: JANUARY_31, balance: 877 },
    { dayStartMs: JANUARY_31 + 2 * DAY, balance: 741 },
  ];
  assert.deepEqual(
    dailyGrowthOf(course, balances).map(({ date, trades, balance }) => [date, trades, balance]),
    [
      ['2026-01-31', 2, 877],
      ['2026-02-01', 1, 750],
      ['2026-02-02', 0, 741],
      ['2026-02-03', 0, 745],
    ],
  );
  assert.equal(monthlyGrowthOf(course, balances.slice(0, 1))[0]?.balance, 877);
});

test('the deepest fall of all days is that of the account', () => {
  const deepest = Math.max(...dailyGrowthOf(course).map(({ belowPeak }) => belowPeak));
  assert.equal(deepest, maxDrawdownOf(course).maximalPercent);
});

test('without a course there are no days', () => {
  assert.deepEqual(dailyGrowthOf([]), []);
});
