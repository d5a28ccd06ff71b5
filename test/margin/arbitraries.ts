import assert from 'node:assert/strict';
import { calculateMargin } from '../../src/domain/margin/calculate-margin.ts';
import type { MarginMode } from '../../src/domain/margin/margin-mode.ts';
import { parseMarginMode } from '../../src/domain/margin/margin-mode.ts';
import type { MarginSymbol, MarketData } from '../../src/domain/margin/market.ts';
import { marketOf } from '../../src/domain/margin/market.ts';
import { ORDER_TYPES, type Platform } from '../../src/words/accounts.ts';
import { fc } from '../properties.ts';
import { sampleAccount, sampleSymbol } from './samples.ts';

const families = fc.constantFrom<Platform>('p4', 'p5');
const types = fc.constantFrom(...ORDER_TYPES);
export const sides = fc.constantFrom('ORDER_TYPE_BUY', 'ORDER_TYPE_SELL');
const currencies = fc.constantFrom('USD', 'EUR', 'GBP', 'JPY', 'PLN');
export const lots = fc.integer({ min: 1, max: 10_000 }).map((steps) => steps / 100);
/** Bounded, like all values drawn here, so that every margin can be held exactly. */
export const prices = fc.integer({ min: 1, max: 20_000 }).map((points) => points / 1000);
const pairPrices = fc.integer({ min: 500, max: 2000 }).map((points) => points / 1000);
export const leverages = fc.integer({ min: 1, max: 2000 });
const rates = fc.integer({ min: 0, max: 400 }).map((percent) => percent / 100);
const amounts = fc.option(fc.integer({ min: 0, max: 5000 }), { nil: undefined });

const modes: Record<Platform, fc.Arbitrary<MarginMode>> = {
  p4: fc.integer({ min: 0, max: 4 }).map((number) => parseMarginMode('p4', number) ?? 'FOREX'),
  p5: fc
    .constantFrom(0, 1, 2, 3, 4, 5, 32, 33, 34, 35, 36, 37, 38, 39, 64)
    .map((number) => parseMarginMode('p5', number) ?? 'FOREX'),
};

const symbolsOf = (family: Platform): fc.Arbitrary<MarginSymbol> =>
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

export const PAIRS = ['EURUSD', 'GBPUSD', 'USDJPY', 'USDPLN', 'EURPLN', 'GBPUSD.a', 'USDJPY.b'];
const quotesOf = fc.tuple(
  ...PAIRS.map(() => fc.tuple(pairPrices, fc.integer({ min: 0, max: 50 }))),
);

export const scenarios = families.chain((family) =>
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
export type Scenario = typeof scenarios extends fc.Arbitrary<infer T> ? T : never;

export const marketFor = ({ symbol, quotes }: Scenario): MarketData =>
  marketOf([...PAIRS.map((name) => sampleSymbol(name)), symbol], quotes);

/** The margin in cents; undefined if it cannot be known. */
export function centsOf(scenario: Scenario, market = marketFor(scenario)): number | undefined {
  const { family, currency, leverage, type, volume, openPrice } = scenario;
  const result = calculateMargin({
    order: { symbol: 'EURJPY', type, volume, openPrice },
    account: sampleAccount(family, currency, leverage),
    market,
  });
  assert.ok(!('faults' in result));
  return 'margin' in result ? Math.round(result.margin * 100) : undefined;
}
