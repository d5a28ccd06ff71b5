import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/properties.ts';
import { Random } from '../../../test/simulation/random.ts';
import { DEAL_ENTRIES, type DealType } from '../../words/deals.ts';
import { type Deal, moneyOf } from '../deal.ts';
import type { Trade } from '../trade.ts';
import { naiveTrades } from './naive-trades.fixture.ts';
import { createTradeState, foldTradeDeal, tradesOf } from './trade-state.ts';
import { decodeTradeState, encodeTradeState } from './trade-state-codec.ts';

const executions: DealType[] = ['DEAL_TYPE_BUY', 'DEAL_TYPE_SELL'];
const others: DealType[] = [
  'DEAL_TYPE_BALANCE',
  'DEAL_TYPE_CREDIT',
  'DEAL_TYPE_COMMISSION',
  'DEAL_TYPE_BUY_CANCELED',
];
const money = fc.integer({ min: -50_000, max: 60_000 });
const price = fc.option(
  fc.integer({ min: 1, max: 300_000 }).map((points) => points / 100_000),
  { nil: undefined, freq: 8 },
);

/** Any stream, sensible or not: few ids, so that positions collide, close and come back. */
const anyDeals: fc.Arbitrary<Deal[]> = fc
  .array(
    fc.record({
      positionId: fc.constantFrom(undefined, '3', '7', '12', '40', '3+0', '3+2'),
      type: fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom(...executions) },
        { weight: 1, arbitrary: fc.constantFrom(...others) },
      ),
      entry: fc.constantFrom(undefined, ...DEAL_ENTRIES),
      symbol: fc.constantFrom(undefined, 'EURUSD', 'USDJPY', 'XAUUSD', 'ACME'),
      comment: fc.constantFrom(undefined, 'first', 'second'),
      digits: fc.constantFrom(undefined, undefined, 3, 5),
      volume: fc.integer({ min: 0, max: 4 }).map((tenths) => tenths * 10_000_000),
      volumeClosed: fc.constantFrom(undefined, undefined, 10_000_000, 20_000_000),
      price,
      positionPrice: price,
      ...{ profit: money, swap: money, commission: money, fee: money },
      timeMs: fc.integer({ min: 0, max: 40 }).map((step) => step * 20_000),
    }),
    { maxLength: 40, size: 'max' },
  )
  .map((deals) => deals.map((deal, index) => ({ ...deal, id: String(index + 1) })));

const near = (actual: number | undefined, expected: number | undefined, within: number): void => {
  if (expected === undefined || actual === undefined) assert.equal(actual, expected);
  else assert.ok(Math.abs(actual - expected) <= within, `${actual} is not near ${expected}`);
};

test('any stream gives the trades of the naive definition', () => {
  fc.assert(
    fc.property(anyDeals, (deals) => {
      const actual = tradesOf(deals);
      const expected = naiveTrades(deals);
      assert.deepEqual(actual.map(exactPart), expected.map(exactPart));
      actual.forEach((trade, index) => {
        near(trade.openPrice, expected[index]?.openPrice, 6e-9);
        near(trade.closePrice, expected[index]?.closePrice, 6e-9);
        near(trade.gain, expected[index]?.gain, 1e-8);
      });
    }),
    { numRuns: 600 },
  );
});

type Exact = Pick<
  Trade,
  'id' | 'positionId' | 'volume' | 'openTimeMs' | 'closeTimeMs' | 'profit' | 'swap'
> & { type: string; commission: number; fee: number; incomplete?: boolean | undefined };

const exactPart = (trade: Exact) => ({
  ...{ id: trade.id, positionId: trade.positionId, type: trade.type, volume: trade.volume },
  ...{ openTimeMs: trade.openTimeMs, closeTimeMs: trade.closeTimeMs, profit: trade.profit },
  ...{ swap: trade.swap, commission: trade.commission, fee: trade.fee },
  incomplete: trade.incomplete ?? false,
});

test("no money is lost: trades and open positions have all the deals' money", () => {
  fc.assert(
    fc.property(anyDeals, (deals) => {
      const { state, trades } = foldAll(deals);
      const held = [...state.positions.values()].reduce(
        (total, each) => total + each.profit + each.swap + each.commission + each.fee,
        0,
      );
      const closed = trades.reduce((total, trade) => total + trade.profit, 0);
      assert.equal(
        closed + held,
        deals.reduce((total, deal) => total + moneyOf(deal), 0),
      );
    }),
  );
});

