import Type, { type Static } from 'typebox';
import {
  ASKED_STATES,
  LOSS_SIGHTS,
  MAX_VIOLATION_DEALS,
  MAX_VIOLATIONS,
  PAYOUT_HINDRANCES,
} from '../../words/programs.ts';
import { wordsOf } from '../../words/words-of.ts';
import { defineOperation } from '../operation.ts';
import {
  amount,
  answerText,
  brokerTime,
  brokerTimeText,
  clockOffsetSeconds,
  count,
  created,
  currency,
  flag,
  idText,
  isoTime,
  MAX_MONEY,
  pathId,
  record,
  text,
  words,
} from '../primitives.ts';
import { accountParams } from './accounts.ts';
import { accountState, ageSeconds } from './accounts-overview.ts';
import {
  enrolmentState,
  MAX_PHASES,
  MAX_RULES,
  MAX_VERSIONS,
  objectiveKind,
  programPhase,
  ruleKind,
} from './programs.ts';
import { MAX_TRACKERS_PER_ACCOUNT, previewSight } from './trackers.ts';

/** Enrolments of one account, including ended ones; and active ones among them. */
export const MAX_ENROLMENTS_PER_ACCOUNT = 50;
export const MAX_ACTIVE_ENROLMENTS = 5;
/** Limits measured on an account at the same time: those of its trackers and enrolments. */
export const MAX_LIMITS_PER_ACCOUNT = MAX_TRACKERS_PER_ACCOUNT + MAX_ACTIVE_ENROLMENTS * MAX_RULES;
/** Enrolments of a program in an answer. */
const MAX_ENROLMENT_PAGE = 100;
const MAX_OFFSET = 10_000_000;
/** Pauses and resumptions of one enrolment, together. */
export const MAX_TRANSITIONS = 1000;

const initialBalance = Type.Number({
  exclusiveMinimum: 0,
  maximum: MAX_MONEY,
  description: "The base of shares, in the account's currency",
});
const startBrokerTime = Type.Optional(
  brokerTime('When the phase begins; default: with the next snapshot or deal'),
);
const version = Type.Integer({ minimum: 1, maximum: MAX_VERSIONS, description: 'Of the program' });
const phase = Type.Integer({ minimum: 1, maximum: MAX_PHASES, description: 'Counted from 1' });

export const newEnrolment = record('NewEnrolment', {
  programId: Type.Optional(text(128, 'Program; required without passed')),
  version: Type.Optional(version),
  phase: Type.Optional(phase),
  passed: Type.Optional(
    record(
      'PassedEnrolment',
      { accountId: text(128, 'Its account'), enrolmentId: text(128, 'Its id') },
      {
        description:
          'Continues in the next phase of the same version, instead of programId, version and phase',
      },
    ),
  ),
  initialBalance,
  startBrokerTime,
});
export type NewEnrolment = Static<typeof newEnrolment>;

export const enrolmentFigures = record(
  'EnrolmentFigures',
  {
    balance: Type.Optional(amount('Balance')),
    equity: Type.Optional(amount('Equity')),
    profit: Type.Optional(amount('Balance less the initial balance, deposits and payouts')),
    equityProfit: Type.Optional(amount('Equity less the initial balance, deposits and payouts')),
    dealsProfit: amount('Result of the deals of all days'),
    winningDays: amount('Result of the winning days'),
    bestDay: amount('Result of the best day; 0 if none won'),
    today: amount('Result of the running day'),
    tradingDays: count('Days that count as trading days'),
    profitableDays: count('Completed days with enough profit'),
    payouts: Type.Optional(count('Payouts so far, in a phase that has them')),
    paidOut: Type.Optional(amount('Their sum')),
  },
  { description: 'As of the newest snapshot, or the end. Days are those since the last payout.' },
);

const ruleProgress = record('RuleProgress', {
  kind: ruleKind,
  trackerId: Type.Optional(idText('For loss limits: the tracker that measures it')),
  floor: Type.Optional(
    amount('Lowest allowed equity or balance; if inclusive, highest that is not'),
  ),
  room: Type.Optional(amount('What is above the floor')),
  used: Type.Optional(Type.Number({ description: 'Used part of the limit; 1 is all of it' })),
  ends: Type.Optional(isoTime('When time will break the rule, or the day of the limit ends')),
  breaches: Type.Optional(count('How often it was broken, of a rule that counts')),
  seenBy: Type.Optional(
    words(LOSS_SIGHTS, {
      ...{
        $id: 'LossSight',
        description: 'openLoss: what a position loses while it is open is unknown',
      },
    }),
  ),
  failsAt: Type.Optional(count('As many breaches end the phase')),
});

