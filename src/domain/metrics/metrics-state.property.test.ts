import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/properties.ts';
import { DEAL_ENTRIES } from '../../words/deals.ts';
import { DAY_MS, formatBrokerTime, HOUR_MS } from '../broker-time.ts';
import { type Deal, isTradeDeal, moneyOf } from '../deal.ts';
import { tradesOf } from '../trades/trade-state.ts';
import { foldAll, metricsOfDeals } from './metrics.fixture.ts';
import { encodeMetricsState } from './metrics-state-codec.ts';

const money = fc.integer({ min: -500_000, max: 600_000 });

/** Days of deals in order; positions overlap, close in part, stay open. */
const anyDeals: fc.Arbitrary<Deal[]> = fc
  .array(
    fc.record({
      positionId: fc.constantFrom('3', '7', '12', '40'),
      type: fc.constantFrom(
        ...(['DEAL_TYPE_BUY', 'DEAL_TYPE_SELL', 'DEAL_TYPE_BUY', 'DEAL_TYPE_SELL'] as const),
        ...(['DEAL_TYPE_BALANCE', 'DEAL_TYPE_CREDIT', 'DEAL_TYPE_INTEREST'] as const),
      ),
      entry: fc.constantFrom(undefined, ...DEAL_ENTRIES),
      symbol: fc.constantFrom('EURUSD', 'USDJPY', '__proto__'),
      volume: fc.integer({ min: 0, max: 4 }).map((tenths) => tenths * 10_000_000),
      price: fc.integer({ min: 100_000, max: 120_000 }).map((points) => points / 100_000),
      ...{ profit: money, swap: money, commission: money, fee: money },
      pause: fc.nat({ max: 60 }).map((hours) => hours * HOUR_MS),
    }),
    { maxLength: 60, size: 'max' },
  )
  .map((deals) => {
    let timeMs = 0;
    return deals.map(({ pause, ...deal }, index) => {
      timeMs += pause;
      return { ...deal, id: String(index + 1), timeMs };
    });
  });

const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0);
const TRANSFERS = ['DEAL_TYPE_BALANCE'];

test('a fold that is written and read again at any place continues unchanged', () => {
  fc.assert(
    fc.property(anyDeals, fc.array(fc.nat({ max: 60 })), (deals, cuts) => {
      const whole = foldAll(deals);
      const parts = foldAll(deals, new Set(cuts));
      assert.equal(encodeMetricsState(parts.state), encodeMetricsState(whole.state));
      assert.deepEqual(parts.days, whole.days);
    }),
  );
});

test('money counts when it was booked: the definitions over all deals give the same', () => {
  fc.assert(
    fc.property(anyDeals, (deals) => {
      const metrics = metricsOfDeals(deals, 100 * DAY_MS);
      const inBalance = deals.filter(({ type }) => type !== 'DEAL_TYPE_CREDIT');
      const results = inBalance.filter(({ type }) => !TRANSFERS.includes(type));
      const transfers = inBalance.filter(({ type }) => TRANSFERS.includes(type)).map(moneyOf);
      assert.equal(metrics.balance, sum(inBalance.map(moneyOf)));
      assert.equal(metrics.profit, sum(results.map(moneyOf)));
      assert.equal(metrics.deposits, sum(transfers.filter((each) => each > 0)));
      assert.equal(metrics.withdrawals, -sum(transfers.filter((each) => each < 0)) || 0);
      assert.equal(metrics.commission, sum(deals.map((deal) => deal.commission)));
      const balances = inBalance.map((_, at) => sum(inBalance.slice(0, at + 1).map(moneyOf)));
      const moved = balances.filter((_, at) => moneyOf(inBalance[at] as Deal) !== 0);
      assert.equal(metrics.highestBalance, moved.length === 0 ? 0 : Math.max(...moved));
      const course = [0, ...results.map((_, at) => sum(results.slice(0, at + 1).map(moneyOf)))];
      const falls = course.map((low, at) => Math.max(...course.slice(0, at + 1)) - low);
      assert.equal(metrics.drawdown.maximal, Math.max(...falls));
      assert.equal(metrics.drawdown.absolute, -Math.min(...course) || 0);
    }),
  );
});

