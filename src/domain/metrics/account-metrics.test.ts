import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/properties.ts';
import { metricsOf } from './account-metrics.ts';
import { closedTrade, DAY, HOUR, transfer } from './trades.fixture.ts';

const SHORT = { type: 'DEAL_TYPE_SELL' } as const;

test('the statistics of a small account', () => {
  const trades = [
    transfer(10_000, 0),
    closedTrade(500, HOUR, { swap: -5, commission: -10, pips: 5, openTimeMs: 0 }),
    closedTrade(-300, DAY, { ...SHORT, commission: -10, fee: -1, openTimeMs: DAY - HOUR }),
    transfer(-200, DAY + HOUR),
    closedTrade(-100, 2 * DAY, { type: 'DEAL_TYPE_CHARGE', symbol: undefined, volume: 0 }),
  ];
  const metrics = metricsOf({ trades, balanceBefore: 0, balance: 9900, nowMs: 3 * DAY });
  const { balance, profit, netProfit, deposits, withdrawals, gain, absoluteGain } = metrics;
  assert.deepEqual(
    { balance, profit, netProfit, deposits, withdrawals, gain, absoluteGain },
    {
      ...{ balance: 9900, profit: 100, netProfit: 200, deposits: 10_000, withdrawals: 200 },
      ...{ gain: 0.98, absoluteGain: 1 },
    },
  );
  const { trades: count, won, lost, wonPercent, profitFactor, commission, swap, fee } = metrics;
  assert.deepEqual(
    { count, won, lost, wonPercent, profitFactor, commission, swap, fee },
    {
      ...{ count: 2, won: 1, lost: 1, wonPercent: 50, profitFactor: 500 / 300 },
      ...{ commission: -20, swap: -5, fee: -1 },
    },
  );
  assert.equal(metrics.longTrades.won, 1);
  assert.equal(metrics.shortTrades.lost, 1);
  assert.equal(metrics.volume, 200_000_000);
  assert.equal(metrics.pips, 5);
  assert.equal(metrics.averagePips, 5);
  // The index falls by 300/10500, then by 100/10000.
  assert.deepEqual(metrics.drawdown, { absolute: 0, maximal: 400, maximalPercent: 3.82857143 });
  assert.equal(metrics.recoveryFactor, 0.25);
  assert.equal(metrics.standardDeviation, 400);
  assert.equal(metrics.holdingTimes.won?.averageMs, HOUR);
  assert.equal(metrics.daysSinceFirstTrade, 3);
  assert.equal(metrics.sharpeRatio, undefined);
});

test('ratios of risk begin with the thirtieth closed position', () => {
  const trades = Array.from({ length: 30 }, (_, index) =>
    closedTrade(index % 3 === 0 ? -50 : 40, index),
  );
  const ratios = (count: number) => {
    const input = { balanceBefore: 1000, balance: 0, nowMs: 0 };
    const metrics = metricsOf({ ...input, trades: trades.slice(0, count) });
    return [metrics.sharpeRatio, metrics.sortinoRatio, metrics.zScore];
  };
  assert.deepEqual(ratios(29), [undefined, undefined, undefined]);
  assert.ok(ratios(30).every((ratio) => Number.isFinite(ratio)));
});

test('an account without trades has its balance and no more', () => {
  const metrics = metricsOf({ trades: [], balanceBefore: 0, balance: 5, nowMs: 0 });
  assert.equal(metrics.balance, 5);
  assert.equal(metrics.gain, 0);
  assert.equal(metrics.absoluteGain, undefined);
  assert.equal(metrics.wonPercent, undefined);
  assert.deepEqual(metrics.daily, []);
});

const anyHistory = fc.array(
  fc.record({
    profit: fc.integer({ min: -2000, max: 2000 }),
    type: fc.constantFrom(
      ...(['DEAL_TYPE_BUY', 'DEAL_TYPE_SELL', 'DEAL_TYPE_BALANCE'] as const),
      ...(['DEAL_TYPE_CREDIT', 'DEAL_TYPE_INTEREST'] as const),
    ),
    pips: fc.option(fc.integer({ min: -99, max: 99 }), { nil: undefined }),
  }),
  { maxLength: 60 },
);

test('no figure of any history is infinite, null or no number', () => {
  fc.assert(
    fc.property(anyHistory, (lines) => {
      const trades = lines.map(({ profit, ...more }, index) => closedTrade(profit, index, more));
      assertNumbers(metricsOf({ trades, balanceBefore: 0, balance: 0, nowMs: 0 }), 'metrics');
    }),
  );
});

function assertNumbers(value: unknown, path: string): void {
  assert.notEqual(value, null, path);
  if (typeof value === 'number')
    assert.ok(Number.isFinite(value) && !Object.is(value, -0), `${path} is ${value}`);
  else if (typeof value === 'object' && value !== null)
    for (const [key, each] of Object.entries(value)) assertNumbers(each, `${path}.${key}`);
}

test('groups, days and months hold the sums of the whole', () => {
  fc.assert(
    fc.property(anyHistory, (lines) => {
      const trades = lines.map(({ profit, ...more }, index) =>
        closedTrade(profit, index * 17 * HOUR, more),
      );
      const metrics = metricsOf({ trades, balanceBefore: 0, balance: 0, nowMs: 0 });
      const total = (rows: { profit: number }[]) => rows.reduce((sum, row) => sum + row.profit, 0);
      const { bySymbol, byWeekday, byOpenHour, byCloseHour, daily, monthly } = metrics;
      for (const groups of [bySymbol, byWeekday, byOpenHour, byCloseHour])
        assert.equal(total(groups), metrics.netProfit);
      assert.equal(total(daily), metrics.profit);
      assert.equal(total(monthly), metrics.profit);
    }),
  );
});

test('scaling all money leaves every ratio alone', () => {
  fc.assert(
    fc.property(anyHistory, (lines) => {
      const metricsAt = (scale: number) => {
        const trades = lines.map(({ profit, ...more }, index) =>
          closedTrade(profit * scale, index, more),
        );
        return metricsOf({ trades, balanceBefore: 1000 * scale, balance: 0, nowMs: 0 });
      };
      const [one, four] = [metricsAt(1), metricsAt(4)];
      for (const key of ['gain', 'absoluteGain', 'profitFactor', 'sharpeRatio', 'zScore'] as const)
        assert.equal(four[key], one[key], key);
      assert.equal(four.drawdown.maximalPercent, one.drawdown.maximalPercent);
      assert.equal(four.drawdown.maximal, 4 * one.drawdown.maximal);
    }),
  );
});
