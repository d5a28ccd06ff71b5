import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import { brokerTime } from '../primitives.ts';
import { accountParams } from './accounts.ts';
import { apiVersionHeader } from './trackers.ts';

const equityChartItem = Type.Object(
  {
    startBrokerTime: Type.String({ description: 'hh:00:00.000' }),
    endBrokerTime: Type.String({ description: 'hh:59:59.999' }),
    averageBalance: Type.Number({ description: 'Weighted by time' }),
    minBalance: Type.Number(),
    maxBalance: Type.Number(),
    averageEquity: Type.Number({ description: 'Weighted by time' }),
    minEquity: Type.Number(),
    maxEquity: Type.Number(),
    startBalance: Type.Number(),
    startEquity: Type.Number(),
    lastBalance: Type.Number(),
    lastEquity: Type.Number(),
    brokerTime: Type.Optional(
      Type.String({ description: 'With realTime, of the running hour: its newest moment' }),
    ),
    duration: Type.Optional(Type.Number({ description: 'Milliseconds that the sums cover' })),
    balanceSum: Type.Optional(Type.Number({ description: 'Balance × milliseconds' })),
    equitySum: Type.Optional(Type.Number({ description: 'Equity × milliseconds' })),
    balance: Type.Optional(Type.Number({ description: 'Balance at brokerTime' })),
    equity: Type.Optional(Type.Number({ description: 'Equity at brokerTime' })),
  },
  { $id: 'EquityChartItem' },
);
export type EquityChartItem = Static<typeof equityChartItem>;

export const equityChartOperation = defineOperation({
  operationId: 'readEquityChart',
  method: 'GET',
  path: '/users/current/accounts/:accountId/equity-chart',
  base: 'risk',
  scope: 'read',
  summary: 'Balance and equity of an account by hours of broker time',
  description:
    "Hours that begin in [the hour of startTime, endTime); the last 30 days where absent. Hours without snapshots are absent. An hour that has not ended by the account's clock is in the answer only with realTime.",
  params: accountParams,
  headers: apiVersionHeader,
  querystring: Type.Object({
    startTime: Type.Optional(brokerTime('Start of the range')),
    endTime: Type.Optional(brokerTime('End of the range, exclusive')),
    realTime: Type.Optional(Type.Boolean({ default: false, description: 'With the running hour' })),
  }),
  isLong: true,
  response: { 200: Type.Array(equityChartItem) },
  errors: [404],
});
