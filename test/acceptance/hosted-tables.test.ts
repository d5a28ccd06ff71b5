import assert from 'node:assert/strict';
import { it } from 'node:test';
import { formatBrokerTime, HOUR_MS, MINUTE_MS } from '../../src/domain/broker-time.ts';
import { needs } from '../needs.ts';
import { newAccount, newUser, retry, startOn } from '../servers/plimsoll-process.ts';
import { Random } from '../simulation/random.ts';

needs('server');

type Figures = { profit: number; trades: number; wonTrades: number; lostTrades: number };
type Summary = { currency: string; total: Figures; long?: Figures; short?: Figures };
type Column = { trades: number; minDurationInSeconds: number; maxDurationInSeconds?: number };
type Currency = {
  currency: string;
  averageHoldingTimeLongsInMilliseconds?: number;
  averageHoldingTimeShortsInMilliseconds?: number;
  rewardToRiskRatio?: number;
  popularityPercent: number;
};
type Metrics = {
  currencySummary: Summary[];
  monthlyAnalytics: { date: string; currencies: Currency[] }[];
  tradeDurationDiagram: Column[];
  totalTradeMarketValue: number;
};
type Made = {
  symbol: string;
  isLong: boolean;
  profit: number;
  openMs: number;
  closeMs: number;
};

const SEED = 20_261_128;
const START_MS = Date.UTC(2026, 0, 5, 8);
const PRICE = 1.25;

/** Positions of one lot, one after the other; a dollar is a point of 0.00001. */
function madeTrades(random: Random): Made[] {
  let timeMs = START_MS;
  return Array.from({ length: 60 }, () => {
    const openMs = timeMs + random.between(1, 40) * HOUR_MS;
    timeMs = openMs + random.pick([20_000, 3 * MINUTE_MS, 2 * HOUR_MS, 30 * HOUR_MS]);
    const profit = random.pick([-1, 1]) * random.between(1, 400);
    const symbol = random.pick(['EURUSD', 'GBPUSD', 'AUDUSD']);
    return { symbol, isLong: random.chance(0.5), profit, openMs, closeMs: timeMs };
  });
}

const dealsOf = ({ symbol, isLong, profit, openMs, closeMs }: Made, index: number) => {
  const [buy, sell] = ['DEAL_TYPE_BUY', 'DEAL_TYPE_SELL'];
  const both = { positionId: `p${index}`, symbol, volume: 1 };
  const move = ((isLong ? 1 : -1) * profit) / 100_000;
  return [
    {
      ...{ ...both, id: `i${index}`, type: isLong ? buy : sell, entry: 'DEAL_ENTRY_IN' },
      ...{ price: PRICE, profit: 0, brokerTime: formatBrokerTime(openMs) },
    },
    {
      ...{ ...both, id: `o${index}`, type: isLong ? sell : buy, entry: 'DEAL_ENTRY_OUT', profit },
      ...{ price: Number((PRICE + move).toFixed(5)), brokerTime: formatBrokerTime(closeMs) },
    },
  ];
};

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
const mean = (values: readonly number[]): number => sum(values) / values.length;

/** By definition, from single trades. */
const figuresOf = (trades: readonly Made[]) =>
  trades.length === 0
    ? undefined
    : {
        profit: sum(trades.map(({ profit }) => profit)),
        trades: trades.length,
        wonTrades: trades.filter(({ profit }) => profit > 0).length,
        lostTrades: trades.filter(({ profit }) => profit <= 0).length,
      };
const picked = (figures: Figures | undefined) =>
  figures && {
    ...{ profit: figures.profit, trades: figures.trades },
    ...{ wonTrades: figures.wonTrades, lostTrades: figures.lostTrades },
  };

function currencyOf(currency: string, own: readonly Made[], all: number): Currency {
  const held = (isLong: boolean) =>
    mean(own.filter((one) => one.isLong === isLong).map((one) => one.closeMs - one.openMs));
  const [won, lost] = [own.filter(({ profit }) => profit > 0), own.filter((one) => one.profit < 0)];
  return {
    currency,
    averageHoldingTimeLongsInMilliseconds: Math.round(held(true)),
    averageHoldingTimeShortsInMilliseconds: Math.round(held(false)),
    rewardToRiskRatio: mean(won.map(({ profit }) => profit)) / mean(lost.map((one) => one.profit)),
    popularityPercent: (100 * own.length) / all,
  };
}

it(`the hosted tables of statistics follow from the trades (seed ${SEED})`, async (t) => {
  const { server, close } = await startOn('sqlite');
  t.after(close);
  const user = await newUser(server.address);
  const path = `/users/current/accounts/${await newAccount(user)}`;
  const trades = madeTrades(new Random(SEED));
  const money = { id: 'd', type: 'DEAL_TYPE_BALANCE', profit: 50_000 };
  const first = { ...money, brokerTime: formatBrokerTime(START_MS) };
  await user.post(`${path}/deals`, [first, ...trades.flatMap(dealsOf)]);
  const hosted = { 'plimsoll-compatibility': 'hosted' };
  const { body } = await retry(() =>
    user.call<{ metrics: Metrics }>('GET', `${path}/metrics`, undefined, hosted),
  );
  const { metrics } = body;

  const bySymbol = Map.groupBy(trades, ({ symbol }) => symbol);
  for (const { currency, total, long, short } of metrics.currencySummary) {
    const own = bySymbol.get(currency) ?? [];
    assert.deepEqual(picked(total), figuresOf(own));
    assert.deepEqual(picked(long), figuresOf(own.filter(({ isLong }) => isLong)));
    assert.deepEqual(picked(short), figuresOf(own.filter(({ isLong }) => !isLong)));
  }
  assert.equal(metrics.currencySummary.length, bySymbol.size);

  const byMonth = Map.groupBy(trades, ({ closeMs }) => formatBrokerTime(closeMs).slice(0, 7));
  for (const { date, currencies } of metrics.monthlyAnalytics) {
    const own = byMonth.get(date) ?? [];
    assert.equal(currencies.length, new Set(own.map(({ symbol }) => symbol)).size);
    for (const told of currencies) {
      const expected = currencyOf(
        told.currency,
        own.filter(({ symbol }) => symbol === told.currency),
        own.length,
      );
      for (const name of Object.keys(expected) as (keyof Currency)[]) {
        const [actual, wanted] = [told[name], expected[name]];
        if (typeof wanted !== 'number' || Number.isNaN(wanted)) continue;
        assert.ok(Math.abs(Number(actual) - wanted) < 1e-6 * Math.abs(wanted), `${date} ${name}`);
      }
    }
  }

  for (const { trades: count, ...column } of metrics.tradeDurationDiagram) {
    const { minDurationInSeconds: from, maxDurationInSeconds: to = Infinity } = column;
    const seconds = trades.map(({ openMs, closeMs }) => (closeMs - openMs) / 1000);
    assert.equal(count, seconds.filter((one) => one >= from && one < to).length);
  }
  assert.equal(sum(metrics.tradeDurationDiagram.map((one) => one.trades)), trades.length);
  const valued = trades.filter(({ profit }) => Math.abs(profit) >= 1);
  assert.ok(Math.abs(metrics.totalTradeMarketValue - valued.length * 125_000) < 0.01);
});
