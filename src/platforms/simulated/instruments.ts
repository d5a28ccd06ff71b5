import type { Family } from './groups.ts';

export type ProfitMode = 'PROFIT_CALC_FOREX' | 'PROFIT_CALC_CFD' | 'PROFIT_CALC_FUTURES';

/** What is traded. Prices and sizes are plain numbers, as the platforms' records hold them. */
export type Instrument = {
  symbol: string;
  description: string;
  /** p4 security group: 0 currency pairs, 1 the rest. */
  securityGroup: number;
  /** MARGIN_CALC_… on p4, the name of the calculation mode on p5. */
  marginMode: string;
  profitMode: ProfitMode;
  currencyBase: string;
  currencyProfit: string;
  currencyMargin: string;
  digits: number;
  contractSize: number;
  /** The level that the price wanders around, and how far it goes in a day as a part of it. */
  price: number;
  dailyMove: number;
  /** A pair whose price is the product of two others. */
  product?: readonly [string, string];
  /** Ask minus bid in points. */
  spread: number;
  volumeMin: number;
  volumeMax: number;
  volumeStep: number;
  /** Points a lot and night. */
  swapLong: number;
  swapShort: number;
  tickSize: number;
  tickValue: number;
  marginInitial?: number;
  marginMaintenance?: number;
  marginHedged?: number;
  marginRates?: Record<string, number>;
  /** p4 percentage of the margin. */
  percentage?: number;
  faceValue?: number;
  /** FORTS futures: clearing price of the last session. */
  priceSettle?: number;
  /** Epoch time in milliseconds. */
  expirationMs?: number;
};

type Needed = Pick<Instrument, 'symbol' | 'description' | 'marginMode' | 'price' | 'contractSize'>;

