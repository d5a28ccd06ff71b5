import assert from 'node:assert/strict';
import { test } from 'node:test';
import { centsOf, leverages, PAIRS, scenarios } from '../../../test/margin/arbitraries.ts';
import { sampleMarket, sampleSymbol } from '../../../test/margin/samples.ts';
import { fc } from '../../../test/properties.ts';
import type { MarginSymbol } from './market.ts';
import { marketOf } from './market.ts';

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

test('margin grows in proportion to volume, except for one rounding', () => {
  fc.assert(
    fc.property(scenarios, fc.integer({ min: 2, max: 5 }), (scenario, times) => {
      const volume = Math.round(scenario.volume * 100 * times) / 100;
      const [one, many] = [centsOf(scenario), centsOf({ ...scenario, volume })];
      if (one === undefined || many === undefined) return assert.equal(one, many);
      assert.ok(Math.abs(many - times * one) <= (times + 1) / 2, `${many} of ${times} × ${one}`);
    }),
  );
});

test('higher leverage never needs more, and only FOREX and CFDLEVERAGE use it', () => {
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

test('a pair and its inverse convert alike, with bid and ask exchanged', () => {
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

test('an order needs the margin of a market order of its side, at the rate of its type', () => {
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
