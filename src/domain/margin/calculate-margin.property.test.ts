import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { calculateMargin } from './calculate-margin.ts';
import type { Family, MarginMode } from './margin-mode.ts';
import { parseMarginMode } from './margin-mode.ts';
import { sampleAccount, sampleMarket, sampleSymbol } from './margin-samples.ts';
import type { MarginSymbol, MarketData } from './market.ts';
import { marketOf } from './market.ts';
import { ORDER_TYPES } from './order-type.ts';
import { positionsMargin } from './positions-margin.ts';

const families = fc.constantFrom<Family>('p4', 'p5');
const types = fc.constantFrom(...ORDER_TYPES);
const sides = fc.constantFrom('ORDER_TYPE_BUY', 'ORDER_TYPE_SELL');
const currencies = fc.constantFrom('USD', 'EUR', 'GBP', 'JPY', 'PLN');
const lots = fc.integer({ min: 1, max: 10_000 }).map((steps) => steps / 100);
/** Bounded, like all that is drawn, so that no margin passes what can be held exactly. */
const prices = fc.integer({ min: 1, max: 20_000 }).map((points) => points / 1000);
const pairPrices = fc.integer({ min: 500, max: 2000 }).map((points) => points / 1000);
const leverages = fc.integer({ min: 1, max: 2000 });
const rates = fc.integer({ min: 0, max: 400 }).map((percent) => percent / 100);
const amounts = fc.option(fc.integer({ min: 0, max: 5000 }), { nil: undefined });

const modes: Record<Family, fc.Arbitrary<MarginMode>> = {
  p4: fc.integer({ min: 0, max: 4 }).map((number) => parseMarginMode('p4', number) ?? 'FOREX'),
  p5: fc
    .constantFrom(0, 1, 2, 3, 4, 5, 32, 33, 34, 35, 36, 37, 38, 39, 64)
    .map((number) => parseMarginMode('p5', number) ?? 'FOREX'),
};

const symbolsOf = (family: Family): fc.Arbitrary<MarginSymbol> =>
  fc
    .record({
      marginMode: modes[family],
      contractSize: fc.constantFrom(1, 10, 5000, 100_000),
      currencyMargin: currencies,
      tickSize: fc.constantFrom(0.25, 0.5, 1),
      tickValue: fc.constantFrom(0.5, 1, 12.5),
      marginInitial: amounts,
      marginMaintenance: amounts,
      marginHedged: amounts,
      hedgeByLargerLeg: fc.boolean(),
      percentage: fc.constantFrom(50, 100, 115),
      faceValue: fc.constant(1000),
      priceSettle: prices,
      marginRates: fc.record(
        Object.fromEntries(ORDER_TYPES.map((type) => [type, rates])) as Record<
          (typeof ORDER_TYPES)[number],
          typeof rates
        >,
      ),
    })
    .map((changes) => sampleSymbol('EURJPY', changes));

const PAIRS = ['EURUSD', 'GBPUSD', 'USDJPY', 'USDPLN', 'EURPLN', 'GBPUSD.a', 'USDJPY.b'];
const quotesOf = fc.tuple(
  ...PAIRS.map(() => fc.tuple(pairPrices, fc.integer({ min: 0, max: 50 }))),
);

const scenarios = families.chain((family) =>
  fc.record({
    family: fc.constant(family),
    symbol: symbolsOf(family),
    currency: currencies,
    leverage: leverages,
    type: types,
    volume: lots,
    openPrice: prices,
    quotes: quotesOf.map((pairs) =>
      pairs.map(([bid, spread], index) => ({
        symbol: PAIRS[index] ?? '',
        bid,
        ask: bid + spread / 1000,
      })),
    ),
  }),
);
type Scenario = typeof scenarios extends fc.Arbitrary<infer T> ? T : never;

const marketFor = ({ symbol, quotes }: Scenario): MarketData =>
  marketOf([...PAIRS.map((name) => sampleSymbol(name)), symbol], quotes);

