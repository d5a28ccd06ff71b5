import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/properties.ts';
import { DAY_MS, formatBrokerTime, HOUR_MS, MINUTE_MS } from '../broker-time.ts';
import { type CountedTrade, isInPart, type TradePart } from './counted-trade.ts';
import { partMetricsOf } from './part-metrics.ts';
import { countTrade, createPartState, joinParts, type PartState } from './part-state.ts';
import { decodePart, encodePart } from './part-state-codec.ts';
import { encodeTrades, TradeColumns } from './trade-columns.ts';
import { closedTrade } from './trades.fixture.ts';

const money = fc.integer({ min: -900, max: 1000 });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

/** Closed positions in the order they closed, over some weeks; two of them may close at once. */
const anyTrades: fc.Arbitrary<CountedTrade[]> = fc
  .array(
    fc.record({
      ...{ profit: money, swap: money, commission: money, fee: money },
      type: fc.constantFrom('DEAL_TYPE_BUY', 'DEAL_TYPE_SELL'),
      symbol: maybe(fc.constantFrom('EURUSD', 'US500', '__proto__')),
      magic: maybe(fc.constantFrom(0, 7, Number.MAX_SAFE_INTEGER)),
      comment: maybe(fc.constantFrom('Breakout [tp]', 'grid', '[sl]')),
      pips: maybe(fc.integer({ min: -500, max: 500 }).map((tenths) => tenths / 10)),
      risk: maybe(fc.integer({ min: 1, max: 500 })),
      reward: maybe(fc.integer({ min: 1, max: 500 })),
      marketValue: maybe(fc.integer({ min: 1, max: 1e9 })),
      volume: fc.integer({ min: 1, max: 9e9 }),
      held: fc.integer({ min: 0, max: 9 * DAY_MS }),
      pause: fc.constantFrom(0, 5 * MINUTE_MS, 9 * HOUR_MS, 3 * DAY_MS, 20 * DAY_MS),
      balance: fc.integer({ min: -100, max: 5000 }),
    }),
    { maxLength: 40, size: 'max' },
  )
  .map((rows) => {
    let closeTimeMs = Date.UTC(2026, 0, 29);
    return rows.map(({ held, pause, balance, profit, ...row }, index): CountedTrade => {
      closeTimeMs += pause;
      const openTimeMs = closeTimeMs - held;
      const {
        success: _,
        gain: __,
        durationInMinutes: ___,
        positionId: ____,
        ...trade
      } = closedTrade(profit, closeTimeMs, { ...row, openTimeMs, closeBalance: balance + profit });
      const known = Object.entries(trade).filter(([, value]) => value !== undefined);
      return { ...(Object.fromEntries(known) as CountedTrade), id: `t${index}` };
    });
  });

const anyPart: fc.Arbitrary<TradePart> = fc.record({
  fromMs: maybe(fc.constantFrom(Date.UTC(2026, 1, 2), Date.UTC(2026, 2, 1, 9))),
  toMs: maybe(fc.constantFrom(Date.UTC(2026, 2, 15), Date.UTC(2026, 5, 1))),
  symbol: maybe(fc.constantFrom('EURUSD', '__proto__', 'none')),
  side: maybe(fc.constantFrom('buy' as const, 'sell' as const)),
  magic: maybe(fc.constantFrom(0, 7)),
  comment: maybe(fc.constantFrom('BREAK', '[')),
});

function stateOf(trades: readonly CountedTrade[]): PartState {
  const state = createPartState();
  for (const trade of trades) countTrade(state, trade);
  return state;
}

const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0);

/** Figures by their definitions, from all trades at once. */
function naive(trades: readonly CountedTrade[]) {
  const profits = trades.map(({ profit }) => profit);
  const [wins, losses] = [profits.filter((one) => one > 0), profits.filter((one) => one <= 0)];
  const [won, lost] = [sum(wins), sum(losses)];
  const course = [0, ...profits.map((_, at) => sum(profits.slice(0, at + 1)))];
  const falls = course.map((low, at) => Math.max(...course.slice(0, at + 1)) - low);
  const mean = sum(profits) / profits.length;
  const deviation = Math.sqrt(sum(profits.map((one) => (one - mean) ** 2)) / profits.length);
  const spans = (keyOf: (timeMs: number) => string) => {
    const groups = Map.groupBy(trades, ({ closeTimeMs }) => keyOf(closeTimeMs));
    return [...groups.values()].map((group) => sum(group.map(({ profit }) => profit)));
  };
  const months = spans((timeMs) => formatBrokerTime(timeMs).slice(0, 7));
  const weeks = spans((timeMs) => String(Math.floor((timeMs / DAY_MS + 3) / 7)));
  const days = spans((timeMs) => formatBrokerTime(timeMs).slice(0, 10));
  const multiples = trades.flatMap(({ profit, risk }) => (risk ? [profit / risk] : []));
  const payoff = won / wins.length / (-lost / losses.length);
  const share = wins.length / profits.length;
  return { profits, course, falls, mean, deviation, months, weeks, days, multiples, payoff, share };
}

