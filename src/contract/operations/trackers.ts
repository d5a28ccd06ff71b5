import Type, { type Static } from 'typebox';
import { ACTION_CONFIRMATIONS, ACTION_MOMENTS, BREACH_ACTIONS } from '../../words/actions.ts';
import { ADJUSTABLE_DEALS } from '../../words/deals.ts';
import { PERIOD_WORDS } from '../../words/periods.ts';
import { PREVIEW_SIGHTS } from '../../words/programs.ts';
import {
  BASELINE_WORDS,
  LIMIT_BASES,
  PERIOD_STATES,
  THRESHOLD_TYPES,
} from '../../words/trackers.ts';
import { wordsOf } from '../../words/words-of.ts';
import { defineOperation } from '../operation.ts';
import {
  amount,
  answerText,
  brokerTime,
  brokerTimeText,
  count,
  created,
  flag,
  idText,
  MAX_MONEY,
  money,
  pathId,
  record,
  setOf,
  text,
  words,
} from '../primitives.ts';
import { accountParams } from './accounts.ts';

/** Trackers of one account. */
export const MAX_TRACKERS_PER_ACCOUNT = 50;
/** Largest relative threshold: 9000 %. */
const MAX_RELATIVE = 90;
/** Periods, and events, that a preview shows: the newest ones. */
export const MAX_PREVIEW_ITEMS = 500;

/** The header of operations whose default answer may change in future. */
export const apiVersionHeader = Type.Object({
  'api-version': Type.Optional(
    Type.Number({
      minimum: 1,
      maximum: 1,
      default: 1,
      expected: 'must be 1, the only supported version',
      description: 'Version of the answer; 1 is the only one',
    }),
  ),
});

export const trackerPeriod = words(PERIOD_WORDS, {
  $id: 'TrackerPeriod',
  description:
    'Plain words roll from startBrokerTime; date and words with -to-date follow the calendar, weeks from Sunday',
});
export const exceededThreshold = words(THRESHOLD_TYPES, {
  $id: 'ExceededThreshold',
  description: 'Which kind of threshold was exceeded',
});

const relative = (what: string) =>
  Type.Number({
    exclusiveMinimum: 0,
    maximum: MAX_RELATIVE,
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
      description: 'Reaching a threshold exceeds it; default: only strictly more does',
    }),
  ),
};

export const warnAt = Type.Optional(
  Type.Number({
    exclusiveMinimum: 0,
    maximum: 0.9999999,
    description: 'Warns, once per period, when this part of the limit is used up: 0.8 is 80 %',
  }),
);

export const settleSeconds = Type.Optional(
  Type.Number({
    minimum: 0,
    maximum: 60,
    description:
      'How long a breach waits if it would be none were unexplained money a transfer; default 0, with actions 5',
  }),
);

const baseline = words(BASELINE_WORDS, {
  $id: 'DrawdownBaseline',
  description: 'Baseline of drawdown; default startBalance',
});

const ADJUSTABLE = wordsOf(ADJUSTABLE_DEALS);
const adjustableDeal = words(ADJUSTABLE, { $id: 'AdjustableDealType' });
export const adjustedDeals = (description: string) =>
  Type.Optional(setOf(adjustableDeal, ADJUSTABLE.length, { description }));

export const resetClock = record(
  'ResetClock',
  {
    zone: Type.String({ maxLength: 64, format: 'time-zone', description: 'IANA time zone' }),
    time: Type.String({
      maxLength: 5,
      pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
      expected: 'must be a time of day as HH:mm',
      description: 'Time of day at which days end, HH:mm',
    }),
  },
  { description: 'Periods that end by a separate clock' },
);

const beyond = {
  warnAt,
  settleSeconds,
  baseline: Type.Optional(baseline),
  initialCapital: Type.Optional(money('Initial capital of the account')),
  lockAt: Type.Optional(money('A trailing floor does not rise above this')),
  limitBase: Type.Optional(
    words(LIMIT_BASES, {
      $id: 'LimitBase',
      description: 'The base of relative thresholds; default baseline',
    }),
  ),
  adjustDeals: adjustedDeals(
    'Deals whose money is neither profit nor loss; default DEAL_TYPE_BALANCE',
  ),
  resetClock: Type.Optional(resetClock),
};

