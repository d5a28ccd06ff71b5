import assert from 'node:assert/strict';
import { test } from 'node:test';
import { streaksOf } from './streaks.ts';

test('the longest and the richest runs are separate', () => {
  assert.deepEqual(streaksOf([10, 20, 30, -5, -5, 500, -400, 1]), {
    longestWin: { count: 3, money: 60 },
    longestLoss: { count: 2, money: -10 },
    largestWin: { count: 1, money: 500 },
    largestLoss: { count: 1, money: -400 },
    averageWins: 5 / 3,
    averageLosses: 1.5,
  });
});

test('of runs of one length the one with more money counts', () => {
  assert.deepEqual(streaksOf([1, 1, -1, 9, 9, -1, 2, 2]).longestWin, { count: 2, money: 18 });
  assert.deepEqual(streaksOf([-1, 5, -7, 5, -2]).longestLoss, { count: 1, money: -7 });
});

test('of runs with equal money the longer one counts', () => {
  assert.deepEqual(streaksOf([10, -1, 5, 5, -1, 10]).largestWin, { count: 2, money: 10 });
});

test('a zero ends a run of wins, or not, as the rule says', () => {
  assert.equal(streaksOf([1, 0, 1]).longestWin.count, 1);
  assert.equal(streaksOf([1, 0, 1], 'not-negative').longestWin.count, 3);
});

test('without trades there are no runs', () => {
  const none = { count: 0, money: 0 };
  assert.deepEqual(streaksOf([]), {
    ...{ longestWin: none, longestLoss: none, largestWin: none, largestLoss: none },
    ...{ averageWins: undefined, averageLosses: undefined },
  });
});
