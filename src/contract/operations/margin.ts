import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { amount, brokerTime, flag, MAX_PRICE, record } from '../primitives.ts';
import { accountParams } from './accounts.ts';
import { symbolName } from './deals.ts';

/** Symbols, and quotes, of one market. */
const MAX_MARKET_ITEMS = 1000;
/** A thousand symbols and quotes of a generous 2 KB together. */
const MARKET_BODY_BYTES = 2 * 1024 * 1024;

const notNegative = (description: string) =>
  Type.Number({ minimum: 0, maximum: MAX_PRICE, description });
const positive = (description: string) =>
  Type.Number({ exclusiveMinimum: 0, maximum: MAX_PRICE, description });
const currencyCode = (description: string) =>
  Type.String({
    maxLength: 16,
    pattern: '^[A-Za-z0-9]{2,16}$',
    expected: 'must be 2 to 16 letters and digits',
    description,
  });

const rate = Type.Optional(
  Type.Number({ minimum: 0, maximum: 1_000_000, description: 'Factor on the margin' }),
);
const rates = record(
  'MarginRates',
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
  { description: 'Factor for each order type; absent: 1 for buy and sell, 0 for pending orders' },
);

const marketSymbol = record('MarketSymbol', {
  symbol: symbolName,
  marginMode: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'MARGIN_CALC_… or the name of a p5 calculation mode, for example EXCH_STOCKS',
  }),
  contractSize: positive('Units of one lot'),
  currencyBase: currencyCode('Base currency'),
  currencyProfit: currencyCode('Currency of profits'),
  currencyMargin: currencyCode('Currency of the margin'),
  digits: Type.Integer({ minimum: 0, maximum: 10, description: 'Decimal digits of the price' }),
  volumeMin: notNegative('Smallest volume of an order, lots'),
  volumeMax: notNegative('Largest volume of an order, lots; 0: no limit'),
  volumeStep: notNegative('Step of volumes, lots; 0: any volume'),
  tickSize: Type.Optional(notNegative('Smallest step of the price')),
  tickValue: Type.Optional(notNegative('Value of that step, in the margin currency')),
  marginInitial: Type.Optional(notNegative('Fixed margin of a lot; 0: by the mode')),
  marginMaintenance: Type.Optional(notNegative('Fixed margin of a held lot; 0: as marginInitial')),
  marginHedged: Type.Optional(notNegative('Margin, or contract size, of a covered lot')),
  marginRates: Type.Optional(rates),
  percentage: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1_000_000, description: 'p4: charged percentage' }),
  ),
  leverageTiers: Type.Optional(
    Type.Array(
      record('LeverageTier', {
        fromVolume: notNegative('Lots above which it applies, to the part above only'),
        leverage: positive('Leverage, at most that of the account'),
      }),
      { maxItems: 32, description: 'Leverage that falls with the volume, in order of volume' },
    ),
  ),
  faceValue: Type.Optional(notNegative('Bonds: face value')),
  priceSettle: Type.Optional(notNegative('FORTS futures: clearing price of the last session')),
  marginCurrencyRate: Type.Optional(notNegative('FORTS futures: currency radius in percent')),
});

const marketQuote = record('MarketQuote', {
  symbol: symbolName,
  bid: positive('Best bid'),
  ask: positive('Best ask'),
  brokerTime: brokerTime('When the quote was made'),
});

const market = record('Market', {
  symbols: Type.Array(marketSymbol, { maxItems: MAX_MARKET_ITEMS }),
  quotes: Type.Array(marketQuote, { maxItems: MAX_MARKET_ITEMS }),
});

export const putMarketOperation = defineOperation({
  operationId: 'putMarket',
  method: 'PUT',
  path: '/users/current/accounts/:accountId/market',
  base: 'client',
  scope: 'ingest',
  summary: 'Replace the symbols and quotes of an account',
  description:
    'Data for margin, for accounts without a provisioning profile. Include the pairs that convert margin currencies; their quotes also give the rates of `readCombinedCurve`.',
  params: accountParams,
  body: market,
  bodyLimitBytes: MARKET_BODY_BYTES,
  response: { 204: null },
  errors: [404],
});

/**
 * Ranges and words are checked together with the symbol's limits, so that all faults are reported
 * at once.
 */
const marginOrder = Type.Object(
  {
    symbol: symbolName,
    type: Type.String({
      maxLength: 64,
      description:
        'ORDER_TYPE_BUY, _SELL, _BUY_LIMIT, _SELL_LIMIT, _BUY_STOP, _SELL_STOP, _BUY_STOP_LIMIT, _SELL_STOP_LIMIT or _CLOSE_BY',
    }),
    volume: positive("Lots, within the symbol's minimum, maximum and step"),
    openPrice: positive('Price of the order'),
  },
  { $id: 'MarginOrder', additionalProperties: true },
);

export const calculateMarginOperation = defineOperation({
  operationId: 'calculateMargin',
  method: 'POST',
  path: '/users/current/accounts/:accountId/calculate-margin',
  base: 'client',
  scope: 'read',
  summary: 'Margin that an order needs',
  description:
    'As if the account held nothing else. The field is absent while the margin cannot be calculated, for example because a quote is missing: send the market first. The header `margin-basis` names the method: `formula`, `fixed`, `tiers`, or `unavailable` with the reason in `margin-doubt`.',
  params: accountParams,
  querystring: Type.Object({
    askPlatform: flag(
      'True: a p5 platform itself says what the order adds to the margin of all that the account holds, 0 or less where it covers; `margin-basis` is `platform`',
    ),
  }),
  body: marginOrder,
  response: { 200: record('Margin', { margin: Type.Optional(amount('Margin of the order')) }) },
  errors: [404],
});
