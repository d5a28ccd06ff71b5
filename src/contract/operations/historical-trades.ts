import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import {
  amount,
  answerText,
  brokerTime,
  brokerTimeText,
  count,
  flag,
  idText,
  page,
  pageOf,
  pathId,
  record,
  words,
} from '../primitives.ts';

/** Account id, a plus sign and position id. */
export const MAX_TRADE_ID = 256;

export const historicalTrade = record(
  'HistoricalTrade',
  {
    _id: answerText(MAX_TRADE_ID, 'Account id, a plus sign and position id'),
    accountId: idText('Account id'),
    positionId: answerText(MAX_TRADE_ID, 'Position id'),
    volume: Type.Number({ description: 'Lots entered; 0 for balance operations' }),
    durationInMinutes: count('Whole minutes, rounded down'),
    profit: amount('Net of swap, commission and fee'),
    gain: Type.Number({
      description: 'Profit in percent of the balance just before the position opened',
    }),
    success: words(['won', 'lost'], { $id: 'TradeOutcome', description: 'won: a profit above 0' }),
    openTime: brokerTimeText('When the position opened'),
    closeTime: brokerTimeText('When the position closed'),
    type: answerText(64, 'Type of the opening deal, or of the balance operation'),
    symbol: Type.Optional(answerText(64, 'Symbol; absent for balance operations')),
    openPrice: Type.Optional(Type.Number({ description: 'Volume-weighted' })),
    closePrice: Type.Optional(Type.Number({ description: 'Volume-weighted' })),
    pips: Type.Optional(Type.Number({ description: "Positive in the trade's favour" })),
    comment: Type.Optional(answerText(4000, 'Comment of what opened it')),
    magic: Type.Optional(
      Type.Integer({ description: 'Magic number of the expert; 0 for manual trades' }),
    ),
    stopLoss: Type.Optional(Type.Number({ description: 'Price of the stop, if known' })),
    takeProfit: Type.Optional(Type.Number({ description: 'Price of the target' })),
    marketValue: Type.Optional(
      Type.Number({
        description:
          'Value of the volume at the open price, in the currency of the account; absent where profit and prices do not tell it',
      }),
    ),
    riskInBalancePercent: Type.Optional(
      Type.Number({
        description: 'Loss at the stop, in percent of the balance at the opening',
      }),
    ),
    riskInPips: Type.Optional(Type.Number({ description: 'Distance of the stop' })),
  },
  { description: 'A closed position, or an operation on the balance' },
);
export type HistoricalTrade = Static<typeof historicalTrade>;

/** The answer of 202. */
export const computing = record('Computing', {
  status: answerText(16, 'computing'),
  message: answerText(200, 'What is being computed, with advice'),
});

export const historicalTradesOperation = defineOperation({
  operationId: 'readHistoricalTrades',
  method: 'GET',
  path: '/users/current/accounts/:accountId/historical-trades/:startTime/:endTime',
  base: 'stats',
  scope: 'read',
  summary: 'Historical trades of a range of close times',
  description:
    'Trades with startTime ≤ closeTime < endTime, in the order of closeTime, then id. 202 while the trades are being computed: repeat the request after retry-after seconds. 403 if statistics are not enabled on the account.',
  params: Type.Object({
    accountId: pathId('Account id'),
    startTime: brokerTime('Start of the range, inclusive'),
    endTime: brokerTime('End of the range, exclusive'),
  }),
  querystring: Type.Object({
    ...page,
    updateHistory: flag('Ask the platform for new deals first'),
  }),
  isSentInParts: true,
  response: {
    200: record('HistoricalTrades', { trades: pageOf(historicalTrade) }),
    202: computing,
  },
  errors: [404],
});