const pair = (
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

const other = (needed: Needed, currency: string, rest: Partial<Instrument>): Instrument => ({
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

const PAIRS: readonly Instrument[] = [
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

const GOLD: Needed = {
  symbol: 'XAUUSD',
  description: 'Gold vs US Dollar',
  marginMode: 'CFDLEVERAGE',
  price: 4080,
  contractSize: 100,
};
const GOLD_REST: Partial<Instrument> = {
  currencyBase: 'XAU',
  dailyMove: 0.011,
  spread: 25,
  volumeMin: 0.01,
  volumeMax: 50,
  volumeStep: 0.01,
  swapLong: -38,
  swapShort: 21,
};
const INDEX: Needed = {
  symbol: 'US500',
  description: 'US 500 Index',
  marginMode: 'CFDINDEX',
  price: 6650,
  contractSize: 1,
};
const INDEX_REST: Partial<Instrument> = {
  digits: 1,
  spread: 6,
  tickSize: 0.1,
  tickValue: 0.1,
  swapLong: -12,
  swapShort: 3,
};
const BITCOIN: Needed = {
  symbol: 'BTCUSD',
  description: 'Bitcoin vs US Dollar',
  marginMode: 'CFD',
  price: 92_500,
  contractSize: 1,
};
const BITCOIN_REST: Partial<Instrument> = {
  dailyMove: 0.028,
  spread: 1800,
  volumeMin: 0.01,
  volumeMax: 10,
  volumeStep: 0.01,
  swapLong: -2600,
  swapShort: 900,
};

/** Half-unit steps of an index future, 12.5 dollars each: tickValue ÷ tickSize is the point value. */
const FUTURE: Needed = {
  symbol: 'ESH27',
  description: 'E-mini Index Future, March 2027',
  marginMode: 'FUTURES',
  price: 6690,
  contractSize: 50,
};
const FUTURE_REST: Partial<Instrument> = {
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

/** A p4 server calculates in five modes; its percentage is applied after conversion. */
const P4_INSTRUMENTS: readonly Instrument[] = [
  ...PAIRS.map((instrument) => ({
    ...instrument,
    marginMode: 'MARGIN_CALC_FOREX',
    // A p4 server states hedged margin for one leg, a p5 server for both.
    marginHedged: 50_000,
    percentage: 100,
  })),
  other({ ...GOLD, marginMode: 'MARGIN_CALC_CFDLEVERAGE' }, 'USD', {
    ...GOLD_REST,
    percentage: 100,
  }),
  other({ ...INDEX, marginMode: 'MARGIN_CALC_CFDINDEX' }, 'USD', { ...INDEX_REST, percentage: 5 }),
  other({ ...BITCOIN, marginMode: 'MARGIN_CALC_CFD' }, 'USD', { ...BITCOIN_REST, percentage: 10 }),
  other({ ...FUTURE, marginMode: 'MARGIN_CALC_FUTURES' }, 'USD', {
    ...FUTURE_REST,
    percentage: 100,
  }),
];

/** One rate for market orders, none for pending ones: the usual setting of a p5 server. */
const marketRates = (rate: number): Record<string, number> => ({
  ORDER_TYPE_BUY: rate,
  ORDER_TYPE_SELL: rate,
});

const share = (marginMode: string, symbol: string, currency: string, price: number): Instrument =>
  other({ symbol, description: `${symbol} share`, marginMode, price, contractSize: 1 }, currency, {
    volumeMin: 1,
    volumeStep: 1,
    volumeMax: 10_000,
    dailyMove: 0.016,
    spread: 4,
  });

const future = (
  marginMode: string,
  symbol: string,
  currency: string,
  rest: Partial<Instrument> = {},
): Instrument =>
  other({ ...FUTURE, marginMode, symbol, description: `${symbol} future` }, currency, {
    ...FUTURE_REST,
    ...rest,
  });

const option = (marginMode: string, symbol: string, marginInitial?: number): Instrument =>
  other(
    { symbol, description: `${symbol} option`, marginMode, price: 18.4, contractSize: 100 },
    'USD',
    {
      volumeMin: 1,
      volumeStep: 1,
      dailyMove: 0.06,
      expirationMs: Date.UTC(2027, 5, 18, 20),
      ...(marginInitial === undefined ? {} : { marginInitial }),
    },
  );

const bond = (marginMode: string, symbol: string, currency: string): Instrument =>
  other(
    { symbol, description: `${symbol} bond`, marginMode, price: 98.5, contractSize: 1 },
    currency,
    { faceValue: 1000, volumeMin: 1, volumeStep: 1, dailyMove: 0.002, spread: 8 },
  );

const P5_INSTRUMENTS: readonly Instrument[] = [
  ...PAIRS,
  pair('USDRUB', 'US Dollar vs Russian Rouble', 81.2, [0, 0], {
    marginMode: 'FOREX_NO_LEVERAGE',
    spread: 120,
    volumeMax: 5,
  }),
  other(GOLD, 'USD', GOLD_REST),
  other(INDEX, 'USD', { ...INDEX_REST, marginRates: marketRates(0.05) }),
  other(BITCOIN, 'USD', { ...BITCOIN_REST, marginRates: marketRates(0.1) }),
  future('FUTURES', 'ESH27', 'USD'),
  future('EXCH_FUTURES', 'FESX-3.27', 'EUR'),
  future('EXCH_FUTURES_FORTS', 'Si-3.27', 'RUB', {
    price: 82_400,
    priceSettle: 82_400,
    dailyMove: 0.005,
    digits: 0,
    spread: 3,
    tickSize: 1,
    tickValue: 1,
    marginInitial: 12_600,
    marginMaintenance: 12_600,
  }),
  share('EXCH_STOCKS', 'ACME', 'USD', 214),
  share('EXCH_STOCKS_MOEX', 'VOLGA', 'RUB', 288),
  option('EXCH_OPTIONS', 'ACME-C220', 1800),
  option('EXCH_OPTIONS_MARGIN', 'ACME-P200'),
  bond('EXCH_BONDS', 'TBOND-35', 'USD'),
  bond('EXCH_BONDS_MOEX', 'OFZ-29', 'RUB'),
  other(
    { ...GOLD, symbol: 'XAU.deposit', description: 'Gold held', marginMode: 'SERV_COLLATERAL' },
    'USD',
    GOLD_REST,
  ),
];

export const instrumentsOf = (family: Family): readonly Instrument[] =>
  family === 'p4' ? P4_INSTRUMENTS : P5_INSTRUMENTS;
