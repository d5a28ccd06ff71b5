import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import { brokerTime } from '../primitives.ts';
import { accountParams } from './accounts.ts';
import { MAX_TRACKERS_PER_ACCOUNT } from './trackers.ts';

/** Of one tracker; of more, the newest. */
export const MAX_LIMIT_STEPS = 5000;

const time = (description: string) => Type.String({ maxLength: 23, description });

const trackerLimits = Type.Object(
  {
    trackerId: Type.String({ maxLength: 128 }),
    name: Type.String({ maxLength: 200 }),
    steps: Type.Array(
      Type.Object(
        {
          startBrokerTime: time('From here on'),
          endBrokerTime: time('The last moment of the stretch'),
          floor: Type.Optional(Type.Number({ description: 'Lowest equity that is allowed' })),
          target: Type.Optional(
            Type.Number({ description: 'Equity above which the target is reached' }),
          ),
        },
        { additionalProperties: false },
      ),
      { maxItems: MAX_LIMIT_STEPS },
    ),
  },
  { $id: 'TrackerLimits', additionalProperties: false },
);
export type TrackerLimitsRecord = Static<typeof trackerLimits>;

export const readLimitStepsOperation = defineOperation({
  operationId: 'readLimitSteps',
  method: 'GET',
  path: '/users/current/accounts/:accountId/limit-steps',
  base: 'risk',
  scope: 'read',
  summary: 'Floors and targets of all trackers of an account over a range of time',
  description:
    'By period, and within one where deposits are adjusted or a baseline trails: see docs/trackers.md. By default of the last 30 days.',
  params: accountParams,
  querystring: Type.Object({
    startTime: Type.Optional(brokerTime('Start of the range')),
    endTime: Type.Optional(brokerTime('End of the range')),
  }),
  isLong: true,
  response: {
    200: Type.Array(trackerLimits, { maxItems: MAX_TRACKERS_PER_ACCOUNT }),
  },
  errors: [404],
});