export const ruleViolation = record(
  'RuleViolation',
  {
    kind: ruleKind,
    brokerTime: brokerTimeText('When it was broken'),
    dealIds: Type.Array(idText('Deal id'), {
      maxItems: MAX_VIOLATION_DEALS,
      description: 'The deals that broke it; none if a position was held too long',
    }),
    equation: answerText(1000, 'What was counted, and what is allowed'),
  },
  { description: 'A rule over deals was broken' },
);
export type RuleViolationRecord = Static<typeof ruleViolation>;

const payoutStanding = record(
  'PayoutStanding',
  {
    amount: amount('What profit, buffer, share, cap and minimum leave'),
    traderAmount: amount("The trader's part of it"),
    hindrances: Type.Array(
      words(wordsOf(PAYOUT_HINDRANCES), { $id: 'PayoutHindrance', description: 'Why not now' }),
      {
        maxItems: Object.keys(PAYOUT_HINDRANCES).length,
        uniqueItems: true,
        description: 'Why it may not be withdrawn now; empty: it may',
      },
    ),
    availableFrom: Type.Optional(isoTime('When enough days have passed')),
  },
  { description: 'What may be withdrawn from a funded account, as of its newest snapshot' },
);

export const objectiveProgress = record('ObjectiveProgress', {
  kind: objectiveKind,
  met: Type.Boolean({ description: 'Whether it is met now' }),
  value: Type.Optional(Type.Number({ description: 'Reached so far: money, or days' })),
  needed: Type.Number({
    description: 'The least that meets it; for consistency the most that the best day may make',
  }),
});

const transition = record('EnrolmentTransition', {
  state: enrolmentState,
  brokerTime: brokerTimeText('When it changed to this state'),
  sequenceNumber: Type.Optional(
    Type.Integer({ description: 'Its event number; absent for a moment' }),
  ),
  rule: Type.Optional(ruleKind),
  cause: Type.Optional(Type.Integer({ description: 'Number of the event of the broken limit' })),
});

const summary = {
  id: idText('Enrolment id'),
  programId: idText('Program id'),
  version,
  phase,
  phaseName: text(200, 'Name of the phase'),
  state: enrolmentState,
  isDisputed: Type.Boolean({
    description: 'It ended, but would not have by the facts known now: it can be reinstated',
  }),
  initialBalance: amount('The base of shares'),
  createdAt: isoTime('When the account was enrolled'),
  startBrokerTime: Type.Optional(brokerTimeText('When the phase begins, or began')),
  endBrokerTime: Type.Optional(brokerTimeText('When it ended')),
  rule: Type.Optional(ruleKind),
};
const enrolment = record('Enrolment', summary);
export type EnrolmentRecord = Static<typeof enrolment>;

const progress = {
  rules: Type.Array(ruleProgress, {
    maxItems: MAX_RULES,
    description: 'In the order of the phase; empty if it has ended',
  }),
  objectives: Type.Array(objectiveProgress, {
    maxItems: MAX_RULES,
    description: 'In the order of the phase',
  }),
};
const standing = {
  figures: Type.Optional(enrolmentFigures),
  ...progress,
  payout: Type.Optional(payoutStanding),
  violations: Type.Optional(
    Type.Array(ruleViolation, {
      maxItems: MAX_VIOLATIONS,
      description:
        'Of rules over deals: the newest, oldest first; after the end the one that broke',
    }),
  ),
};

const programEnrolment = record(
  'ProgramEnrolment',
  {
    ...summary,
    ...progress,
    account: record('EnrolledAccount', {
      id: idText('Account id'),
      name: answerText(200, 'Name of the account'),
      currency,
      state: accountState,
      ageSeconds,
      clockOffsetSeconds,
    }),
  },
  { description: 'An enrolment with its progress and its account' },
);
export type ProgramEnrolmentRecord = Static<typeof programEnrolment>;

const enrolmentDetails = record(
  'EnrolmentDetails',
  {
    ...summary,
    ...standing,
    rulebook: programPhase,
    transitions: Type.Array(transition, {
      maxItems: MAX_TRANSITIONS + 1,
      description: 'Changes of the state, oldest first',
    }),
  },
  { description: 'An enrolment with its progress and history' },
);
export type EnrolmentDetailsRecord = Static<typeof enrolmentDetails>;

