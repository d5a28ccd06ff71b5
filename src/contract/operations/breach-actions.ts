import Type, { type Static } from 'typebox';
import { BREACH_ACTION_STATES } from '../../words/actions.ts';
import { defineOperation } from '../operation.ts';
import {
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
    'done: the platform confirmed it; escalated: a person has to look; stopped: the tracker was deleted before',
});

export const breachAction = record('BreachAction', {
  id: number('Number of the action'),
  accountId: idText('Account id'),
  accountName: answerText(200, 'Name of the account'),
  trackerId: idText('Tracker id; of a rule of an enrolment, the ids of the enrolment and the rule'),
  trackerName: Type.Optional(
    answerText(250, 'Of a rule, its phase and kind; absent when the tracker was deleted'),
  ),
  sequenceNumber: Type.Optional(number('Of the event; absent until it has one')),
  cause: words(['limit', 'time'], {
    description: 'A limit of loss, whose event is an incident, or a rule of days of an enrolment',
  }),
  brokerTime: brokerTimeText('When the limit or rule was broken'),
  action: breachActionWord,
  group: Type.Optional(actionGroup),
  dryRun: Type.Boolean({ description: 'Recorded only; nothing is done' }),
  state,
  attempts: count('How often it was tried'),
  message: Type.Optional(answerText(MAX_ACTION_MESSAGE, 'Outcome of the last attempt')),
  createdAt: isoTime('When the event was stored'),
  endedAt: Type.Optional(isoTime('When it was confirmed, or given up')),
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
    'What trackers and rules with actions had done on platforms, newest first. For the next page, send the lowest id so far as `before`.',
  querystring: Type.Object({
    state: Type.Optional(state),
    accountId: Type.Optional(pathId('Only of this account')),
    before: Type.Optional(number('Only those with lower ids')),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_BREACH_ACTIONS,
        default: 50,
        description: 'Largest number of actions to answer',
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
  summary: 'State of actions at breaches',
  description: "Whether the operator lets any be done, and how many of the user's are not done.",
  response: {
    200: record('BreachActionStanding', {
      enabled: Type.Boolean({ description: 'False: the operator has stopped them all' }),
      open: count('Waiting or running'),
      escalated: count('A person has to look'),
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
  description: 'Those that are escalated: those named, or all of them.',
  body: record('BreachActionSelection', {
    ids: Type.Optional(
      Type.Array(number('Number of an action'), {
        ...{ minItems: 1, maxItems: MAX_BREACH_ACTIONS, uniqueItems: true },
        description: 'Only these',
      }),
    ),
  }),
  response: { 200: record('RetriedBreachActions', { retried: count('How many') }) },
});

const position = record('BreachActionSwitch', {
  enabled: Type.Boolean({ description: 'False: nothing is done for anybody' }),
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
    'Off: no action starts in any process; due actions wait. Requests that a platform has already are not undone.',
  body: position,
  response: { 204: null },
});
