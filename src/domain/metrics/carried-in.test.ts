import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deal } from '../deal.ts';
import type { Trade } from '../trade.ts';
import { foldBalanceMark } from '../trades/balance-mark.ts';
import { buy, deposit, sell } from '../trades/deals.fixture.ts';
import { createTradeState, foldTradeDeal } from '../trades/trade-state.ts';
import { drawdownFrom } from './balance-drawdown.ts';
import { book, createMetricsState, foldMetrics } from './metrics-state.ts';

/** Folds deals, and the balance that a report carries in before the one at `place`. */
function foldWith(balance: number, place: number, deals: readonly Deal[]) {
  const [state, metrics] = [createTradeState(), createMetricsState()];
  const trades: Trade[] = [];
  for (const [index, deal] of deals.entries()) {
    if (index === place)
      for (const line of foldBalanceMark(state, { timeMs: deal.timeMs, balance }))
        book(metrics, { timeMs: line.closeTimeMs, type: line.type, money: line.profit }, true);
    const closed = foldTradeDeal(state, deal);
    foldMetrics(metrics, deal, closed);
    trades.push(...closed);
  }
  return { trades, drawdown: drawdownFrom(metrics.course) };
}

const at = (positionId: string, minute: number, more = {}) => ({ positionId, minute, ...more });

test('a balance carried in was there for positions that were open by then', () => {
  const { trades, drawdown } = foldWith(1000_0000, 2, [
    buy('1', 1, 1.1, at('a', 1, { stopLoss: 1.099 })),
    buy('2', 1, 1.1, at('b', 2)),
    sell('3', 1, 1.099, at('a', 3, { profit: -100 })),
    sell('4', 1, 1.102, at('b', 4, { profit: 200 })),
  ]);
  assert.deepEqual(
    trades.map(({ gain, riskPercent }) => [gain, riskPercent]),
    [
      [-10, 10],
      [20, undefined],
    ],
  );
  assert.deepEqual([drawdown.maximal, drawdown.maximalPercent], [100_0000, 10]);
});

test('what is carried in after results is no start', () => {
  const { trades, drawdown } = foldWith(5000_0000, 4, [
    deposit('1', 1000),
    buy('2', 1, 1.1, at('a', 1)),
    sell('3', 1, 1.099, at('a', 2, { profit: -100 })),
    buy('4', 1, 1.1, at('b', 3)),
    sell('5', 1, 1.102, at('b', 4, { profit: 90 })),
  ]);
  assert.deepEqual(
    trades.map(({ gain }) => gain),
    [0, -10, 10],
  );
  assert.deepEqual([drawdown.maximal, drawdown.maximalPercent], [100_0000, 10]);
});
