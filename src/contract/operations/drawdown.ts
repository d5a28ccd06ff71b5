import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import { amount, brokerTime, brokerTimeText, record } from '../primitives.ts';
import { accountParams } from './accounts.ts';

/** Hours of one answer: more than ten years. */
export const MAX_DRAWDOWN_POINTS = 100_000;
export const MAX_DRAWDOWN_SPELLS = 20;

const spell = record('DrawdownSpell', {
  startBrokerTime: brokerTimeText('Hour of the highest point before'),
  troughBrokerTime: brokerTimeText('Hour of the lowest point'),
  recoveryBrokerTime: Type.Optional(brokerTimeText('Hour of recovery; absent while it lasts')),
  depth: Type.Number({ description: 'Fraction of the highest point' }),
});

const drawdown = record('EquityDrawdown', {
  deepest: Type.Number({ description: 'Of the whole history, as a fraction of 1' }),
  gain: Type.Number({ description: 'Of the index since the first hour, as a fraction of 1' }),
  points: Type.Array(
    record('DrawdownPoint', {
      startBrokerTime: brokerTimeText('hh:00:00.000'),
      below: Type.Number({
        description: 'Deepest of the hour, as a fraction of the highest point so far',
      }),
      index: Type.Number({
        description: 'The index at the end of the hour; it began at 1 with the first hour',
      }),
    }),
    { maxItems: MAX_DRAWDOWN_POINTS, description: 'Hours of the range, in order' },
  ),
  spells: Type.Array(spell, {
    maxItems: MAX_DRAWDOWN_SPELLS,
    description: 'The deepest of the whole history, deepest first',
  }),
  transfers: Type.Array(
    record('Transfer', {
      brokerTime: brokerTimeText('When it was booked'),
      amount: amount('Paid in; negative: paid out'),
    }),
    { maxItems: 1000, description: 'Deposits and withdrawals of the range, the newest of them' },
  ),
});
export type DrawdownRecord = Static<typeof drawdown>;

export const readDrawdownOperation = defineOperation({
  operationId: 'readEquityDrawdown',
  method: 'GET',
  path: '/users/current/accounts/:accountId/equity-drawdown',
  base: 'risk',
  scope: 'read',
  summary: 'Read the drawdown of the equity',
  description:
    'By hours, with deposits and withdrawals taken out: of the time-weighted index over the whole history; points and transfers are those of the range, by default of the last 30 days.',
  params: accountParams,
  querystring: Type.Object({
    startTime: Type.Optional(brokerTime('Start of the range')),
    endTime: Type.Optional(brokerTime('End of the range, exclusive')),
  }),
  longAnswer: 'a number for each hour of the chart',
  response: { 200: drawdown },
  errors: [404],
});
