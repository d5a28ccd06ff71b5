import type { SymbolRecord } from '../../domain/margin/read-market.ts';

export type ProfitMode = 'PROFIT_CALC_FOREX' | 'PROFIT_CALC_CFD' | 'PROFIT_CALC_FUTURES';

/** A traded instrument. Prices and sizes are plain numbers, as in the platforms' records. */
export type Instrument = Omit<
  SymbolRecord,
  'marginMode' | 'tickSize' | 'tickValue' | 'marginRates' | 'leverageTiers'
> & {
  description: string;
  /** p4 security group: 0 currency pairs, 1 the rest. */
  securityGroup: number;
  /** MARGIN_CALC_… on p4, the name of the calculation mode on p5. */
  marginMode: string;
  profitMode: ProfitMode;
  /** The mean level of the price, and its daily move as a part of it. */
  price: number;
  dailyMove: number;
  /** A pair whose price is the product of two others. */
  product?: readonly [string, string];
  /** Ask minus bid in points. */
  spread: number;
  /** Points per lot and night. */
  swapLong: number;
  swapShort: number;
  tickSize: number;
  tickValue: number;
  marginRates?: Record<string, number>;
  /** Epoch time in milliseconds. */
  expirationMs?: number;
};

type Needed = Pick<Instrument, 'symbol' | 'description' | 'marginMode' | 'price' | 'contractSize'>;

export const pair = (
  symbol: string,
  description: string,
  price: number,
  swaps: [number, number],
  rest: Partial<Instrument> = {},
): Instrument => ({
  symbol,
  description,
  securityGroup: 0,
  marginMode: 'FOREX',
  profitMode: 'PROFIT_CALC_FOREX',
  currencyBase: symbol.slice(0, 3),
  currencyProfit: symbol.slice(3, 6),
  currencyMargin: symbol.slice(0, 3),
  digits: price > 20 ? 3 : 5,
  contractSize: 100_000,
  price,
  dailyMove: 0.005,
  spread: 12,
  volumeMin: 0.01,
  volumeMax: 100,
  volumeStep: 0.01,
  swapLong: swaps[0],
  swapShort: swaps[1],
  tickSize: 0,
  tickValue: 0,
  marginHedged: 100_000,
  ...rest,
});

export const other = (needed: Needed, currency: string, rest: Partial<Instrument>): Instrument => ({
  securityGroup: 1,
  profitMode: 'PROFIT_CALC_CFD',
  currencyBase: currency,
  currencyProfit: currency,
  currencyMargin: currency,
  digits: 2,
  dailyMove: 0.01,
  spread: 20,
  volumeMin: 0.1,
  volumeMax: 500,
  volumeStep: 0.1,
  swapLong: 0,
  swapShort: 0,
  tickSize: 0,
  tickValue: 0,
  ...needed,
  ...rest,
});

export const PAIRS: readonly Instrument[] = [
  pair('EURUSD', 'Euro vs US Dollar', 1.152, [-7.1, 2.4]),
  pair('GBPUSD', 'Great Britain Pound vs US Dollar', 1.312, [-3.2, -1.1], { spread: 16 }),
  pair('USDJPY', 'US Dollar vs Japanese Yen', 154.6, [9.8, -21.4]),
  pair('EURJPY', 'Euro vs Japanese Yen', 178.1, [6.3, -16.9], {
    product: ['EURUSD', 'USDJPY'],
    spread: 18,
  }),
  pair('AUDUSD', 'Australian Dollar vs US Dollar', 0.652, [-1.9, -1.3]),
  pair('USDCHF', 'US Dollar vs Swiss Franc', 0.806, [4.9, -11.2]),
  pair('USDCAD', 'US Dollar vs Canadian Dollar', 1.402, [1.1, -6.7], { spread: 18 }),
];

export const GOLD: Needed = {
  symbol: 'XAUUSD',
  description: 'Gold vs US Dollar',
  marginMode: 'CFDLEVERAGE',
  price: 4080,
  contractSize: 100,
};
export const GOLD_REST: Partial<Instrument> = {
  currencyBase: 'XAU',
  dailyMove: 0.011,
  spread: 25,
  volumeMin: 0.01,
  volumeMax: 50,
  volumeStep: 0.01,
  swapLong: -38,
  swapShort: 21,
};
export const INDEX: Needed = {
  symbol: 'US500',
  description: 'US 500 Index',
  marginMode: 'CFDINDEX',
  price: 6650,
  contractSize: 1,
};
export const INDEX_REST: Partial<Instrument> = {
  digits: 1,
  spread: 6,
  tickSize: 0.1,
  tickValue: 0.1,
  swapLong: -12,
  swapShort: 3,
};
export const BITCOIN: Needed = {
  symbol: 'BTCUSD',
  description: 'Bitcoin vs US Dollar',
  marginMode: 'CFD',
  price: 92_500,
  contractSize: 1,
};
export const BITCOIN_REST: Partial<Instrument> = {
  dailyMove: 0.028,
  spread: 1800,
  volumeMin: 0.01,
  volumeMax: 10,
  volumeStep: 0.01,
  swapLong: -2600,
  swapShort: 900,
};

/**
 * Half-unit steps of an index future, 12.5 dollars each: tickValue ÷ tickSize is the point value.
 */
export const FUTURE: Needed = {
  symbol: 'ESH27',
  description: 'E-mini Index Future, March 2027',
  marginMode: 'FUTURES',
  price: 6690,
  contractSize: 50,
};
export const FUTURE_REST: Partial<Instrument> = {
  profitMode: 'PROFIT_CALC_FUTURES',
  spread: 25,
  tickSize: 0.25,
  tickValue: 12.5,
  volumeMin: 1,
  volumeStep: 1,
  marginInitial: 15_400,
  marginMaintenance: 14_000,
  expirationMs: Date.UTC(2027, 2, 19, 14, 30),
};