/** In cents; undefined where it cannot be known. */
function centsOf(scenario: Scenario, market = marketFor(scenario)): number | undefined {
  const { family, currency, leverage, type, volume, openPrice } = scenario;
  const result = calculateMargin({
    order: { symbol: 'EURJPY', type, volume, openPrice },
    account: sampleAccount(family, currency, leverage),
    market,
  });
  assert.ok(!('faults' in result));
  return 'margin' in result ? Math.round(result.margin * 100) : undefined;
}

test('margin is known, a whole number of cents and never negative', () => {
  fc.assert(
    fc.property(scenarios, (scenario) => {
      const cents = centsOf(scenario);
      const isShortOfSettings =
        scenario.symbol.marginMode === 'EXCH_FUTURES_FORTS' &&
        !(scenario.symbol.marginInitial && scenario.symbol.marginMaintenance);
      if (cents === undefined) return assert.ok(isShortOfSettings);
      assert.ok(Number.isSafeInteger(cents) && cents >= 0, String(cents));
    }),
  );
});

test('margin grows in proportion to volume, but for one rounding', () => {
  fc.assert(
    fc.property(scenarios, fc.integer({ min: 2, max: 5 }), (scenario, times) => {
      const volume = Math.round(scenario.volume * 100 * times) / 100;
      const [one, many] = [centsOf(scenario), centsOf({ ...scenario, volume })];
      if (one === undefined || many === undefined) return assert.equal(one, many);
      assert.ok(Math.abs(many - times * one) <= (times + 1) / 2, `${many} of ${times} × ${one}`);
    }),
  );
});

test('higher leverage never needs more, and only FOREX and CFDLEVERAGE look at it', () => {
  fc.assert(
    fc.property(scenarios, leverages, (scenario, leverage) => {
      const [before, after] = [centsOf(scenario), centsOf({ ...scenario, leverage })];
      const isUsed = ['FOREX', 'CFDLEVERAGE'].includes(scenario.symbol.marginMode);
      if (!isUsed || before === undefined || after === undefined)
        return assert.equal(before, after);
      assert.ok(leverage >= scenario.leverage ? after <= before : after >= before);
    }),
  );
});

test('the order of symbols and quotes changes nothing', () => {
  fc.assert(
    fc.property(scenarios, (scenario) => {
      const { symbol, quotes } = scenario;
      const symbols = [symbol, ...PAIRS.map((name) => sampleSymbol(name)).reverse()];
      const market = marketOf(symbols, quotes.toReversed());
      assert.equal(centsOf(scenario, market), centsOf(scenario));
    }),
  );
});

test('a pair and its inverse convert alike, bid and ask changing places', () => {
  // Products of 2 and 5 have decimal reciprocals, so that both markets quote the same exactly.
  const exact = fc
    .tuple(fc.integer({ min: -4, max: 4 }), fc.integer({ min: -2, max: 2 }))
    .map(([twos, fives]) => 2 ** twos * (fives < 0 ? 1 / 5 ** -fives : 5 ** fives));
  fc.assert(
    fc.property(scenarios, exact, exact, (scenario, one, other) => {
      const symbol = { ...scenario.symbol, currencyMargin: 'GBP' };
      const [bid, ask] = scenario.family === 'p4' ? [one, one] : [one, other].sort((a, b) => a - b);
      assert.ok(bid !== undefined && ask !== undefined);
      const direct = sampleMarket([symbol, sampleSymbol('GBPUSD')], { GBPUSD: [bid, ask] });
      const inverse = sampleMarket([symbol, sampleSymbol('USDGBP')], {
        USDGBP: [1 / ask, 1 / bid],
      });
      const dollars = { ...scenario, symbol, currency: 'USD' as const };
      assert.equal(centsOf(dollars, direct), centsOf(dollars, inverse));
    }),
  );
});

