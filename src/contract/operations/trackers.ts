import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import { brokerTime, created, MAX_MONEY, money, pathId, text } from '../primitives.ts';
import { accountParams } from './accounts.ts';

/** Trackers of one account. */
export const MAX_TRACKERS_PER_ACCOUNT = 50;

/** The header of operations whose default answer may change one day. */
export const apiVersionHeader = Type.Object({
  'api-version': Type.Optional(
    Type.Number({ description: 'Version of the answer; only 1 is there' }),
  ),
});

const PERIODS = [
  'day',
  'date',
  'week',
  'week-to-date',
  'month',
  'month-to-date',
  'quarter',
  'quarter-to-date',
  'year',
  'year-to-date',
  'lifetime',
] as const;
const periodWord = Type.Enum([...PERIODS], {
  description:
    'Plain words roll from startBrokerTime; date and words with -to-date follow the calendar, weeks from Sunday',
});

const relative = (what: string) =>
  Type.Number({
    exclusiveMinimum: 0,
    description: `${what} as a fraction of 1: 0.05 is 5 %`,
  });
const absolute = (what: string) =>
  Type.Number({
    exclusiveMinimum: 0,
    maximum: MAX_MONEY,
    description: `${what} in the account's currency`,
  });

const thresholds = {
  relativeDrawdownThreshold: Type.Optional(relative('Drawdown')),
  absoluteDrawdownThreshold: Type.Optional(absolute('Drawdown')),
  relativeProfitThreshold: Type.Optional(relative('Profit')),
  absoluteProfitThreshold: Type.Optional(absolute('Profit')),
  inclusive: Type.Optional(
    Type.Boolean({
      description: 'Thresholds are exceeded by reaching them; by strictly more where absent',
    }),
  ),
};

const beyond = {
  baseline: Type.Optional(
    Type.Enum(
      [
        'startBalance',
        'startEquity',
        'maxOfBoth',
        'peakEquity',
        'peakEndOfDayBalance',
        'initialCapital',
      ],
      { description: 'What drawdown is measured from; startBalance where absent' },
    ),
  ),
  initialCapital: Type.Optional(money('Capital that the account began with')),
  lockAt: Type.Optional(money('A trailing floor does not rise above this')),
  limitBase: Type.Optional(
    Type.Enum(['baseline', 'initialCapital'], {
      description: 'What relative thresholds are fractions of; baseline where absent',
    }),
  ),
  adjustDeals: Type.Optional(
    Type.Array(
      Type.Enum([
        'DEAL_TYPE_BALANCE',
        'DEAL_TYPE_CREDIT',
        'DEAL_TYPE_BONUS',
        'DEAL_TYPE_CORRECTION',
      ]),
      { uniqueItems: true, description: 'Deals whose money is no profit or loss' },
    ),
  ),
  resetClock: Type.Optional(
    Type.Object(
      {
        zone: Type.String({ maxLength: 64, description: 'IANA zone' }),
        time: Type.String({ maxLength: 5, description: 'Time of day at which days end, HH:mm' }),
      },
      { additionalProperties: false, description: 'Periods that end by a clock of their own' },
    ),
  ),
};

const name = text(200, 'Name, unique within the account');

const newTracker = Type.Object(
  {
    name,
    period: periodWord,
    startBrokerTime: Type.Optional(brokerTime('When tracking starts')),
    endBrokerTime: Type.Optional(brokerTime('The last moment that counts')),
    ...thresholds,
    ...beyond,
  },
  { $id: 'NewTracker', additionalProperties: false },
);
export type NewTracker = Static<typeof newTracker>;

const tracker = Type.Object(
  {
    _id: Type.String({ description: 'Tracker id' }),
    name: Type.String(),
    startBrokerTime: Type.Optional(Type.String()),
    endBrokerTime: Type.Optional(Type.String()),
    period: Type.String(),
    ...thresholds,
    ...beyond,
  },
  { $id: 'Tracker' },
);
export type TrackerRecord = Static<typeof tracker>;

const periodStatistics = Type.Object(
  {
    startBrokerTime: Type.String(),
    endBrokerTime: Type.Optional(Type.String({ description: 'Absent when the period has no end' })),
    period: Type.String(),
    periodStatus: Type.Enum(['running', 'completed']),
    initialBalance: Type.Optional(Type.Number({ description: 'Balance at the start' })),
    maxAbsoluteDrawdown: Type.Number(),
    maxRelativeDrawdown: Type.Number(),
    maxDrawdownTime: Type.Optional(Type.String({ description: 'Broker time' })),
    maxAbsoluteProfit: Type.Number(),
    maxRelativeProfit: Type.Number(),
    maxProfitTime: Type.Optional(Type.String({ description: 'Broker time' })),
    thresholdExceeded: Type.Boolean(),
    exceededThresholdType: Type.Optional(Type.Enum(['drawdown', 'profit'])),
    tradeDayCount: Type.Integer({ description: 'Days with deals other than balance and credit' }),
  },
  { $id: 'PeriodStatistics' },
);
export type PeriodStatisticsRecord = Static<typeof periodStatistics>;

