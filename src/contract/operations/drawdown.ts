import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import { brokerTime } from '../primitives.ts';
import { accountParams } from './accounts.ts';

/** Hours of one answer: more than ten years. */
export const MAX_DRAWDOWN_POINTS = 100_000;
export const MAX_DRAWDOWN_SPELLS = 20;

const time = (description: string) => Type.String({ maxLength: 23, description });

const spell = Type.Object(
  {
    startBrokerTime: time('Hour of the highest point before'),
    troughBrokerTime: time('Hour of the lowest point'),
    recoveryBrokerTime: Type.Optional(time('Hour in which it was made up; absent while it lasts')),
    depth: Type.Number({ description: 'Fraction of the highest point' }),
  },
  { $id: 'DrawdownSpell', additionalProperties: false },
);

const drawdown = Type.Object(
  {
    deepest: Type.Number({ description: 'Of the whole history, as a fraction of 1' }),
    gain: Type.Number({ description: 'Of the index since the first hour, as a fraction of 1' }),
    points: Type.Array(
      Type.Object(
        {
          startBrokerTime: time('hh:00:00.000'),
          below: Type.Number({
            description: 'At the deepest of the hour, as a fraction of the highest point so far',
          }),
        },
        { additionalProperties: false },
      ),
      { maxItems: MAX_DRAWDOWN_POINTS, description: 'Hours of the range, in order' },
    ),
    spells: Type.Array(spell, {
      maxItems: MAX_DRAWDOWN_SPELLS,
      description: 'The deepest of the whole history, deepest first',
    }),
    transfers: Type.Array(
      Type.Object(
        { brokerTime: time('When it was booked'), amount: Type.Number() },
        { additionalProperties: false },
      ),
      { maxItems: 1000, description: 'Deposits and withdrawals of the range, the newest of them' },
    ),
  },
  { $id: 'EquityDrawdown', additionalProperties: false },
);
export type DrawdownRecord = Static<typeof drawdown>;

export const readDrawdownOperation = defineOperation({
  operationId: 'readEquityDrawdown',
  method: 'GET',
  path: '/users/current/accounts/:accountId/equity-drawdown',
  base: 'risk',
  scope: 'read',
  summary: 'Drawdown of the equity with deposits and withdrawals taken out, by hours',
  description:
    'Of the time-weighted index over the whole history; points and transfers are those of the range, by default of the last 30 days.',
  params: accountParams,
  querystring: Type.Object({
    startTime: Type.Optional(brokerTime('Start of the range')),
    endTime: Type.Optional(brokerTime('End of the range, exclusive')),
  }),
  isLong: true,
  response: { 200: drawdown },
  errors: [404],
});
