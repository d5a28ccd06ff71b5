import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buy, deposit, sell } from '../trades/deals.fixture.ts';
import { reportFigures } from './report-figures.ts';

const M = 10_000;

const p5Deals = [
  deposit('1', 1000),
  deposit('2', -100, { minute: 1 }),
  buy('3', 1, 1.1, { positionId: '7', commission: -2, minute: 2 }),
  sell('4', 0.5, 1.2, { positionId: '7', profit: 50, minute: 3 }),
  deposit('5', 500, { minute: 4 }),
  sell('6', 0.5, 1.0, { positionId: '7', profit: -40, swap: -1, minute: 5 }),
  sell('8', 1, 1.1, { positionId: '9', entry: 'DEAL_ENTRY_IN', minute: 6 }),
  buy('10', 1, 1.1, { positionId: '9', entry: 'DEAL_ENTRY_OUT', minute: 7 }),
];

test('a trade of p5 is a closing deal, a long one when it sells, won also at zero', () => {
  const { trades, won, lost, longTrades, shortTrades } = reportFigures(p5Deals, 'p5');
  assert.deepEqual({ trades, won, lost }, { trades: 3, won: 2, lost: 1 });
  assert.deepEqual([longTrades.trades, longTrades.won], [2, 1]);
  assert.deepEqual([shortTrades.trades, shortTrades.won], [1, 1]);
});

test('gross figures of p5 include commissions on entry, trades do not', () => {
  const figures = reportFigures(p5Deals, 'p5');
  const { grossProfit, grossLoss, netProfit, averageWin, averageLoss, largestLoss } = figures;
  assert.deepEqual(
    [grossProfit, grossLoss, netProfit, averageWin, averageLoss, largestLoss],
    [50 * M, -43 * M, 7 * M, 25 * M, -43 * M, -41 * M],
  );
});

test('the balance of p5 starts with the deposits before trading and ignores all others', () => {
  // 1000, 998, 1048, 1007, 1007: neither the early withdrawal nor the late deposit counts.
  const { drawdown, recoveryFactor, averageHoldingPeriodReturn } = reportFigures(p5Deals, 'p5');
  assert.equal(drawdown.absolute, 2 * M);
  assert.equal(drawdown.maximal, 41 * M);
  assert.equal(drawdown.maximalPercent, (41 / 1048) * 100);
  assert.equal(recoveryFactor, 7 / 41);
  const ratios = [1048 / 998, 1007 / 1048, 1];
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / 3;
  assert.equal(averageHoldingPeriodReturn?.toFixed(12), mean.toFixed(12));
});

test('a trade of p4 is a ticket with all its money, by closing time and then by number', () => {
  const ticket = (id: string, profit: number, minute: number) => [
    buy(`${id}-in`, 1, 1.1, { positionId: id, commission: -1, minute: 1 }),
    sell(`${id}-out`, 1, 1.2, { positionId: id, profit, minute }),
  ];
  // 9 closes before 10 in the same minute: wins of 5 and 3, then losses of 6 and 4.
  const deals = [ticket('10', -5, 9), ticket('9', 4, 9), ticket('8', 6, 5), ticket('11', -3, 9)];
  const figures = reportFigures(
    [deposit('1', 100), deposit('2', -20, { minute: 0.5 }), ...deals.flat()],
    'p4',
    120 * M,
  );
  assert.equal(figures.grossProfit, 8 * M);
  assert.equal(figures.grossLoss, -10 * M);
  assert.deepEqual(figures.streaks.longestWin, { count: 2, money: 8 * M });
  assert.deepEqual(figures.streaks.longestLoss, { count: 2, money: -10 * M });
  // 200 carried in and deposited, 205, 208, 202, 198.
  assert.equal(figures.drawdown.absolute, 2 * M);
  assert.equal(figures.drawdown.maximalPercent, (10 / 208) * 100);
});

test('a report without trades has no figures', () => {
  const figures = reportFigures([deposit('1', 30)], 'p5');
  assert.equal(figures.trades, 0);
  assert.equal(figures.zScore, undefined);
  assert.equal(figures.sharpeRatio, undefined);
  assert.equal(figures.drawdown.maximal, 0);
});
