import assert from 'node:assert/strict';
import { test } from 'node:test';
import { winLossOf } from './win-loss.ts';

test('counts, sums and averages of won and lost trades', () => {
  assert.deepEqual(winLossOf([300, -100, 0, 200, -50]), {
    ...{ trades: 5, won: 2, lost: 3, wonPercent: 40, lostPercent: 60 },
    ...{ grossProfit: 500, grossLoss: -150, netProfit: 350, profitFactor: 500 / 150 },
    ...{ expectancy: 70, averageWin: 250, averageLoss: -50, largestWin: 300, largestLoss: -100 },
  });
});

test("in the terminals' reports zero is a win", () => {
  const { won, lost, averageWin } = winLossOf([300, -100, 0], 'not-negative');
  assert.deepEqual({ won, lost, averageWin }, { won: 2, lost: 1, averageWin: 150 });
});

test('averages are whole units of money', () => {
  assert.equal(winLossOf([100, 101, 100]).expectancy, 100);
  assert.equal(winLossOf([-1, -2]).averageLoss, -2);
});

test('nothing is defined of no trades, and no profit factor without a loss', () => {
  assert.deepEqual(winLossOf([]), {
    ...{ trades: 0, won: 0, lost: 0, grossProfit: 0, grossLoss: 0, netProfit: 0 },
    ...{ wonPercent: undefined, lostPercent: undefined, profitFactor: undefined },
    ...{ expectancy: undefined, averageWin: undefined, averageLoss: undefined },
    ...{ largestWin: undefined, largestLoss: undefined },
  });
  assert.equal(winLossOf([5]).profitFactor, undefined);
});