/** Actions of one tracker. */
export const MAX_ACTIONS = 4;
export const breachActionWord = words(wordsOf(BREACH_ACTIONS), {
  $id: 'BreachActionWord',
  description: "Action on the account's platform",
});
export const actionGroup = answerText(256, 'Group to move the account to: moveToGroup only');

const trackerAction = record('TrackerAction', {
  action: breachActionWord,
  group: Type.Optional(text(256, 'Group to move the account to: moveToGroup only')),
  dryRun: Type.Optional(Type.Boolean({ description: 'Only recorded; nothing is done' })),
  moment: Type.Optional(
    words(wordsOf(ACTION_MOMENTS), {
      default: 'breach',
      description:
        'warning: at the warning before a loss limit, which needs warnAt; revision: when later facts remove the breach; reset: when the period of the breach is over, so not for a lifetime; passing: when a phase is passed, the only moment of the actions of a phase, and its default',
    }),
  ),
  confirm: Type.Optional(
    words(wordsOf(ACTION_CONFIRMATIONS), {
      default: 'platform',
      description:
        "platform: done only if the platform's own figures are beyond the limit, too; person: once somebody retries it; none: at once, whatever the platform shows",
    }),
  ),
});
const actionsAt = (breach: string) => ({
  actions: Type.Optional(
    Type.Array(trackerAction, {
      maxItems: MAX_ACTIONS,
      description: `Done on the account's platform when ${breach}; the token needs the scope actions, and the account's provisioning profile must allow actAtBreach and each of them`,
    }),
  ),
});
const actions = actionsAt('the loss limit is broken');
export const ruleActions = actionsAt('the rule is broken');
export const phaseActions = actionsAt('the phase is passed');

const name = text(200, 'Name, unique within the account');

const newTracker = record('NewTracker', {
  name,
  period: trackerPeriod,
  startBrokerTime: Type.Optional(brokerTime('When tracking starts')),
  endBrokerTime: Type.Optional(brokerTime('The last moment that counts')),
  ...thresholds,
  ...beyond,
  ...actions,
});
export type NewTracker = Static<typeof newTracker>;

export const tracker = record(
  'Tracker',
  {
    _id: idText('Tracker id'),
    name,
    startBrokerTime: Type.Optional(brokerTimeText('When tracking starts')),
    endBrokerTime: Type.Optional(brokerTimeText('The last moment that counts')),
    period: trackerPeriod,
    ...thresholds,
    ...beyond,
    ...actions,
  },
  { description: 'A profit/drawdown tracker of an account' },
);
export type TrackerRecord = Static<typeof tracker>;

export const periodStatistics = record('PeriodStatistics', {
  startBrokerTime: brokerTimeText('Start of the period'),
  endBrokerTime: Type.Optional(brokerTimeText('End of the period; absent if it has none')),
  period: trackerPeriod,
  periodStatus: words(PERIOD_STATES, { description: 'Whether it is still running' }),
  initialBalance: Type.Optional(amount('Balance at the start')),
  balanceAdjustment: amount('Money of deals that is neither profit nor loss, such as deposits'),
  maxAbsoluteDrawdown: amount('Largest drawdown'),
  maxRelativeDrawdown: Type.Number({ description: 'Largest drawdown as a fraction of 1' }),
  maxDrawdownTime: Type.Optional(brokerTimeText('When the drawdown was largest')),
  maxAbsoluteProfit: amount('Largest profit'),
  maxRelativeProfit: Type.Number({ description: 'Largest profit as a fraction of 1' }),
  maxProfitTime: Type.Optional(brokerTimeText('When the profit was largest')),
  thresholdExceeded: Type.Boolean({ description: 'Whether a threshold was exceeded' }),
  exceededThresholdType: Type.Optional(exceededThreshold),
  tradeDayCount: count('Days with deals other than balance and credit'),
});
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
  summary: 'List the trackers of an account',
  description: 'Profit/drawdown trackers, in the order of creation.',
  params: accountParams,
  headers: apiVersionHeader,
  response: { 200: Type.Array(tracker, { maxItems: MAX_TRACKERS_PER_ACCOUNT }) },
  errors: [404],
});

