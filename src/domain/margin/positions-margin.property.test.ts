import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  centsOf,
  lots,
  marketFor,
  prices,
  scenarios,
  sides,
} from '../../../test/margin/arbitraries.ts';
import { sampleAccount } from '../../../test/margin/samples.ts';
import { fc } from '../../../test/properties.ts';
import type { MarginSymbol } from './market.ts';
import { positionsMargin } from './positions-margin.ts';

test('one position needs the margin of its order, unless maintenance is set separately', () => {
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
