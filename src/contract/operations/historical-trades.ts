import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import { brokerTime, page, pathId } from '../primitives.ts';

export const historicalTrade = Type.Object(
  {
    _id: Type.String({ description: 'accountId+positionId' }),
    accountId: Type.String(),
    positionId: Type.String(),
    volume: Type.Number({ description: 'Lots entered' }),
    durationInMinutes: Type.Integer({ description: 'Whole minutes, floored' }),
    profit: Type.Number({ description: 'Net of swap, commission and fee' }),
    gain: Type.Number({ description: 'Percent of the balance just before the position opened' }),
    success: Type.Enum(['won', 'lost']),
    openTime: Type.String(),
    closeTime: Type.String(),
    type: Type.String({ description: 'Type of the opening deal, or of the balance operation' }),
    symbol: Type.Optional(Type.String()),
    openPrice: Type.Optional(Type.Number({ description: 'Volume-weighted' })),
    closePrice: Type.Optional(Type.Number({ description: 'Volume-weighted' })),
    pips: Type.Optional(Type.Number({ description: "+ in the trade's favour" })),
    comment: Type.Optional(Type.String()),
  },
  { $id: 'HistoricalTrade' },
);
export type HistoricalTrade = Static<typeof historicalTrade>;

export const historicalTradesOperation = defineOperation({
  operationId: 'readHistoricalTrades',
  method: 'GET',
  path: '/users/current/accounts/:accountId/historical-trades/:startTime/:endTime',
  base: 'stats',
  scope: 'read',
  summary: 'Historical trades of a range of close times',
  description:
    'startTime ≤ closeTime < endTime, in order of close time, then id. 202 with retry-after while the trades are still being computed.',
  params: Type.Object({
    accountId: pathId('Account id'),
    startTime: brokerTime('Start of the range, inclusive'),
    endTime: brokerTime('End of the range, exclusive'),
  }),
  querystring: Type.Object({
    ...page,
    updateHistory: Type.Optional(
      Type.Boolean({ default: false, description: 'Ask the platform for new deals first' }),
    ),
  }),
  isLong: true,
  response: {
    200: Type.Object({ trades: Type.Array(historicalTrade) }),
    202: Type.Object({ status: Type.String(), message: Type.String() }),
  },
  errors: [404],
});
