import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import { amount, brokerTime, brokerTimeText, flag, record, words } from '../primitives.ts';
import { accountParams } from './accounts.ts';
import { apiVersionHeader } from './trackers.ts';

/** Hours that one answer holds. */
export const MAX_CHART_HOURS = 100_000;

/** Minutes that one answer holds: those of 48 hours, and the running one. */
export const MAX_CHART_MINUTES = 48 * 60 + 1;

/** Minutes have none: see docs/live-risk.md. */
const ofHour = (description: string) => Type.Optional(amount(`${description}; absent in minutes`));

export const equityChartItem = record(
  'EquityChartItem',
  {
    startBrokerTime: brokerTimeText('Start of the hour, or minute'),
    endBrokerTime: brokerTimeText('Last millisecond of the hour, or minute'),
    averageBalance: ofHour('Balance, weighted by time'),
    minBalance: amount('Least balance'),
    maxBalance: amount('Greatest balance'),
    averageEquity: ofHour('Equity, weighted by time'),
    minEquity: amount('Least equity'),
    maxEquity: amount('Greatest equity'),
    startBalance: ofHour('First balance'),
    startEquity: ofHour('First equity'),
    lastBalance: amount('Last balance'),
    lastEquity: amount('Last equity'),
    brokerTime: Type.Optional(
      brokerTimeText('Moment of the last snapshot: of each minute, and of the running hour'),
    ),
    duration: Type.Optional(Type.Number({ description: 'Milliseconds that the sums cover' })),
    balanceSum: Type.Optional(Type.Number({ description: 'Balance × milliseconds' })),
    equitySum: Type.Optional(Type.Number({ description: 'Equity × milliseconds' })),
    balance: Type.Optional(amount('Balance at brokerTime')),
    equity: Type.Optional(amount('Equity at brokerTime')),
  },
  { description: 'Balance and equity of one hour or minute of broker time' },
);
export type EquityChartItem = Static<typeof equityChartItem>;

export const equityChartOperation = defineOperation({
  operationId: 'readEquityChart',
  method: 'GET',
  path: '/users/current/accounts/:accountId/equity-chart',
  base: 'risk',
  scope: 'read',
  summary: 'Balance and equity of an account by hours or minutes',
  description:
    "Hours of broker time that begin in [the hour of startTime, endTime); default: the last 30 days. Hours without snapshots are absent. The hour still running by the account's clock is included only with realTime. With resolution=minute, minutes of the last 48 hours by the account's clock, which is also their default: the same rules, and each holds what its own snapshots showed.",
  params: accountParams,
  headers: apiVersionHeader,
  querystring: Type.Object({
    startTime: Type.Optional(brokerTime('Start of the range')),
    endTime: Type.Optional(brokerTime('End of the range, exclusive')),
    realTime: flag('Include the running hour or minute'),
    resolution: Type.Optional(
      words(['hour', 'minute'], { default: 'hour', description: 'What an item is of' }),
    ),
  }),
  isSentInParts: true,
  response: { 200: Type.Array(equityChartItem, { maxItems: MAX_CHART_HOURS }) },
  errors: [404],
});