test('an order type needs what a market order of its side would need at the rate of the type', () => {
  fc.assert(
    fc.property(scenarios, (scenario) => {
      const { family, symbol, type } = scenario;
      const rate = symbol.marginRates?.[type] ?? 0;
      if (type === 'ORDER_TYPE_CLOSE_BY' || (family === 'p4' && /_(?:LIMIT|STOP)/.test(type)))
        return assert.equal(centsOf(scenario), 0);
      const market = type.startsWith('ORDER_TYPE_BUY') ? 'ORDER_TYPE_BUY' : 'ORDER_TYPE_SELL';
      const rated = { ...symbol, marginRates: { [market]: rate } };
      assert.equal(centsOf(scenario), centsOf({ ...scenario, symbol: rated, type: market }));
    }),
  );
});

test('a p5 buy never converts at less than a sell', () => {
  fc.assert(
    fc.property(scenarios, (scenario) => {
      const symbol: MarginSymbol = {
        ...scenario.symbol,
        marginMode: 'CFD',
        marginRates: undefined,
      };
      const buy = centsOf({ ...scenario, family: 'p5', symbol, type: 'ORDER_TYPE_BUY' });
      const sell = centsOf({ ...scenario, family: 'p5', symbol, type: 'ORDER_TYPE_SELL' });
      assert.ok(buy !== undefined && sell !== undefined && buy >= sell);
    }),
  );
});

test('one position is held for what its order needs, where maintenance is not set apart', () => {
  fc.assert(
    fc.property(scenarios, sides, (drawn, side) => {
      const type = side === 'ORDER_TYPE_BUY' ? 'ORDER_TYPE_BUY' : 'ORDER_TYPE_SELL';
      const { marginInitial } = drawn.symbol;
      const symbol = { ...drawn.symbol, marginMaintenance: marginInitial };
      const scenario = { ...drawn, symbol, type } as const;
      const { family, currency, leverage, volume, openPrice } = scenario;
      for (const accounting of ['hedging', 'netting'] as const) {
        const held = positionsMargin({
          held: [{ symbol: 'EURJPY', type, volume, openPrice }],
          account: { ...sampleAccount(family, currency, leverage), accounting },
          market: marketFor(scenario),
        });
        const cents = 'margin' in held ? Math.round(held.margin * 100) : undefined;
        assert.equal(cents, centsOf(scenario));
      }
    }),
  );
});

test('positions may come in any order, and covering never costs more than both sides', () => {
  const position = fc.record({
    symbol: fc.constant('EURJPY'),
    type: fc.constantFrom('ORDER_TYPE_BUY' as const, 'ORDER_TYPE_SELL' as const),
    volume: lots,
    openPrice: prices,
  });
  fc.assert(
    fc.property(scenarios, fc.array(position, { maxLength: 6 }), (scenario, held) => {
      const symbol: MarginSymbol = { ...scenario.symbol, hedgeByLargerLeg: true };
      const { family, currency, leverage } = scenario;
      const account = {
        ...sampleAccount(family, currency, leverage),
        accounting: 'hedging',
      } as const;
      const market = marketFor({ ...scenario, symbol });
      const marginOf = (orders: typeof held) => {
        const result = positionsMargin({ held: orders, account, market });
        return 'margin' in result ? Math.round(result.margin * 100) : undefined;
      };
      const all = marginOf(held);
      assert.equal(marginOf(held.toReversed()), all);
      const longs = marginOf(held.filter(({ type }) => type === 'ORDER_TYPE_BUY'));
      const shorts = marginOf(held.filter(({ type }) => type === 'ORDER_TYPE_SELL'));
      if (all === undefined || longs === undefined || shorts === undefined) return;
      if (symbol.marginMode !== 'EXCH_FUTURES_FORTS') assert.equal(all, Math.max(longs, shorts));
      assert.ok(all >= 0 && all <= longs + shorts);
    }),
  );
});
