import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import { accountParams } from './accounts.ts';
import { MAX_TRACKERS_PER_ACCOUNT } from './trackers.ts';

const text = (maxLength: number, description: string) => Type.String({ maxLength, description });

const limitRoom = Type.Object(
  {
    trackerId: text(128, 'Tracker id'),
    name: text(200, 'Name of the tracker'),
    startBrokerTime: text(23, 'Start of the running period'),
    endBrokerTime: Type.Optional(text(23, 'Its last moment; absent when it has no end')),
    secondsToReset: Type.Optional(Type.Number({ description: 'Until it ends' })),
    floor: Type.Optional(Type.Number({ description: 'Lowest equity that is allowed' })),
    toFloor: Type.Optional(
      Type.Number({ description: 'Equity above the floor; negative beyond it' }),
    ),
    used: Type.Optional(
      Type.Number({ description: 'Drawdown now as a part of its limit; above 1: beyond it' }),
    ),
    target: Type.Optional(Type.Number({ description: 'Equity above which the target is reached' })),
    toTarget: Type.Optional(Type.Number({ description: 'Equity missing to the target' })),
    exceeded: Type.Optional(
      Type.Enum(['drawdown', 'profit'], {
        description: 'Threshold that the period has exceeded, even if the equity came back',
      }),
    ),
  },
  { $id: 'LimitRoom', additionalProperties: false },
);
export type LimitRoomRecord = Static<typeof limitRoom>;

const standing = Type.Object(
  {
    state: Type.Enum(['live', 'stale', 'waiting', 'undeployed'], {
      description:
        'live: a snapshot within five minutes; stale: an older one; waiting: none so far',
    }),
    unwatched: Type.Boolean({ description: 'In use, but no loss limit is measured now' }),
    brokerTime: Type.Optional(text(23, 'Broker time of the newest snapshot')),
    ageSeconds: Type.Optional(
      Type.Number({
        description: "Its age by the account's clock when this was answered; negative: ahead",
      }),
    ),
    balance: Type.Optional(Type.Number()),
    equity: Type.Optional(Type.Number()),
    dayProfit: Type.Optional(
      Type.Number({
        description: "Change of the equity since the broker's midnight, without transfers",
      }),
    ),
    lossPerHour: Type.Optional(
      Type.Number({
        description:
          'Equity lost an hour, of the last quarter to five quarters of an hour, without transfers; only while live',
      }),
    ),
    limits: Type.Array(limitRoom, {
      maxItems: MAX_TRACKERS_PER_ACCOUNT,
      description: 'Of the trackers whose period runs, in the order of their creation',
    }),
  },
  { $id: 'AccountStanding', additionalProperties: false },
);
export type AccountStandingRecord = Static<typeof standing>;

export const readStandingOperation = defineOperation({
  operationId: 'readAccountStanding',
  method: 'GET',
  path: '/users/current/accounts/:accountId/standing',
  base: 'risk',
  scope: 'read',
  summary: 'Where an account stands at this moment, and how much room its limits leave',
  params: accountParams,
  isLong: true,
  response: { 200: standing },
  errors: [404],
});
