import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { brokerTime } from '../primitives.ts';
import { accountParams } from './accounts.ts';
import { historicalTrade } from './historical-trades.ts';

const MAX_FOUND = 200;

const word = (maxLength: number, description: string) =>
  Type.String({ maxLength, pattern: '^[^\\p{Cc}]*$', description });

export const searchTradesOperation = defineOperation({
  operationId: 'searchTrades',
  method: 'GET',
  path: '/users/current/accounts/:accountId/trades',
  base: 'stats',
  scope: 'read',
  summary: 'Historical trades, newest first, by symbol, side, time and words',
  description:
    'A page may hold fewer than `limit`, as one request looks through a bounded part of the history: go on with `before` as `next` says. 202 with retry-after while the trades are still being computed.',
  params: accountParams,
  querystring: Type.Object({
    startTime: Type.Optional(brokerTime('Closed at or after this')),
    endTime: Type.Optional(brokerTime('Closed before this')),
    symbol: Type.Optional(word(64, 'Beginning of the symbol, in any case')),
    kind: Type.Optional(
      Type.Enum(['buy', 'sell', 'other'], { description: 'other: balance operations and costs' }),
    ),
    text: Type.Optional(word(100, 'Part of the comment or the position id, in any case')),
    before: Type.Optional(
      Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'As next says' }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_FOUND, default: 50 })),
  }),
  isLong: true,
  response: {
    200: Type.Object(
      {
        total: Type.Integer({ description: 'Lines of the whole history' }),
        trades: Type.Array(historicalTrade, { maxItems: MAX_FOUND }),
        next: Type.Optional(
          Type.Integer({ description: '`before` of the next page; absent at the end' }),
        ),
      },
      { $id: 'FoundTrades', additionalProperties: false },
    ),
    202: Type.Object({ status: Type.String(), message: Type.String() }),
  },
  errors: [404],
});
