import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brokerDateMs } from '../broker-time.ts';
import type { Trade } from '../trade.ts';
import {
  addToGroup,
  type GroupSums,
  groupOf,
  groupsFrom,
  hourOf,
  weekdayOf,
} from './trade-groups.ts';
import { closedTrade, DAY, HOUR } from './trades.fixture.ts';

const LOT = 100_000_000;
const SUNDAY = brokerDateMs(2026, 11, 15);

function bySymbol(trades: readonly Trade[]) {
  const sums: GroupSums<string> = new Map();
  for (const trade of trades) addToGroup(groupOf(sums, trade.symbol ?? ''), trade);
  return groupsFrom(sums);
}

test('groups are in the order of their keys', () => {
  const trades = [
    closedTrade(30, 1, { symbol: 'USDJPY', pips: 0.1 }),
    closedTrade(-10, 2, { symbol: 'ACME', pips: undefined }),
    closedTrade(-5, 3, { symbol: 'USDJPY', pips: 0.2 }),
  ];
  const figures = bySymbol(trades).map((group) => [
    ...[group.key, group.trades, group.won, group.wonPercent, group.profit, group.volume],
    ...[group.pips, group.lost, group.lostProfit, group.averageWin, group.profitFactor],
  ]);
  assert.deepEqual(figures, [
    ['ACME', 1, 0, 0, -10, LOT, undefined, 1, -10, undefined, 0],
    ['USDJPY', 2, 1, 50, 25, 2 * LOT, 0.3, 1, -5, 30, 6],
  ]);
});

test('Sunday is weekday 0, also before 1970', () => {
  const times = [SUNDAY, SUNDAY + DAY - 1, SUNDAY + 6 * DAY, -4 * DAY];
  assert.deepEqual(times.map(weekdayOf), [0, 0, 6, 0]);
});

test('hours are those of the broker, also before 1970', () => {
  assert.equal(hourOf(SUNDAY + 23.9 * HOUR), 23);
  assert.equal(hourOf(-1), 23);
});

test('pips add up exactly', () => {
  const tenths = Array.from({ length: 10 }, (_, index) => closedTrade(1, index, { pips: 0.1 }));
  assert.equal(bySymbol(tenths)[0]?.pips, 1);
});