function assertNear(actual: number | undefined, expected: number, what: string): void {
  if (Number.isFinite(expected))
    assert.ok(
      Math.abs((actual ?? Number.NaN) - expected) <= 1e-9 * Math.max(1, Math.abs(expected)),
      `${what}: ${actual}, not ${expected}`,
    );
  else assert.equal(actual, undefined, what);
}

test('the figures of any part match their definitions over its trades', () => {
  fc.assert(
    fc.property(anyTrades, anyPart, (all, part) => {
      const trades = all.filter((trade) => isInPart(trade, part));
      const state = stateOf(trades);
      const metrics = partMetricsOf(state);
      const told = naive(trades);
      assert.equal(metrics.trades, trades.length);
      assert.equal(metrics.netProfit, sum(told.profits));
      const values = trades.flatMap(({ marketValue }) => marketValue ?? []);
      assert.equal(metrics.marketValue, values.length > 0 ? sum(values) : undefined);
      assert.deepEqual(
        [state.course.maximalFall, state.course.low],
        [Math.max(...told.falls), Math.min(...told.course)],
      );
      for (const unit of ['day', 'week', 'month'] as const) {
        const results = told[`${unit}s`];
        const { best, worst, gaining, losing } = metrics.spans[unit];
        assert.equal(best?.money ?? Number.NEGATIVE_INFINITY, Math.max(...results));
        assert.equal(worst?.money ?? Number.POSITIVE_INFINITY, Math.min(...results));
        assert.equal(gaining, results.filter((one) => one > 0).length);
        assert.equal(losing, results.filter((one) => one < 0).length);
      }
      const pain = -sum(told.months.filter((one) => one < 0));
      assertNear(metrics.gainToPainRatio, sum(told.profits) / pain, 'gain to pain');
      assertNear(metrics.payoffRatio, told.payoff, 'payoff');
      if (told.payoff > 0 && Number.isFinite(told.payoff))
        assertNear(
          metrics.kellyPercent,
          100 * (told.share - (1 - told.share) / told.payoff),
          'Kelly',
        );
      if (told.deviation > 1e-6)
        assertNear(
          metrics.systemQualityNumber,
          (Math.sqrt(trades.length) * told.mean) / told.deviation,
          'SQN',
        );
      assertNear(
        metrics.riskMultiples?.average,
        sum(told.multiples) / told.multiples.length,
        'average multiple',
      );
      for (const group of Object.values(metrics).filter(Array.isArray) as { profit: number }[][])
        assert.equal(sum(group.map(({ profit }) => profit)), metrics.netProfit);
    }),
  );
});

test('stretches of trades, stored and joined at any places, equal one stretch', () => {
  fc.assert(
    fc.property(anyTrades, fc.array(fc.nat({ max: 40 })), (trades, cuts) => {
      const places = [...new Set([0, ...cuts, trades.length])]
        .filter((place) => place <= trades.length)
        .sort((a, b) => a - b);
      const stored = places.map((place, index) =>
        JSON.stringify(encodePart(stateOf(trades.slice(place, places[index + 1])))),
      );
      const joined = stored.map((text) => decodePart(JSON.parse(text))).reduce(joinParts);
      assertSame(partMetricsOf(joined), partMetricsOf(stateOf(trades)), 'metrics');
      assert.deepEqual(joined.course, stateOf(trades).course);
    }),
  );
});

/** Equal but for the last digits of doubles, which depend on the order of sums. */
function assertSame(actual: unknown, expected: unknown, path: string): void {
  if (typeof expected === 'number' && !Number.isInteger(expected)) {
    assertNear(Number(actual), expected, path);
  } else if (isRecord(expected) && isRecord(actual)) {
    for (const key of Object.keys({ ...expected, ...actual }))
      assertSame(actual[key], expected[key], `${path}.${key}`);
  } else assert.equal(actual, expected, path);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

test('trades are equal as columns of numbers', () => {
  fc.assert(
    fc.property(anyTrades, (trades) => {
      // At any place of a larger buffer, as drivers give it.
      const bytes = encodeTrades(trades);
      const shifted = new Uint8Array(bytes.length + 3);
      shifted.set(bytes, 3);
      const columns = new TradeColumns(shifted.subarray(3));
      assert.equal(columns.count, trades.length);
      const read = trades.map((_, index) => columns.at(index));
      assert.deepEqual(JSON.parse(JSON.stringify(read)), JSON.parse(JSON.stringify(trades)));
    }),
  );
});
