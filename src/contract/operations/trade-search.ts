import Type, { type Static } from 'typebox';
import { TRADE_SIDES } from '../../words/accounts.ts';
import { defineOperation } from '../operation.ts';
import { amount, brokerTime, count, flag, optionalText, record, words } from '../primitives.ts';
import { accountParams } from './accounts.ts';
import { computing, historicalTrade } from './historical-trades.ts';

const MAX_FOUND = 200;

const foundTrade = record(
  'FoundTrade',
  {
    ...historicalTrade.properties,
    maximumAdverseExcursion: Type.Optional(
      amount('Lowest open result in snapshots, net of costs; not above 0'),
    ),
    maximumFavourableExcursion: Type.Optional(
      amount('Highest open result in snapshots, net of costs; not below 0'),
    ),
  },
  { description: 'A historical trade, and how far its result moved while it was open' },
);
export type FoundTrade = Static<typeof foundTrade>;

export const searchTradesOperation = defineOperation({
  operationId: 'searchTrades',
  method: 'GET',
  path: '/users/current/accounts/:accountId/trades',
  base: 'stats',
  scope: 'read',
  summary: 'Search trades',
  description:
    'Historical trades, newest first, by symbol, side, time and words. A page may have fewer than `limit`, as one request searches a bounded part of the history: for the next page, send `next` as `before`. 202 with retry-after while the trades are being computed.',
  params: accountParams,
  querystring: Type.Object({
    startTime: Type.Optional(brokerTime('Closed at or after this')),
    endTime: Type.Optional(brokerTime('Closed before this')),
    symbol: optionalText(64, 'Beginning of the symbol, in any case'),
    kind: Type.Optional(words(TRADE_SIDES, { description: 'other: balance operations and costs' })),
    text: optionalText(100, 'Part of the comment or the position id, in any case'),
    includeExcursions: flag(
      'Adds the maximum adverse and favourable excursion, if a trade was alone in the account and hourly snapshots show them',
    ),
    before: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: '`next` of the previous page',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_FOUND,
        default: 50,
        description: 'Largest number of trades in the answer',
      }),
    ),
  }),
  response: {
    200: record('FoundTrades', {
      total: count('Trades of the whole history'),
      trades: Type.Array(foundTrade, { maxItems: MAX_FOUND }),
      next: Type.Optional(
        Type.Integer({ description: '`before` of the next page; absent at the end' }),
      ),
    }),
    202: computing,
  },
  errors: [404],
});