test('each day ends with the balance of its last deal, the last one with that of the account', () => {
  fc.assert(
    fc.property(anyDeals, (deals) => {
      const { daily, balance } = metricsOfDeals(deals);
      const inBalance = deals.filter(({ type }) => type !== 'DEAL_TYPE_CREDIT');
      for (const day of daily) {
        const until = inBalance.filter(
          ({ timeMs }) => formatBrokerTime(timeMs).slice(0, 10) <= day.date,
        );
        assert.equal(day.balance, sum(until.map(moneyOf)), day.date);
        const own = until.filter(({ timeMs }) => formatBrokerTime(timeMs).startsWith(day.date));
        assert.equal(day.profit + day.transfers, sum(own.map(moneyOf)), day.date);
      }
      assert.equal(daily.at(-1)?.balance ?? 0, daily.length === 0 ? 0 : balance);
    }),
  );
});

test('trades count, with all their money, when they close', () => {
  fc.assert(
    fc.property(anyDeals, (deals) => {
      const metrics = metricsOfDeals(deals);
      const trades = tradesOf(deals).filter(isTradeDeal);
      const profits = trades.map(({ profit }) => profit);
      assert.equal(metrics.trades, trades.length);
      assert.equal(metrics.netProfit, sum(profits));
      assert.equal(metrics.won, profits.filter((profit) => profit > 0).length);
      assert.equal(metrics.bestTrade?.profit, trades.length ? Math.max(...profits) : undefined);
      assert.equal(metrics.volume, sum(trades.map(({ volume }) => volume)));
      const pips = trades.flatMap((trade) => trade.pips ?? []);
      assert.equal(metrics.pips ?? 0, Math.round(sum(pips) * 10) / 10 || 0);
      const groups = [metrics.bySymbol, metrics.byWeekday, metrics.byOpenHour, metrics.byCloseHour];
      for (const group of groups)
        assert.equal(sum(group.map(({ profit }) => profit)), metrics.netProfit);
      for (const rows of [metrics.daily, metrics.monthly]) {
        assert.equal(sum(rows.map(({ profit }) => profit)), metrics.profit);
        assert.equal(sum(rows.map((row) => row.trades)), metrics.trades);
        assert.equal(sum(rows.map((row) => row.volume)), metrics.volume);
      }
    }),
  );
});

test('no figure of any history is infinite, null or no number', () => {
  fc.assert(fc.property(anyDeals, (deals) => assertNumbers(metricsOfDeals(deals, 0), 'metrics')));
});

function assertNumbers(value: unknown, path: string): void {
  assert.notEqual(value, null, path);
  if (typeof value === 'number')
    assert.ok(Number.isFinite(value) && !Object.is(value, -0), `${path} is ${value}`);
  else if (typeof value === 'object' && value !== null)
    for (const [key, each] of Object.entries(value)) assertNumbers(each, `${path}.${key}`);
}

test('scaling all money leaves every ratio alone', () => {
  // Commissions that two legs share are cut to whole units, so leave them out.
  const scaled = (deal: Deal, by: number): Deal => ({
    ...deal,
    ...{ profit: deal.profit * by, swap: deal.swap * by, commission: 0, fee: 0 },
  });
  fc.assert(
    fc.property(anyDeals, (deals) => {
      const one = metricsOfDeals(deals.map((deal) => scaled(deal, 1)));
      const four = metricsOfDeals(deals.map((deal) => scaled(deal, 4)));
      for (const key of ['gain', 'absoluteGain', 'profitFactor', 'sharpeRatio', 'zScore'] as const)
        assert.equal(four[key], one[key], key);
      assert.deepEqual(four.risk, one.risk);
      assert.equal(four.drawdown.maximalPercent, one.drawdown.maximalPercent);
      assert.equal(four.drawdown.maximal, 4 * one.drawdown.maximal);
    }),
  );
});
