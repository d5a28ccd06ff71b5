import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  sampleAccount,
  sampleContract,
  sampleMarket,
  sampleSymbol,
} from '../../../test/margin/samples.ts';
import type { Platform } from '../../words/accounts.ts';
import { calculateMargin } from './calculate-margin.ts';
import type { MarginSymbol } from './market.ts';

const EURUSD = sampleSymbol('EURUSD');

const marginOf = (symbol: MarginSymbol, type: string, leverage = 100, family: Platform = 'p5') =>
  calculateMargin({
    order: { symbol: symbol.symbol, type, volume: 1, openPrice: 1.1 },
    account: sampleAccount(family, 'USD', leverage),
    market: sampleMarket([symbol]),
  });

test('pending orders are charged only if the symbol has a rate for them', () => {
  assert.deepEqual(marginOf(EURUSD, 'ORDER_TYPE_SELL'), { margin: 1100 });
  assert.deepEqual(marginOf(EURUSD, 'ORDER_TYPE_BUY_LIMIT'), { margin: 0 });
  const marginRates = { ORDER_TYPE_SELL_STOP_LIMIT: 0.5, ORDER_TYPE_SELL: 2 };
  const rated = sampleSymbol('EURUSD', { marginRates });
  assert.deepEqual(marginOf(rated, 'ORDER_TYPE_SELL_STOP_LIMIT'), { margin: 550 });
  assert.deepEqual(marginOf(rated, 'ORDER_TYPE_SELL'), { margin: 2200 });
  assert.deepEqual(marginOf(rated, 'ORDER_TYPE_BUY'), { margin: 1100 });
  assert.deepEqual(marginOf(rated, 'ORDER_TYPE_CLOSE_BY'), { margin: 0 });
  assert.deepEqual(marginOf(rated, 'ORDER_TYPE_SELL_LIMIT', 100, 'p4'), { margin: 0 });
});

test('an order whose margin cannot be known says why', () => {
  const reasonOf = (symbol: MarginSymbol, leverage = 100, family: Platform = 'p5') => {
    const result = marginOf(symbol, 'ORDER_TYPE_BUY', leverage, family);
    return 'unavailable' in result ? result.unavailable : result;
  };
  const contract = (changes: Partial<MarginSymbol>) => sampleContract('XYZ', changes);
  assert.equal(reasonOf(sampleSymbol('EURJPY')), 'there are no prices to convert EUR into USD');
  assert.equal(reasonOf(EURUSD, 0), 'the leverage is not known');
  for (const family of ['p4', 'p5'] as const)
    assert.equal(
      reasonOf(contract({ marginMode: 'CFDINDEX', tickValue: 1 }), 100, family),
      'tickSize of XYZ is not known',
    );
  assert.equal(reasonOf(contract({ marginMode: 'EXCH_BONDS' })), 'faceValue of XYZ is not known');
  assert.equal(
    reasonOf(contract({ marginMode: 'EXCH_FUTURES_FORTS' })),
    'priceSettle of XYZ is not known',
  );
  assert.equal(
    reasonOf(contract({ marginMode: 'EXCH_STOCKS' }), 100, 'p4'),
    'p4 platforms have no margin mode EXCH_STOCKS',
  );
  assert.equal(
    reasonOf(contract({ marginMode: 'CFD', contractSize: 1e300 })),
    'the margin is too large to be stored exactly',
  );
});
