import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deal } from '../deal.ts';
import { buy, dealOf, deposit, sell } from '../trades/deals.fixture.ts';
import { metricsOf } from './account-metrics.ts';
import { foldAll, metricsOfDeals } from './metrics.fixture.ts';
import { withOpenResult } from './open-result.ts';
import { DAY, HOUR } from './trades.fixture.ts';

const MINUTES_A_DAY = 1440;
const hour = (hours: number) => ({ minute: hours * 60 });

/** A deposit, a won long position, a lost short one, a withdrawal and a charge. */
const SMALL = [
  deposit('1', 10_000, hour(0)),
  buy('2', 1, 1.1, { positionId: 'a', commission: -10, ...hour(1) }),
  sell('3', 1, 1.1005, { positionId: 'a', profit: 515, swap: -5, ...hour(2) }),
  sell('4', 1, 1.1, { positionId: 'b', entry: 'DEAL_ENTRY_IN', ...hour(24) }),
  buy('5', 1, 1.103, {
    ...{ positionId: 'b', entry: 'DEAL_ENTRY_OUT', profit: -289, commission: -10, fee: -1 },
    ...hour(26),
  }),
  deposit('6', -200, hour(27)),
  dealOf({ id: '7', type: 'DEAL_TYPE_CHARGE', profit: -100, ...hour(48) }),
];

test('the statistics of a small account', () => {
  const metrics = metricsOfDeals(SMALL, 3 * DAY + HOUR);
  const { balance, profit, netProfit, deposits, withdrawals, gain, absoluteGain } = metrics;
  assert.deepEqual(
    { balance, profit, netProfit, deposits, withdrawals, gain, absoluteGain },
    {
      ...{ balance: 99_000_000, profit: 1_000_000, netProfit: 2_000_000 },
      ...{ deposits: 100_000_000, withdrawals: 2_000_000, gain: 0.98, absoluteGain: 1 },
    },
  );
  const { trades, won, lost, wonPercent, profitFactor, commission, swap, fee } = metrics;
  assert.deepEqual(
    { trades, won, lost, wonPercent, profitFactor, commission, swap, fee },
    {
      ...{ trades: 2, won: 1, lost: 1, wonPercent: 50, profitFactor: 500 / 300 },
      ...{ commission: -200_000, swap: -50_000, fee: -10_000 },
    },
  );
  assert.equal(metrics.longTrades.won, 1);
  assert.equal(metrics.shortTrades.lost, 1);
  assert.equal(metrics.volume, 200_000_000);
  assert.deepEqual([metrics.pips, metrics.wonPips, metrics.lostPips], [-25, 5, -30]);
  assert.deepEqual([metrics.averagePips, metrics.averageLossPips], [-12.5, -30]);
  // The index falls by 10/10000 first, and later by 300/10500, then by 100/10000.
  assert.deepEqual(metrics.drawdown, {
    ...{ absolute: 100_000, maximal: 4_000_000, maximalPercent: 3.82857143 },
  });
  assert.equal(metrics.recoveryFactor, 0.25);
  assert.equal(metrics.standardDeviation, 4_000_000);
  assert.equal(metrics.holdingTimes.won?.averageMs, HOUR);
  assert.equal(metrics.highestBalance, 105_000_000);
  assert.equal(metrics.highestBalanceTimeMs, 2 * HOUR);
  assert.equal(metrics.sharpeRatio, undefined);
});

test("the terminal's drawdown starts with the money before the first trade", () => {
  // 100 in, 50 out before: 100 by the terminals; then −20, +60, later money in, −70.
  const { balanceDrawdown } = metricsOfDeals([
    deposit('1', 100, hour(0)),
    deposit('2', -50, hour(1)),
    sell('3', 1, 1, { positionId: 'a', profit: -20, ...hour(2) }),
    sell('4', 1, 1, { positionId: 'b', profit: 60, ...hour(3) }),
    deposit('5', 1000, hour(4)),
    sell('6', 1, 1, { positionId: 'c', profit: -70, ...hour(5) }),
  ]);
  assert.deepEqual(balanceDrawdown, {
    ...{ absolute: 300_000, maximal: 700_000, maximalPercent: 50 },
    ...{ relative: 700_000, relativePercent: 50 },
  });
});

test('ratios of risk begin with the thirtieth closed position', () => {
  const ratios = (count: number) => {
    const closed = Array.from({ length: count }, (_, index) =>
      sell(`${index + 2}`, 1, 1, {
        ...{ positionId: `p${index}`, profit: index % 3 === 0 ? -50 : 40 },
        minute: index,
      }),
    );
    const metrics = metricsOfDeals([deposit('1', 1000), ...closed]);
    return [metrics.sharpeRatio, metrics.sortinoRatio, metrics.zScore, metrics.kurtosisProfit];
  };
  assert.deepEqual(ratios(29), [undefined, undefined, undefined, undefined]);
  assert.ok(ratios(30).every((ratio) => Number.isFinite(ratio)));
});

test('an account without deals has no figures', () => {
  const metrics = metricsOfDeals([]);
  assert.equal(metrics.balance, 0);
  assert.equal(metrics.gain, 0);
  assert.equal(metrics.absoluteGain, undefined);
  assert.equal(metrics.wonPercent, undefined);
  assert.equal(metrics.dailyGain, undefined);
  assert.deepEqual(metrics.riskOfRuin, []);
  assert.deepEqual(metrics.daily, []);
});

test('gain by time: of days, of months of 30.44 days, of years from 30 days on', () => {
  const doubled = (days: number): Deal[] => [
    deposit('1', 100),
    buy('2', 1, 1, { positionId: 'a' }),
    sell('3', 1, 2, { positionId: 'a', profit: 100, minute: (days - 1) * MINUTES_A_DAY }),
  ];
  const near = (actual: number | undefined, expected: number) =>
    assert.ok(Math.abs((actual ?? Number.NaN) - expected) < 1e-6, `${actual}, not ${expected}`);
  const tenDays = metricsOfDeals(doubled(10));
  near(tenDays.dailyGain, 100 * (2 ** (1 / 10) - 1));
  assert.equal(tenDays.monthlyGain, 100);
  assert.equal(tenDays.cagr, undefined);
  const twoYears = metricsOfDeals(doubled(730));
  near(twoYears.monthlyGain, 100 * (2 ** (365.25 / 12 / 730) - 1));
  near(twoYears.cagr, 100 * (2 ** (365.25 / 730) - 1));
  assert.equal(twoYears.mar, undefined);
});

test('open positions count as realised now on request', () => {
  const folded = foldAll(SMALL);
  const plain = metricsOf({ ...folded, nowMs: 5 * DAY });
  const open = metricsOf({ ...withOpenResult(folded, -990_000, 5 * DAY), nowMs: 5 * DAY });
  assert.equal(open.profit, plain.profit - 990_000);
  assert.equal(open.gain, Number(((1.0098 * 0.99 - 1) * 100).toFixed(8)));
  assert.equal(open.drawdown.maximal, plain.drawdown.maximal + 990_000);
  assert.equal(open.trades, plain.trades);
  assert.equal(open.daily.length, plain.daily.length + 1);
  assert.equal(open.highestBalance, plain.highestBalance);
  // The fold itself is unchanged.
  assert.deepEqual(metricsOf({ ...folded, nowMs: 5 * DAY }), plain);
  const onLastDay = metricsOf({ ...withOpenResult(folded, 10_000, 0), nowMs: 0 });
  assert.equal(onLastDay.daily.length, plain.daily.length);
  assert.equal(onLastDay.daily.at(-1)?.profit, -990_000);
});