const PATH = '/users/current/accounts/:accountId/enrolments';
const params = Type.Object({
  accountId: pathId('Account id'),
  enrolmentId: pathId('Enrolment id'),
});

export const listEnrolmentsOperation = defineOperation({
  operationId: 'listEnrolments',
  method: 'GET',
  path: PATH,
  base: 'risk',
  scope: 'read',
  summary: 'List the enrolments of an account',
  description: 'In the order of creation, including ended ones.',
  params: accountParams,
  response: { 200: Type.Array(enrolment, { maxItems: MAX_ENROLMENTS_PER_ACCOUNT }) },
  errors: [404],
});

export const listProgramEnrolmentsOperation = defineOperation({
  operationId: 'listProgramEnrolments',
  method: 'GET',
  path: '/users/current/programs/:programId/enrolments',
  base: 'risk',
  scope: 'read',
  summary: 'List the enrolments in a program',
  description:
    'Of all its versions, newest first, including ended ones. With the rest of each rule and the progress of each objective, at most seconds old.',
  params: Type.Object({ programId: pathId('Program id') }),
  querystring: Type.Object({
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_ENROLMENT_PAGE,
        default: 50,
        description: 'Largest number of enrolments in the answer',
      }),
    ),
    offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_OFFSET,
        default: 0,
        description: 'Number of enrolments to skip',
      }),
    ),
  }),
  response: {
    200: record('ProgramEnrolments', {
      total: count('Number of its enrolments'),
      enrolments: Type.Array(programEnrolment, { maxItems: MAX_ENROLMENT_PAGE }),
    }),
  },
  errors: [404],
});

export const createEnrolmentOperation = defineOperation({
  operationId: 'createEnrolment',
  method: 'POST',
  path: PATH,
  base: 'risk',
  scope: 'write',
  summary: 'Enrol an account in a phase of a program',
  description: `It is judged from the next snapshot on. A start must not lie before the newest snapshot: see previewEnrolment. At most ${MAX_ACTIVE_ENROLMENTS} are unfinished at a time, and ${MAX_ENROLMENTS_PER_ACCOUNT} in all; 409 beyond.`,
  params: accountParams,
  body: newEnrolment,
  response: { 201: created },
  errors: [404, 409],
});

export const readEnrolmentOperation = defineOperation({
  operationId: 'readEnrolment',
  method: 'GET',
  path: `${PATH}/:enrolmentId`,
  base: 'risk',
  scope: 'read',
  summary: 'Read an enrolment',
  description: 'With the rest of each rule, the progress of each objective, and its history.',
  params,
  querystring: Type.Object({
    realTime: flag('As of now; otherwise up to some seconds old'),
  }),
  response: { 200: enrolmentDetails },
  errors: [404],
});

export const changeEnrolmentOperation = defineOperation({
  operationId: 'changeEnrolment',
  method: 'PUT',
  path: `${PATH}/:enrolmentId`,
  base: 'risk',
  scope: 'write',
  summary: 'Pause, resume, reinstate or withdraw an enrolment',
  description:
    'While it is paused nothing is judged. An ended one cannot change (409), unless it is disputed: running reinstates it, judged by all facts known now.',
  params,
  body: record('EnrolmentChange', {
    state: words(ASKED_STATES, { description: 'The new state' }),
  }),
  response: { 204: null },
  errors: [404, 409],
});

const enrolmentPreview = record('EnrolmentPreview', {
  startBrokerTime: Type.Optional(brokerTimeText('Start of the examined range')),
  endBrokerTime: Type.Optional(brokerTimeText('End of the examined range')),
  seenBy: Type.Optional(previewSight),
  state: enrolmentState,
  brokerTime: Type.Optional(brokerTimeText('When it would have ended, exact to the hour')),
  rule: Type.Optional(ruleKind),
  ...standing,
});
export type EnrolmentPreviewRecord = Static<typeof enrolmentPreview>;

export const previewEnrolmentOperation = defineOperation({
  operationId: 'previewEnrolment',
  method: 'POST',
  path: `${PATH}/preview`,
  base: 'risk',
  scope: 'read',
  summary: 'Preview an enrolment',
  description:
    "The account's course in the phase, by its stored hours and deals, or without any snapshot by the balances that deals made; nothing is stored. Looks back at most 400 days, or to its startBrokerTime if that is later.",
  params: accountParams,
  body: newEnrolment,
  response: { 200: enrolmentPreview },
  errors: [404],
});
