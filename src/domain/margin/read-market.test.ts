import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleAccount, sampleSymbol } from '../../../test/margin/samples.ts';
import { calculateMargin } from './calculate-margin.ts';
import { readMarket } from './read-market.ts';

const record = (symbol: string, marginMode: string | number) => ({
  ...sampleSymbol(symbol),
  marginMode,
});

test('a stored market answers with its symbols and prices', () => {
  const symbols = [record('EURUSD', 'MARGIN_CALC_FOREX'), record('EURJPY', 0)];
  const quotes = [{ symbol: 'EURUSD', bid: 1.1, ask: 1.2, brokerTime: '2026-01-02 03:04:05.000' }];
  const read = readMarket('p4', { symbols, quotes });
  assert.ok('market' in read);
  const result = calculateMargin({
    order: { symbol: 'EURJPY', type: 'ORDER_TYPE_BUY', volume: 1, openPrice: 160 },
    account: sampleAccount('p4', 'USD', 100),
    market: read.market,
  });
  assert.deepEqual(result, { margin: 1150 });
});

test('every fault of a market is named with its place', () => {
  const unknownType: string = 'BUY';
  const symbols = [
    record('EURUSD', 'EXCH_STOCKS'),
    { ...record('USDJPY', 'FOREX'), contractSize: -1, marginRates: { ORDER_TYPE_BUY: Number.NaN } },
    { ...record('USDJPY', 'x'), marginRates: { [unknownType]: 1 } },
  ];
  assert.deepEqual(readMarket('p4', { symbols, quotes: [] }), {
    faults: [
      { parameter: 'symbols[0].marginMode', message: 'is not a margin mode of p4 platforms' },
      { parameter: 'symbols[1].contractSize', message: 'must be a number of 0 or more' },
      {
        parameter: 'symbols[1].marginRates.ORDER_TYPE_BUY',
        message: 'must be a number of 0 or more',
      },
      { parameter: 'symbols[2].symbol', message: 'is duplicated' },
      { parameter: 'symbols[2].marginMode', message: 'is not a margin mode of p4 platforms' },
      { parameter: 'symbols[2].marginRates.BUY', message: 'is not an order type' },
    ],
  });
});