const trackerParams = Type.Object({
  accountId: pathId('Account id'),
  id: pathId('Tracker id'),
});
const PATH = '/users/current/accounts/:accountId/trackers';

export const listTrackersOperation = defineOperation({
  operationId: 'listTrackers',
  method: 'GET',
  path: PATH,
  base: 'risk',
  scope: 'read',
  summary: 'Profit/drawdown trackers of an account, in the order of their creation',
  params: accountParams,
  headers: apiVersionHeader,
  isLong: true,
  response: { 200: Type.Array(tracker) },
  errors: [404],
});

export const readTrackerOperation = defineOperation({
  operationId: 'readTracker',
  method: 'GET',
  path: `${PATH}/:id`,
  base: 'risk',
  scope: 'read',
  summary: 'A profit/drawdown tracker',
  params: trackerParams,
  headers: apiVersionHeader,
  response: { 200: tracker },
  errors: [404],
});

export const readTrackerByNameOperation = defineOperation({
  operationId: 'readTrackerByName',
  method: 'GET',
  path: `${PATH}/name/:name`,
  base: 'risk',
  scope: 'read',
  summary: 'The profit/drawdown tracker of that name',
  params: Type.Object({ accountId: pathId('Account id'), name }),
  headers: apiVersionHeader,
  response: { 200: tracker },
  errors: [404],
});

export const createTrackerOperation = defineOperation({
  operationId: 'createTracker',
  method: 'POST',
  path: PATH,
  base: 'risk',
  scope: 'write',
  summary: 'Create a profit/drawdown tracker',
  description: `At most ${MAX_TRACKERS_PER_ACCOUNT} an account. A start in the past is filled from the stored hours and deals.`,
  params: accountParams,
  body: newTracker,
  response: { 201: created },
  errors: [404, 409],
});

export const renameTrackerOperation = defineOperation({
  operationId: 'renameTracker',
  method: 'PUT',
  path: `${PATH}/:id`,
  base: 'risk',
  scope: 'write',
  summary: 'Give a tracker another name; nothing else of it can change',
  params: trackerParams,
  body: Type.Object({ name }, { additionalProperties: false }),
  response: { 204: null },
  errors: [404, 409],
});

export const deleteTrackerOperation = defineOperation({
  operationId: 'deleteTracker',
  method: 'DELETE',
  path: `${PATH}/:id`,
  base: 'risk',
  scope: 'write',
  summary: 'Delete a tracker and its statistics; its events stay in the stream',
  params: trackerParams,
  response: { 204: null },
  errors: [404],
});

export const trackerStatisticsOperation = defineOperation({
  operationId: 'readTrackerStatistics',
  method: 'GET',
  path: `${PATH}/:id/statistics`,
  base: 'risk',
  scope: 'read',
  summary: 'Periods of a tracker, newest first',
  description: 'Backwards from the period that holds startTime, or from the newest one.',
  params: trackerParams,
  headers: apiVersionHeader,
  querystring: Type.Object({
    startTime: Type.Optional(brokerTime('Periods that start at or before this')),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 1 })),
    realTime: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'The running period as of now; else it may be some seconds behind',
      }),
    ),
  }),
  isLong: true,
  response: { 200: Type.Array(periodStatistics) },
  errors: [404],
});

const trackerPreview = Type.Object(
  {
    startBrokerTime: Type.Optional(Type.String({ description: 'What was looked at begins here' })),
    endBrokerTime: Type.Optional(Type.String()),
    periods: Type.Array(periodStatistics, { description: 'Oldest first, the newest 500' }),
    events: Type.Array(
      Type.Object({
        startBrokerTime: Type.String({ description: 'Start of the period' }),
        brokerTime: Type.String({ description: 'Exact to the hour' }),
        exceededThresholdType: Type.Enum(['drawdown', 'profit']),
        absoluteDrawdown: Type.Number(),
        relativeDrawdown: Type.Number(),
        absoluteProfit: Type.Number(),
        relativeProfit: Type.Number(),
      }),
      { description: 'When it would have fired, oldest first, the newest 500' },
    ),
  },
  { $id: 'TrackerPreview' },
);
export type TrackerPreview = Static<typeof trackerPreview>;

export const previewTrackerOperation = defineOperation({
  operationId: 'previewTracker',
  method: 'POST',
  path: `${PATH}/preview`,
  base: 'risk',
  scope: 'read',
  summary: 'What a tracker would have found in the stored hours; nothing is stored',
  description: 'Looks back at most 400 days, from its startBrokerTime where that is later.',
  params: accountParams,
  body: newTracker,
  isLong: true,
  response: { 200: trackerPreview },
  errors: [404],
});
