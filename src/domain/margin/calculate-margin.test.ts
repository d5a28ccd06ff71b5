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
import type { MarginOrder } from './order-checks.ts';

type Prices = Record<string, [number, number]>;
type Example = {
  name: string;
  family?: Platform;
  symbol: MarginSymbol;
  order: Omit<MarginOrder, 'symbol' | 'type'> & { type?: string };
  currency?: string;
  leverage?: number;
  currencyDigits?: number;
  pairs?: MarginSymbol[];
  prices?: Prices;
  margin: number;
};

const EURUSD = sampleSymbol('EURUSD');
const [GBPUSD, USDJPY, USDCHF] = [
  sampleSymbol('GBPUSD'),
  sampleSymbol('USDJPY'),
  sampleSymbol('USDCHF'),
];
const DOLLARS: Prices = { EURUSD: [1.099, 1.0991], GBPUSD: [1.2271, 1.2273] };

/** Expected figures are in the platforms' public documentation, or follow from its formulas. */
const EXAMPLES: Example[] = [
  {
    name: 'FOREX in its margin currency (MetaTrader 5 help)',
    symbol: EURUSD,
    order: { volume: 1, openPrice: 1.279 },
    currency: 'EUR',
    margin: 1000,
  },
  {
    name: 'FOREX converted by its own pair at the open price (MetaTrader 5 help)',
    symbol: EURUSD,
    order: { volume: 1, openPrice: 1.279 },
    margin: 1279,
  },
  {
    name: 'FOREX times the rate of buys (MetaTrader 5 help)',
    symbol: sampleSymbol('EURUSD', { marginRates: { ORDER_TYPE_BUY: 1.15 } }),
    order: { volume: 1, openPrice: 1.279 },
    margin: 1470.85,
  },
  {
    name: 'p4 FOREX times the percentage (MetaTrader 4 help)',
    family: 'p4',
    symbol: sampleSymbol('EURUSD', { percentage: 115 }),
    order: { volume: 1, openPrice: 1.279 },
    margin: 1470.85,
  },
  {
    name: 'FOREX_NO_LEVERAGE does not look at leverage (MetaTrader 5 help)',
    symbol: sampleSymbol('EURUSD', { marginMode: 'FOREX_NO_LEVERAGE' }),
    order: { volume: 1, openPrice: 1.279 },
    currency: 'EUR',
    margin: 100_000,
  },
  ...(
    [
      ['EURUSD', 1.0991, 109.91],
      ['GBPUSD', 1.2273, 122.73],
      ['USDJPY', 106.36, 100],
      ['USDCHF', 0.9677, 100],
      ['EURJPY', 116.9, 109.91],
      ['GBPJPY', 130.5, 122.73],
    ] as const
  ).map(([symbol, openPrice, margin]) => ({
    name: `order_calc_margin of 0.1 ${symbol} (MQL5 reference)`,
    symbol: sampleSymbol(symbol),
    order: { volume: 0.1, openPrice },
    pairs: [EURUSD, GBPUSD, USDJPY, USDCHF],
    prices: DOLLARS,
    margin,
  })),
  {
    name: 'CFD (MetaTrader 5 help)',
    symbol: sampleContract('OIL', { marginMode: 'CFD', contractSize: 100 }),
    order: { volume: 1, openPrice: 80 },
    margin: 8000,
  },
  {
    name: 'p4 CFD (MetaTrader 4 help)',
    family: 'p4',
    symbol: sampleContract('OIL', { marginMode: 'CFD', contractSize: 100 }),
    order: { volume: 1, openPrice: 80 },
    margin: 8000,
  },
  {
    name: 'CFDLEVERAGE (MetaTrader 5 help)',
    symbol: sampleContract('XAGUSD', { marginMode: 'CFDLEVERAGE', contractSize: 5000 }),
    order: { volume: 1, openPrice: 15.412 },
    margin: 770.6,
  },
  {
    name: 'p4 CFDLEVERAGE',
    family: 'p4',
    symbol: sampleContract('XAGUSD', { marginMode: 'CFDLEVERAGE', contractSize: 5000 }),
    order: { volume: 1, openPrice: 15.412 },
    margin: 770.6,
  },
  ...(['p4', 'p5'] as const).map((family) => ({
    name: `${family} CFDINDEX`,
    family,
    symbol: sampleContract('US100', {
      marginMode: 'CFDINDEX',
      contractSize: 1,
      tickValue: 1,
      tickSize: 0.5,
    }),
    order: { volume: 2, openPrice: 12_500 },
    margin: 50_000,
  })),
  ...(['EXCH_STOCKS', 'EXCH_STOCKS_MOEX', 'EXCH_OPTIONS', 'EXCH_OPTIONS_MARGIN'] as const).map(
    (marginMode) => ({
      name: `${marginMode} without fixed margin`,
      symbol: sampleContract('#AA', { marginMode, contractSize: 100 }),
      order: { volume: 1, openPrice: 33 },
      margin: 3300,
    }),
  ),
  ...(['EXCH_OPTIONS', 'EXCH_OPTIONS_MARGIN'] as const).map((marginMode) => ({
    name: `${marginMode} with fixed margin`,
    symbol: sampleContract('OPT', { marginMode, marginInitial: 250, marginMaintenance: 200 }),
    order: { volume: 2, openPrice: 33 },
    margin: 500,
  })),
  ...(['EXCH_BONDS', 'EXCH_BONDS_MOEX'] as const).map((marginMode) => ({
    name: marginMode,
    symbol: sampleContract('BOND', { marginMode, contractSize: 1, faceValue: 1000 }),
    order: { volume: 3, openPrice: 98.5 },
    margin: 2955,
  })),
  ...(['FUTURES', 'EXCH_FUTURES'] as const).map((marginMode) => ({
    name: `${marginMode} charges the initial margin of an order`,
    symbol: sampleContract('FUT', { marginMode, marginInitial: 4500, marginMaintenance: 4000 }),
    order: { volume: 2, openPrice: 77 },
    margin: 9000,
  })),
  {
    name: 'p4 FUTURES',
    family: 'p4',
    symbol: sampleContract('FUT', { marginMode: 'FUTURES', marginInitial: 4500, percentage: 50 }),
    order: { volume: 2, openPrice: 77 },
    margin: 4500,
  },
  {
    name: 'SERV_COLLATERAL is not charged, and needs no prices',
    symbol: sampleContract('ASSET', { marginMode: 'SERV_COLLATERAL', currencyMargin: 'XAU' }),
    order: { volume: 2, openPrice: 77 },
    margin: 0,
  },
  ...(
    [
      ['ORDER_TYPE_BUY', 7665.41 + 2],
      ['ORDER_TYPE_SELL', 7739.59 - 2],
    ] as const
  ).map(([type, margin]) => ({
    name: `EXCH_FUTURES_FORTS ${type}`,
    symbol: sampleContract('Si-6.18', {
      marginMode: 'EXCH_FUTURES_FORTS',
      marginInitial: 7665.41,
      marginMaintenance: 7739.59,
      priceSettle: 73_638,
      tickValue: 1,
      tickSize: 1,
    }),
    order: { type, volume: 1, openPrice: 73_640 },
    margin,
  })),
  ...(['p4', 'p5'] as const).flatMap((family) => [
    {
      name: `${family} fixed margin stands in for the formula and knows no leverage`,
      family,
      symbol: sampleContract('OIL', { marginMode: 'CFD', marginInitial: 1000 }),
      order: { volume: 2, openPrice: 80 },
      margin: 2000,
    },
    {
      name: `${family} fixed margin of FOREX and CFDLEVERAGE is divided by leverage`,
      family,
      symbol: sampleContract('XAGUSD', { marginMode: 'CFDLEVERAGE', marginInitial: 1000 }),
      order: { volume: 2, openPrice: 15 },
      margin: 20,
    },
    {
      name: `${family} rounds to the currency's digits, halves away from zero`,
      family,
      symbol: sampleContract('AAA', { marginMode: 'CFD', contractSize: 1 }),
      order: { volume: 0.01, openPrice: 100.5 },
      margin: 1.01,
    },
    {
      name: `${family} rounds yen to whole yen`,
      family,
      symbol: sampleSymbol('USDJPY'),
      order: { volume: 0.01, openPrice: 106.35 },
      currency: 'JPY',
      currencyDigits: 0,
      margin: 1064,
    },
  ]),
];

for (const example of EXAMPLES)
  test(example.name, () => {
    const { symbol, order, pairs = [], prices = {} } = example;
    const { family = 'p5', currency = 'USD', leverage = 100, currencyDigits = 2 } = example;
    const result = calculateMargin({
      order: { type: 'ORDER_TYPE_BUY', ...order, symbol: symbol.symbol },
      account: sampleAccount(family, currency, leverage, currencyDigits),
      market: sampleMarket([...pairs, symbol], prices),
    });
    assert.deepEqual(result, { margin: example.margin });
  });
