import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { brokerTime, MAX_PRICE } from '../primitives.ts';
import { accountParams } from './accounts.ts';

/** Symbols, and quotes, of one market. */
const MAX_MARKET_ITEMS = 1000;
/** A thousand symbols and quotes of a generous 2 KB together. */
const MARKET_BODY_BYTES = 2 * 1024 * 1024;

const symbolName = Type.String({ minLength: 1, maxLength: 64, pattern: '^[^\\p{Cc}]+$' });
const amount = (description: string) =>
  Type.Number({ minimum: 0, maximum: MAX_PRICE, description });
const positive = (description: string) =>
  Type.Number({ exclusiveMinimum: 0, maximum: MAX_PRICE, description });
const currencyCode = Type.String({ pattern: '^[A-Za-z0-9]{2,16}$' });

const rate = Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 }));
const rates = Type.Object(
  {
    ORDER_TYPE_BUY: rate,
    ORDER_TYPE_SELL: rate,
    ORDER_TYPE_BUY_LIMIT: rate,
    ORDER_TYPE_SELL_LIMIT: rate,
    ORDER_TYPE_BUY_STOP: rate,
    ORDER_TYPE_SELL_STOP: rate,
    ORDER_TYPE_BUY_STOP_LIMIT: rate,
    ORDER_TYPE_SELL_STOP_LIMIT: rate,
  },
  {
    additionalProperties: false,
    description: 'Factor per order type; absent: 1 for buy and sell, 0 for pending orders',
  },
);

const marketSymbol = Type.Object(
  {
    symbol: symbolName,
    marginMode: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'MARGIN_CALC_… or the name of a p5 calculation mode, for example EXCH_STOCKS',
    }),
    contractSize: positive('Units of one lot'),
    currencyBase: currencyCode,
    currencyProfit: currencyCode,
    currencyMargin: currencyCode,
    digits: Type.Integer({ minimum: 0, maximum: 10 }),
    volumeMin: amount('Lots'),
    volumeMax: amount('Lots; 0: no limit'),
    volumeStep: amount('Lots; 0: any volume'),
    tickSize: Type.Optional(amount('Smallest step of the price')),
    tickValue: Type.Optional(amount('Value of that step, in the margin currency')),
    marginInitial: Type.Optional(amount('Fixed margin of a lot; 0: by the mode')),
    marginMaintenance: Type.Optional(amount('Fixed margin of a lot held; 0: as marginInitial')),
    marginHedged: Type.Optional(amount('Margin, or contract size, of a covered lot')),
    marginRates: Type.Optional(rates),
    percentage: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1_000_000, description: 'p4: percent that is charged' }),
    ),
    faceValue: Type.Optional(amount('Bonds: face value')),
    priceSettle: Type.Optional(amount('FORTS futures: clearing price of the last session')),
    marginCurrencyRate: Type.Optional(amount('FORTS futures: currency radius in percent')),
  },
  { $id: 'MarketSymbol', additionalProperties: false },
);

const marketQuote = Type.Object(
  {
    symbol: symbolName,
    bid: positive('Best bid'),
    ask: positive('Best ask'),
    brokerTime: brokerTime('When the quote was made'),
  },
  { $id: 'MarketQuote', additionalProperties: false },
);

const market = Type.Object(
  {
    symbols: Type.Array(marketSymbol, { maxItems: MAX_MARKET_ITEMS }),
    quotes: Type.Array(marketQuote, { maxItems: MAX_MARKET_ITEMS }),
  },
  { additionalProperties: false },
);

export const putMarketOperation = defineOperation({
  operationId: 'putMarket',
  method: 'PUT',
  path: '/users/current/accounts/:accountId/market',
  base: 'client',
  scope: 'ingest',
  summary: 'Replace the symbol settings and quotes that the margin of an account needs',
  description:
    'For accounts without a provisioning profile. Send the pairs that convert margin currencies too.',
  params: accountParams,
  body: market,
  bodyLimitBytes: MARKET_BODY_BYTES,
  response: { 204: null },
  errors: [404],
});

/** Ranges and words are checked with the symbol's own limits, so that every fault comes at once. */
const marginOrder = Type.Object(
  {
    symbol: symbolName,
    type: Type.String({
      maxLength: 64,
      description:
        'ORDER_TYPE_BUY, _SELL, _BUY_LIMIT, _SELL_LIMIT, _BUY_STOP, _SELL_STOP, _BUY_STOP_LIMIT, _SELL_STOP_LIMIT or _CLOSE_BY',
    }),
    volume: Type.Number({ description: "Lots, within the symbol's minimum, maximum and step" }),
    openPrice: Type.Number({ description: 'Price of the order, above 0' }),
  },
  { $id: 'MarginOrder' },
);

export const calculateMarginOperation = defineOperation({
  operationId: 'calculateMargin',
  method: 'POST',
  path: '/users/current/accounts/:accountId/calculate-margin',
  base: 'client',
  scope: 'read',
  summary: 'Margin that an order needs, in the currency of the account',
  description:
    'As if the account held nothing else. The field is absent when the margin cannot be calculated now, for example for want of a quote.',
  params: accountParams,
  body: marginOrder,
  response: { 200: Type.Object({ margin: Type.Optional(Type.Number()) }, { $id: 'Margin' }) },
  errors: [404],
});