export const readTrackerOperation = defineOperation({
  operationId: 'readTracker',
  method: 'GET',
  path: `${PATH}/:id`,
  base: 'risk',
  scope: 'read',
  summary: 'Read a tracker',
  description: 'One profit/drawdown tracker by its id.',
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
  summary: 'Read a tracker by its name',
  description: 'Names are unique within an account.',
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
  summary: 'Create a tracker',
  description: `At most ${MAX_TRACKERS_PER_ACCOUNT} for each account; 409 beyond, and for a taken name. Actions need an account with a provisioning profile that allows them. Errors: 403 otherwise.\n\nA start in the past is filled from the stored hours and deals.`,
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
  summary: 'Rename a tracker',
  description: 'Its other fields cannot change.',
  params: trackerParams,
  body: record('TrackerName', { name }),
  response: { 204: null },
  errors: [404, 409],
});

export const deleteTrackerOperation = defineOperation({
  operationId: 'deleteTracker',
  method: 'DELETE',
  path: `${PATH}/:id`,
  base: 'risk',
  scope: 'write',
  summary: 'Delete a tracker',
  description: 'With its statistics. Its events stay in the feed.',
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
  summary: 'Periods of a tracker',
  description:
    'Newest first, backwards from the period that contains startTime, or from the newest one.',
  params: trackerParams,
  headers: apiVersionHeader,
  querystring: Type.Object({
    startTime: Type.Optional(brokerTime('Periods that start at or before this')),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        default: 1,
        description: 'Largest number of periods in the answer',
      }),
    ),
    realTime: flag('The running period as of now; otherwise up to some seconds old'),
  }),
  response: { 200: Type.Array(periodStatistics, { maxItems: 1000 }) },
  errors: [404],
});

/** Absent while there is nothing to see. */
export const previewSight = words(PREVIEW_SIGHTS, {
  $id: 'PreviewSight',
  description:
    'deals: only balances are known, for want of snapshots; what was open may have broken a limit earlier',
});

const trackerPreview = record('TrackerPreview', {
  startBrokerTime: Type.Optional(brokerTimeText('Start of the examined range')),
  endBrokerTime: Type.Optional(brokerTimeText('End of the examined range')),
  seenBy: Type.Optional(previewSight),
  periods: Type.Array(periodStatistics, {
    maxItems: MAX_PREVIEW_ITEMS,
    description: 'The newest ones, oldest first',
  }),
  events: Type.Array(
    record('PreviewedEvent', {
      startBrokerTime: brokerTimeText('Start of the period'),
      brokerTime: brokerTimeText('When it would have reported, exact to the hour'),
      exceededThresholdType: exceededThreshold,
      absoluteDrawdown: amount('Drawdown'),
      relativeDrawdown: Type.Number({ description: 'Drawdown as a fraction of 1' }),
      absoluteProfit: amount('Profit'),
      relativeProfit: Type.Number({ description: 'Profit as a fraction of 1' }),
    }),
    { maxItems: MAX_PREVIEW_ITEMS, description: 'The newest ones, oldest first' },
  ),
});
export type TrackerPreview = Static<typeof trackerPreview>;

export const previewTrackerOperation = defineOperation({
  operationId: 'previewTracker',
  method: 'POST',
  path: `${PATH}/preview`,
  base: 'risk',
  scope: 'read',
  summary: 'Preview a tracker',
  description:
    'Its findings in the stored hours, had it existed, or without any snapshot in the balances that deals made; nothing is stored. Looks back at most 400 days, or to its startBrokerTime if that is later.',
  params: accountParams,
  body: newTracker,
  response: { 200: trackerPreview },
  errors: [404],
});