test('no volume is lost in a history that has all its entries', () => {
  const complete = anyDeals.map((deals) =>
    deals.map((deal) => ({ ...deal, entry: undefined, volumeClosed: undefined })),
  );
  fc.assert(
    fc.property(complete, (deals) => {
      const { state, trades } = foldAll(deals);
      const executed = deals
        .filter((deal) => executions.includes(deal.type))
        .reduce((total, deal) => total + deal.volume, 0);
      const closed = trades.reduce((total, trade) => total + 2 * trade.volume, 0);
      const open = [...state.positions.values()].reduce(
        (total, each) => total + each.entered + each.exited,
        0,
      );
      assert.equal(closed + open, executed);
    }),
  );
});

test('ids are unique, even if deal ids equal position ids', () => {
  fc.assert(
    fc.property(anyDeals, (deals) => {
      const ids = tradesOf(deals).map((trade) => trade.id);
      assert.equal(new Set(ids).size, ids.length);
    }),
  );
});

/** Long histories of tickets that mostly count up, recurring symbols and texts, and operations. */
const longHistory = fc.integer({ min: 1, max: 2 ** 31 }).map((seed): Deal[] => {
  const random = new Random(seed);
  const symbols = Array.from({ length: random.between(1, 600) }, (_, index) => `symbol ${index}`);
  return Array.from({ length: 3000 }, (_, index): Deal => {
    const ticket = String(index + random.between(-900, 900));
    const text = `${random.pick(['a', 'b+', 'c-'])}${random.between(0, index)}`;
    const positionId = random.pick([ticket, ticket, text, random.pick(symbols), '']) || undefined;
    return {
      id: String(index),
      type: random.chance(0.1)
        ? 'DEAL_TYPE_BALANCE'
        : random.pick(['DEAL_TYPE_BUY', 'DEAL_TYPE_SELL']),
      positionId,
      entry: random.chance(0.2) ? undefined : random.pick(DEAL_ENTRIES),
      volume: random.between(0, 2),
      ...{ profit: 1, swap: 0, commission: 0, fee: 0, timeMs: index * 1000 },
    };
  });
});

test('ids are unique for ever, and the same when the state is stored on the way', () => {
  fc.assert(
    fc.property(longHistory, fc.integer({ min: 0, max: 3000 }), (deals, cut) => {
      const ids = tradesOf(deals).map((trade) => trade.id);
      assert.equal(new Set(ids).size, ids.length);
      const first = createTradeState();
      const before = deals.slice(0, cut).flatMap((deal) => foldTradeDeal(first, deal));
      const second = decodeTradeState(encodeTradeState(first));
      const after = deals.slice(cut).flatMap((deal) => foldTradeDeal(second, deal));
      assert.deepEqual(
        [...before, ...after].map((trade) => trade.id),
        ids,
      );
    }),
    { numRuns: 40 },
  );
});

test('the order of arrival does not matter', () => {
  const shuffled = anyDeals.chain((deals) =>
    fc.tuple(
      fc.constant(deals),
      fc.shuffledSubarray(deals, { minLength: deals.length, maxLength: deals.length }),
    ),
  );
  fc.assert(
    fc.property(shuffled, ([deals, inAnotherOrder]) => {
      assert.deepEqual(tradesOf(inAnotherOrder), tradesOf(deals));
    }),
  );
});

test('writing and reading the state at any point changes neither trades nor bytes', () => {
  fc.assert(
    fc.property(
      anyDeals,
      fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
      (deals, cuts) => {
        const whole = foldAll(deals);
        let state = createTradeState();
        const trades: Trade[] = [];
        sorted(deals).forEach((deal, index) => {
          if (cuts[index]) state = decodeTradeState(encodeTradeState(state));
          trades.push(...foldTradeDeal(state, deal));
        });
        assert.deepEqual(trades, whole.trades);
        assert.equal(encodeTradeState(state), encodeTradeState(whole.state));
        assert.equal(
          encodeTradeState(decodeTradeState(encodeTradeState(state))),
          encodeTradeState(state),
        );
      },
    ),
  );
});

test('all numbers of a trade are finite', () => {
  fc.assert(
    fc.property(anyDeals, (deals) => {
      for (const trade of tradesOf(deals))
        for (const value of Object.values(trade))
          if (typeof value === 'number')
            assert.ok(Number.isFinite(value) && !Object.is(value, -0), JSON.stringify(trade));
    }),
  );
});

const sorted = (deals: Deal[]): Deal[] =>
  deals.toSorted((a, b) => a.timeMs - b.timeMs || Number(a.id) - Number(b.id));

function foldAll(deals: Deal[]) {
  const state = createTradeState();
  const trades = sorted(deals).flatMap((deal) => foldTradeDeal(state, deal));
  return { state, trades };
}
