import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import {
  amount,
  answerText,
  brokerTimeText,
  clockOffsetSeconds,
  count,
  idText,
  record,
} from '../primitives.ts';
import { accountParams } from './accounts.ts';
import { accountState, ageSeconds, clockOff } from './accounts-overview.ts';
import { MAX_LIMITS_PER_ACCOUNT } from './enrolments.ts';
import { exceededThreshold } from './trackers.ts';

const limitRoom = record('LimitRoom', {
  trackerId: idText('Tracker id'),
  name: answerText(250, 'Name of the tracker; for a rule of an enrolment, its phase and kind'),
  startBrokerTime: brokerTimeText('Start of the running period'),
  endBrokerTime: Type.Optional(brokerTimeText('Its last moment; absent if it has no end')),
  secondsToReset: Type.Optional(Type.Number({ description: 'Until it ends' })),
  floor: Type.Optional(amount('Lowest allowed equity')),
  toFloor: Type.Optional(amount('Equity above the floor; negative beyond it')),
  used: Type.Optional(
    Type.Number({ description: 'Current drawdown as a part of its limit; above 1: beyond it' }),
  ),
  target: Type.Optional(amount('Equity above which the target is reached')),
  toTarget: Type.Optional(amount('Equity missing to the target; negative beyond it')),
  exceeded: Type.Optional(exceededThreshold),
});
export type LimitRoomRecord = Static<typeof limitRoom>;

const unexplainedMovements = record(
  'UnexplainedMovements',
  {
    count: count('Number of movements that deals may still explain; at least 1'),
    newest: record('UnexplainedMovement', {
      fromBrokerTime: brokerTimeText('The snapshot before it'),
      toBrokerTime: brokerTimeText('The snapshot that showed it'),
      money: amount('The movement of the balance without a known deal'),
    }),
  },
  {
    description:
      'Movements of the balance without a known deal, which count as trading result until one is known; absent if there are none',
  },
);

export const standing = record('AccountStanding', {
  state: accountState,
  unwatched: Type.Boolean({ description: 'In use, but without a loss limit measured now' }),
  brokerTime: Type.Optional(brokerTimeText('Broker time of the newest snapshot')),
  ageSeconds,
  clockOffsetSeconds,
  clockOff,
  balance: Type.Optional(amount('Balance')),
  equity: Type.Optional(amount('Equity')),
  dayProfit: Type.Optional(
    Type.Number({
      description: "Change of the equity since the broker's midnight, without transfers",
    }),
  ),
  lossPerHour: Type.Optional(
    Type.Number({
      description:
        'Equity lost per hour, over the last 15 to 75 minutes, without transfers; only while live',
    }),
  ),
  unexplainedMovements: Type.Optional(unexplainedMovements),
  limits: Type.Array(limitRoom, {
    maxItems: MAX_LIMITS_PER_ACCOUNT,
    description: 'Of trackers with a running period, in the order of their creation',
  }),
});
export type AccountStandingRecord = Static<typeof standing>;

export const readStandingOperation = defineOperation({
  operationId: 'readAccountStanding',
  method: 'GET',
  path: '/users/current/accounts/:accountId/standing',
  base: 'risk',
  scope: 'read',
  summary: 'The standing of an account',
  description: 'Its figures as of the newest snapshot, and the room left by each of its limits.',
  params: accountParams,
  response: { 200: standing },
  errors: [404],
});
