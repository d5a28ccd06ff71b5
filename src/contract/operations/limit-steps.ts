import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import {
  amount,
  answerText,
  brokerTime,
  brokerTimeText,
  idText,
  PAGE_BYTES,
  record,
} from '../primitives.ts';
import { accountParams } from './accounts.ts';
import { MAX_TRACKERS_PER_ACCOUNT } from './trackers.ts';

/** Of one tracker; of more, the newest. */
export const MAX_LIMIT_STEPS = 5000;

const trackerLimits = record('TrackerLimits', {
  trackerId: idText('Tracker id'),
  name: answerText(200, 'Name of the tracker'),
  steps: Type.Array(
    record('LimitStep', {
      startBrokerTime: brokerTimeText('Start of the stretch'),
      endBrokerTime: brokerTimeText('The last moment of the stretch'),
      floor: Type.Optional(amount('Lowest allowed equity')),
      target: Type.Optional(amount('Equity above which the target is reached')),
    }),
    { maxItems: MAX_LIMIT_STEPS },
  ),
});
export type TrackerLimitsRecord = Static<typeof trackerLimits>;

export const readLimitStepsOperation = defineOperation({
  operationId: 'readLimitSteps',
  method: 'GET',
  path: '/users/current/accounts/:accountId/limit-steps',
  base: 'risk',
  scope: 'read',
  summary: 'Read floors and targets over time',
  description:
    'Of all trackers of an account, by period, and within a period if deposits are adjusted or a baseline trails: see docs/trackers.md. Default: the last 30 days.',
  params: accountParams,
  querystring: Type.Object({
    startTime: Type.Optional(brokerTime('Start of the range')),
    endTime: Type.Optional(brokerTime('End of the range')),
  }),
  response: {
    200: Type.Array(trackerLimits, {
      maxItems: MAX_TRACKERS_PER_ACCOUNT,
      maxBytes: PAGE_BYTES,
    }),
  },
  errors: [404],
});
