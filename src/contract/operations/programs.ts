import Type, { type Static } from 'typebox';
import { MAX_LOTS } from '../../words/deals.ts';
import {
  CONSISTENCY_WHOLES,
  DAY_STARTS,
  ENROLMENT_STATES,
  FORBIDDEN_ACTS,
  LOSS_VERDICTS,
  MAX_HELD_SECONDS,
  MAX_OPEN_POSITIONS,
  MEASURED_FIGURES,
  OBJECTIVE_KINDS,
  ON_BREACH,
  OPEN_SCOPES,
  PAYOUT_FLOORS,
  RULE_KINDS,
  SHARE_BASES,
  TARGET_MEASURES,
  TRADING_DAY_COUNTS,
  TRAILS,
} from '../../words/programs.ts';
import { wordsOf } from '../../words/words-of.ts';
import { defineOperation } from '../operation.ts';
import {
  count,
  idText,
  isoTime,
  linkedPageOf,
  MAX_MONEY,
  money,
  pageFrom,
  pathId,
  record,
  text,
  words,
} from '../primitives.ts';
import {
  adjustedDeals,
  phaseActions,
  resetClock,
  ruleActions,
  settleSeconds,
  warnAt,
} from './trackers.ts';

export const MAX_PROGRAMS_PER_USER = 200;
export const MAX_PROGRAM_PAGE = 20;
/** Versions of one program. */
export const MAX_VERSIONS = 1000;
export const MAX_PHASES = 10;
/** Rules, and objectives, of a phase. */
export const MAX_RULES = 12;
const MAX_BREACHES = 1000;
const MAX_CAPS = 20;
const MAX_SYMBOLS = 25;

export const ruleKind = words(wordsOf(RULE_KINDS), {
  $id: 'RuleKind',
  description: 'Rules that must not be broken',
});
export const objectiveKind = words(wordsOf(OBJECTIVE_KINDS), {
  $id: 'ObjectiveKind',
  description: 'Objectives to reach',
});
export const enrolmentState = words(ENROLMENT_STATES, {
  $id: 'EnrolmentState',
  description: 'running and paused are active; the others are final',
});

const size = {
  share: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 90,
      description: 'As a fraction of 1: 0.05 is 5 %',
    }),
  ),
  amount: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: MAX_MONEY,
      description: "In the account's currency, instead of a share",
    }),
  ),
};
const days = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 3660, description: 'Days of the reset clock' }),
);
const inclusive = Type.Optional(
  Type.Boolean({ description: 'Reaching it is enough to break it; default false' }),
);

const symbolName = Type.String({
  ...{ minLength: 1, maxLength: 32, pattern: '^[!-~]+$', isAscii: true },
  expected: 'must be ASCII without spaces',
  description: 'Name of a symbol; with * at its end, all that begin so',
});
const symbols = (description: string) =>
  Type.Optional(
    Type.Array(symbolName, {
      minItems: 1,
      maxItems: MAX_SYMBOLS,
      description,
    }),
  );
const bound = (description: string) => Type.Optional(text(9, description));

