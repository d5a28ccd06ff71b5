import Type, { type Static } from 'typebox';
import { ACTION_CONFIRMATIONS, ACTION_MOMENTS, BREACH_ACTION_STATES } from '../../words/actions.ts';
import { wordsOf } from '../../words/words-of.ts';
import { defineOperation } from '../operation.ts';
import {
  amount,
  answerText,
  brokerTimeText,
  count,
  idText,
  isoTime,
  linkedPageOf,
  pathId,
  record,
  words,
} from '../primitives.ts';
import { actionGroup, breachActionWord } from './trackers.ts';

const MAX_BREACH_ACTIONS = 200;
export const MAX_ACTION_MESSAGE = 500;

const number = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

const state = words(BREACH_ACTION_STATES, {
  $id: 'BreachActionState',
  description:
    'done: confirmed by the platform; escalated: needs a person; stopped: the tracker was deleted before',
});

export const breachAction = record('BreachAction', {
  id: number('Number of the action'),
  accountId: idText('Account id'),
  accountName: answerText(200, 'Name of the account'),
  trackerId: idText(
    'Tracker id; for a rule of an enrolment, the ids of the enrolment and the rule',
  ),
  trackerName: Type.Optional(
    answerText(250, 'For a rule, its phase and kind; absent if the tracker was deleted'),
  ),
  sequenceNumber: Type.Optional(number('Number of the event; absent until it has one')),
  cause: words(['limit', 'time', 'passing'], {
    description:
      'A loss limit, whose event is an incident; a rule of days of an enrolment; or the passing of its phase',
  }),
  brokerTime: brokerTimeText('When the limit or rule was broken, or the phase passed'),
  action: breachActionWord,
  group: Type.Optional(actionGroup),
  dryRun: Type.Boolean({ description: 'Only recorded; nothing is done' }),
  moment: words(wordsOf(ACTION_MOMENTS), { description: 'What started it' }),
  resetAt: Type.Optional(isoTime('Of the moment reset: it is not done before')),
  confirm: words(wordsOf(ACTION_CONFIRMATIONS), {
    description: 'What it still waits for; none once the platform or a person confirmed the breach',
  }),
  seen: Type.Optional(
    record(
      'AccountSeen',
      {
        at: isoTime('When the platform was asked'),
        balance: amount('Balance on the platform'),
        equity: amount('Equity on the platform'),
      },
      { description: 'The account as the platform showed it before anything was done' },
    ),
  ),
  state,
  attempts: count('How often it was tried'),
  message: Type.Optional(answerText(MAX_ACTION_MESSAGE, 'Outcome of the last attempt')),
  createdAt: isoTime('When the event was stored'),
  endedAt: Type.Optional(isoTime('Time of confirmation or giving up')),
});
export type BreachActionRecord = Static<typeof breachAction>;

export const listBreachActionsOperation = defineOperation({
  operationId: 'listBreachActions',
  method: 'GET',
  path: '/users/current/breach-actions',
  base: 'risk',
  scope: 'read',
  summary: 'List actions at breaches',
  description:
    'Actions of trackers and rules on platforms, newest first. For the next page, send the lowest id so far as `before`.',
  querystring: Type.Object({
    state: Type.Optional(state),
    accountId: Type.Optional(pathId('Only of this account')),
    before: Type.Optional(number('Only those with lower ids')),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_BREACH_ACTIONS,
        default: 50,
        description: 'Largest number of actions in the answer',
      }),
    ),
  }),
  response: { 200: linkedPageOf(breachAction, { maxItems: MAX_BREACH_ACTIONS }) },
  isPaged: true,
});

export const readBreachActionStateOperation = defineOperation({
  operationId: 'readBreachActionState',
  method: 'GET',
  path: '/users/current/breach-actions/state',
  base: 'risk',
  scope: 'read',
  summary: 'Read the state of actions at breaches',
  description: "Whether the operator allows actions, and how many of the user's are pending.",
  response: {
    200: record('BreachActionStanding', {
      enabled: Type.Boolean({ description: 'False: stopped by the operator' }),
      open: count('Waiting or running'),
      escalated: count('Need a person'),
    }),
  },
});

export const retryBreachActionsOperation = defineOperation({
  operationId: 'retryBreachActions',
  method: 'POST',
  path: '/users/current/breach-actions/retry',
  base: 'risk',
  scope: 'write',
  summary: 'Retry actions at breaches',
  description:
    'Escalated ones only: the given ones, or all of them. Whoever retries one confirms its breach: it is done whatever the platform shows. Actions of an incident with 400 entries are left: what happens to it is no longer told there.',
  body: record('BreachActionSelection', {
    ids: Type.Optional(
      Type.Array(number('Number of an action'), {
        ...{ minItems: 1, maxItems: MAX_BREACH_ACTIONS, uniqueItems: true },
        description: 'Only these actions',
      }),
    ),
  }),
  response: { 200: record('RetriedBreachActions', { retried: count('Number of things') }) },
});

const position = record('BreachActionSwitch', {
  enabled: Type.Boolean({ description: 'False: no action is done for any user' }),
});

export const readBreachActionSwitchOperation = defineOperation({
  operationId: 'readBreachActionSwitch',
  method: 'GET',
  path: '/admin/breach-actions/switch',
  base: 'admin',
  scope: 'admin',
  summary: 'Read the switch of actions at breaches',
  description: 'One switch for all users and processes.',
  response: { 200: position },
});

export const setBreachActionSwitchOperation = defineOperation({
  operationId: 'setBreachActionSwitch',
  method: 'PUT',
  path: '/admin/breach-actions/switch',
  base: 'admin',
  scope: 'admin',
  summary: 'Switch actions at breaches off or on',
  description:
    'Off: no action starts in any process; due actions wait. Requests already sent to a platform are not undone.',
  body: position,
  response: { 204: null },
});
