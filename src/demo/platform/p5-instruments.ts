import type { Instrument } from './instrument.ts';
import {
  BITCOIN,
  BITCOIN_REST,
  FUTURE,
  FUTURE_REST,
  GOLD,
  GOLD_REST,
  INDEX,
  INDEX_REST,
  other,
  PAIRS,
  pair,
} from './instrument.ts';

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

export const P5_INSTRUMENTS: readonly Instrument[] = [
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