const rule = record(
  'ProgramRule',
  {
    kind: ruleKind,
    ...size,
    days,
    inclusive,
    warnAt,
    settleSeconds,
    from: Type.Optional(
      words(wordsOf(DAY_STARTS), {
        $id: 'DailyLossFrom',
        description: 'dailyLoss: its baseline; default balance',
      }),
    ),
    trails: Type.Optional(
      words(wordsOf(TRAILS), {
        $id: 'MaximumLossTrail',
        description: 'maximumLoss: the peak that its floor follows; default: none',
      }),
    ),
    shareOf: Type.Optional(
      words(wordsOf(SHARE_BASES), {
        $id: 'ShareBase',
        description: 'The base of the share; default initialBalance',
      }),
    ),
    lockAbove: Type.Optional(
      money('maximumLoss: a trailing floor rises no higher than the initial balance and this'),
    ),
    onBreach: Type.Optional(
      words(ON_BREACH, {
        $id: 'OnBreach',
        description: 'Whether a breach ends the phase (default), or is only an event',
      }),
    ),
    failsAt: Type.Optional(
      Type.Integer({
        minimum: 2,
        maximum: MAX_BREACHES,
        description:
          'With onBreach record: as many breaches end the phase after all; not maximumLoss',
      }),
    ),
    measured: Type.Optional(
      words(wordsOf(MEASURED_FIGURES), {
        $id: 'MeasuredFigure',
        description: 'Losses: what must not fall; default equity. balance: closed trades only',
      }),
    ),
    judged: Type.Optional(
      words(wordsOf(LOSS_VERDICTS), {
        $id: 'LossVerdict',
        description:
          'dailyLoss: at any moment (default), or at the end of the day, by its last snapshot',
      }),
    ),
    splitOnBreach: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1,
        description: 'With onBreach record and payouts: once it was broken, the most of split',
      }),
    ),
    onPayout: Type.Optional(
      words(wordsOf(PAYOUT_FLOORS), {
        $id: 'FloorOnPayout',
        description: 'maximumLoss of a phase with payouts: what one does to its floor',
      }),
    ),
    only: symbols('allowedSymbols: positions are opened in these only'),
    excluded: symbols('allowedSymbols: positions are not opened in these'),
    lots: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: MAX_LOTS,
        description: 'openAtOnce: the most lots, of long and short positions together',
      }),
    ),
    positions: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_OPEN_POSITIONS,
        description: 'openAtOnce: the most positions, instead of lots',
      }),
    ),
    per: Type.Optional(
      words(wordsOf(OPEN_SCOPES), {
        $id: 'OpenScope',
        description: 'openAtOnce: what is counted together; default account',
      }),
    ),
    starts: bound('closedHours: when they start, as HH:mm each day or FRI HH:mm each week'),
    ends: bound('closedHours: when they end, in the same form'),
    forbids: Type.Optional(
      words(wordsOf(FORBIDDEN_ACTS), {
        $id: 'ForbiddenAct',
        description: 'closedHours: opening positions, or holding any (default)',
      }),
    ),
    seconds: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: MAX_HELD_SECONDS,
        description: 'holdingTime: the least time from the opening to the last close',
      }),
    ),
    ...ruleActions,
  },
  { description: 'Its kind determines its fields' },
);
export type ProgramRuleRecord = Static<typeof rule>;

const objective = record(
  'ProgramObjective',
  {
    kind: objectiveKind,
    ...size,
    days,
    inclusive,
    by: Type.Optional(
      words(wordsOf(TARGET_MEASURES), {
        $id: 'TargetBy',
        description: 'profitTarget: the amount that must have gained this; default balance',
      }),
    ),
    count: Type.Optional(
      words(TRADING_DAY_COUNTS, {
        $id: 'TradingDayCount',
        description: 'tradingDays: days on which a position was opened, or with any trade',
      }),
    ),
    of: Type.Optional(
      words(wordsOf(CONSISTENCY_WHOLES), {
        $id: 'ConsistencyOf',
        description: "consistency: the base of the best day's share; default profit",
      }),
    ),
  },
  { description: 'Its kind determines its fields' },
);
export type ProgramObjectiveRecord = Static<typeof objective>;

const positive = (description: string) =>
  Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: MAX_MONEY, description }));
const part = (description: string) =>
  Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1, description }));
const payoutDays = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 3660, description }));

const payoutTerms = record(
  'PayoutTerms',
  {
    days: payoutDays('Days from one payout to the next, and from the begin to the first'),
    firstDays: payoutDays('Days from the begin to the first payout, if they are others'),
    share: part('The part of the profit that may be withdrawn; default all'),
    buffer: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: MAX_MONEY,
        description: 'Profit that must stay in the account; default 0',
      }),
    ),
    minimum: positive('The least payout'),
    caps: Type.Optional(
      Type.Array(Type.Number({ exclusiveMinimum: 0, maximum: MAX_MONEY, description: 'Amount' }), {
        minItems: 1,
        maxItems: MAX_CAPS,
        description: 'The most of the first payout, the second …; the last is that of all others',
      }),
    ),
    split: part('The part of a payout that is the trader’s; default all'),
  },
  { description: 'What may be withdrawn from a funded account, and when' },
);
export type PayoutTermsRecord = Static<typeof payoutTerms>;

export const programPhase = record('ProgramPhase', {
  name: text(200, 'Name of the phase'),
  rules: Type.Array(rule, { maxItems: MAX_RULES, description: 'Rules that must not be broken' }),
  objectives: Type.Array(objective, {
    maxItems: MAX_RULES,
    description: 'Objectives to reach; a phase without any never passes',
  }),
  payout: Type.Optional(payoutTerms),
  ...phaseActions,
  resetClock: Type.Optional(resetClock),
  adjustDeals: adjustedDeals('Deals that are neither profit nor loss; default DEAL_TYPE_BALANCE'),
});
export type ProgramPhaseRecord = Static<typeof programPhase>;

const content = {
  name: text(200, 'Name of the program'),
  phases: Type.Array(programPhase, { minItems: 1, maxItems: MAX_PHASES, description: 'In order' }),
};
const newProgram = record('NewProgram', content);
export type NewProgram = Static<typeof newProgram>;

const program = record(
  'Program',
  {
    id: idText('Program id'),
    version: Type.Integer({ description: 'Counts the versions, from 1; a version never changes' }),
    createdAt: isoTime('When the version was created'),
    ...content,
  },
  { description: 'The rule book of an evaluation' },
);
export type ProgramRecord = Static<typeof program>;

const listedProgram = record('ListedProgram', {
  ...program.properties,
  enrolments: count('Enrolments in all its versions, including ended ones'),
});
export type ListedProgramRecord = Static<typeof listedProgram>;

const programVersion = record('ProgramVersion', {
  id: idText('Program id'),
  version: Type.Integer({ description: 'The new version' }),
});

const PATH = '/users/current/programs';
const params = Type.Object({ programId: pathId('Program id') });

export const listProgramsOperation = defineOperation({
  operationId: 'listPrograms',
  method: 'GET',
  path: PATH,
  base: 'risk',
  scope: 'read',
  summary: 'List programs',
  description:
    'The newest version of each, the last changed first. A token restricted to specific accounts counts only their enrolments.',
  querystring: Type.Object(pageFrom(pathId, MAX_PROGRAM_PAGE)),
  response: { 200: linkedPageOf(listedProgram, { maxItems: MAX_PROGRAM_PAGE }) },
  isPaged: true,
});

export const createProgramOperation = defineOperation({
  operationId: 'createProgram',
  method: 'POST',
  path: PATH,
  base: 'risk',
  scope: 'write',
  summary: 'Create a program',
  description: `Its first version. At most ${MAX_PROGRAMS_PER_USER} programs; 409 beyond.`,
  body: newProgram,
  response: { 201: programVersion },
  errors: [409],
});

export const readProgramOperation = defineOperation({
  operationId: 'readProgram',
  method: 'GET',
  path: `${PATH}/:programId`,
  base: 'risk',
  scope: 'read',
  summary: 'Read a program',
  description: 'The newest version, or the requested one.',
  params,
  querystring: Type.Object({
    version: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_VERSIONS, description: 'Version to read' }),
    ),
  }),
  response: { 200: program },
  errors: [404],
});

export const updateProgramOperation = defineOperation({
  operationId: 'updateProgram',
  method: 'PUT',
  path: `${PATH}/:programId`,
  base: 'risk',
  scope: 'write',
  summary: 'Create the next version of a program',
  description: `Enrolled accounts keep their version. At most ${MAX_VERSIONS} versions; 409 beyond.`,
  params,
  querystring: Type.Object({
    version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_VERSIONS,
        description: 'The newest version known to you. Errors: 409 if there is a newer one',
      }),
    ),
  }),
  body: newProgram,
  response: { 200: programVersion },
  errors: [404, 409],
});

export const deleteProgramOperation = defineOperation({
  operationId: 'deleteProgram',
  method: 'DELETE',
  path: `${PATH}/:programId`,
  base: 'risk',
  scope: 'write',
  summary: 'Delete a program',
  description: 'With all its versions. 409 while an account is or was enrolled in it.',
  params,
  response: { 204: null },
  errors: [404, 409],
});
