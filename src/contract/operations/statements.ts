import Type, { type Static } from 'typebox';
import { CONFLICT_SIDES, WITNESSED_FIGURES } from '../../words/deals.ts';
import { IMPORT_STATES } from '../../words/service.ts';
import { defineOperation } from '../operation.ts';
import {
  amount,
  answerText,
  brokerTimeText,
  count,
  flag,
  idText,
  isoTime,
  linkedPageOf,
  optionalText,
  page,
  pathId,
  record,
  text,
  words,
} from '../primitives.ts';
import { tableSample } from '../table-sample.ts';
import { accountParams } from './accounts.ts';
import { storedDeal } from './deals.ts';

export const MAX_STATEMENT_BYTES = 50 * 1024 * 1024;
/** Warnings of one file: a hundred that name rows, and those about the file as a whole. */
export const MAX_IMPORTS_PER_ACCOUNT = 1000;
const MAX_WARNINGS = 1000;
export const MAX_WARNING = 700;
export const MAX_FILE_NAME = 200;
/** Figures that a report states; those with the most have about 70. */
const MAX_FIGURES = 200;

const figureName = answerText(64, 'For example balance or total_net_profit');

const reconciledFigure = record('ReconciledFigure', {
  name: figureName,
  stated: Type.Number({ description: 'Printed by the report' }),
  computed: Type.Optional(
    Type.Number({
      description: 'From its listed deals; absent if it does not follow from them',
    }),
  ),
});

const reconciliation = record('Reconciliation', {
  figures: Type.Array(reconciledFigure, {
    maxItems: MAX_FIGURES,
    description: 'Every figure of the report',
  }),
  differences: Type.Array(figureName, {
    maxItems: MAX_FIGURES,
    description: "Names of the figures that differ by more than the report's rounding",
  }),
});

/** Of one file. */
const MAX_READINGS = 100;

const reading = record(
  'Reading',
  {
    question: answerText(
      64,
      'Open question of the file: costs, cost signs, decimal mark, date order',
    ),
    answer: answerText(64, 'How it was read'),
    verdict: words(['proved', 'assumed', 'contradicted'], {
      description:
        'proved: by other facts of the file. For the others a warning states the effect.',
    }),
  },
  { description: 'An open question of a file, and the chosen answer' },
);

/** Named ones of one import. */
const MAX_CONFLICTS = 50;

const conflictSide = words(CONFLICT_SIDES, {
  $id: 'ConflictSide',
  description: 'The figure that counts',
});

const conflict = record(
  'SourceConflict',
  {
    positionId: idText('Position id'),
    dealId: idText('Id of the deal concerned'),
    field: words(WITNESSED_FIGURES),
    stored: answerText(64, 'Of the earlier source'),
    storedBy: Type.Optional(
      idText('Id of the import that brought it; absent for a platform or a client'),
    ),
    stated: answerText(64, 'Of the file'),
    kept: conflictSide,
    settledAt: Type.Optional(isoTime('When a person decided; absent until then')),
  },
  { description: 'A figure of a position in which two sources differ' },
);

const fileHead = {
  kind: answerText(64, 'Recognised kind of the file'),
  deals: count('Deals listed by the file'),
  added: count('Deals that were new to the account'),
  netProfit: amount('Of all executions listed: profit, swap, commission and fee'),
  balance: amount('Balance stated by the report, or else the sum of its deals'),
  currency: answerText(64, 'Currency of the report'),
  firstTime: Type.Optional(brokerTimeText('Time of the first deal')),
  lastTime: Type.Optional(brokerTimeText('Time of the last deal')),
};

const importHead = {
  id: idText('Import id'),
  importedAt: isoTime('When the file was first imported'),
  state: words(IMPORT_STATES, {
    $id: 'ImportState',
    description: 'storing while its deals come in, leaving while they are taken back',
  }),
  fileName: Type.Optional(answerText(MAX_FILE_NAME, 'As given at the import')),
  ...fileHead,
};

const fileRest = {
  trades: count('Closed positions among the deals, as in historical trades'),
  closingDeals: count("Deals that closed volume: a p5 report's Total Trades"),
  balanceOperations: count('Deposits, withdrawals and other operations on the balance'),
  openPositions: count('Open positions listed by the report'),
  deposits: amount('Money paid in'),
  withdrawals: amount('Money paid out, not negative'),
  carriedIn: Type.Optional(
    amount('The part of the stated balance that the listed deals do not explain'),
  ),
  reconciliation,
  conflicts: Type.Array(conflict, { maxItems: MAX_CONFLICTS }),
  readings: Type.Array(reading, { maxItems: MAX_READINGS }),
  warnings: Type.Array(answerText(MAX_WARNING, 'Warnings, with their places in the file'), {
    maxItems: MAX_WARNINGS,
  }),
};

/** Deals that a preview shows. */
const MAX_FIRST_DEALS = 10;

export const importRecord = record(
  'StatementImport',
  {
    ...Type.Partial(Type.Object(importHead)).properties,
    ...fileHead,
    ...fileRest,
    first: Type.Optional(
      Type.Array(storedDeal, {
        maxItems: MAX_FIRST_DEALS,
        description: 'For a preview: its first deals',
      }),
    ),
    table: Type.Optional(tableSample),
  },
  {
    description: 'An imported report file, with the result; a preview has no id, time or state',
  },
);
export type ImportRecord = Static<typeof importRecord>;

const importSummary = record(
  'ImportSummary',
  {
    ...importHead,
    differences: count('Figures that differ from the stated ones'),
    warnings: count('Warnings'),
    conflicts: count('Undecided figures in which another source differs'),
  },
  { description: 'Summary of an imported report file' },
);
export type ImportSummary = Static<typeof importSummary>;

export const importStatementOperation = defineOperation({
  operationId: 'importStatement',
  method: 'POST',
  path: '/users/current/accounts/:accountId/statements',
  base: 'stats',
  scope: 'ingest',
  summary: 'Import a report file of a trading terminal',
  description:
    'The file is the body, whatever its content-type: p4 statements and tester reports (htm), p5 history, tester and trade reports (html, xlsx), deals and closed trades as csv, xlsx or json. Its content shows what it is. Importing it again adds nothing.\n\n400 says what the reader expected and where reading failed; 409, that the report is of another login, currency or platform than the account: the login alone may be forced.',
  params: accountParams,
  querystring: Type.Object({
    force: flag('Import the report even if it states another login'),
    adopt: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'An empty account adopts login, currency, platform and leverage of the report',
      }),
    ),
    dryRun: flag('Store nothing, and answer 200 with the outcome of an import'),
    fileName: optionalText(MAX_FILE_NAME, 'What the file is called, for people'),
    login: Type.Optional(text(64, 'For a table with rows of several accounts: those of this one')),
  }),
  // Any other type works as well.
  consumes: ['application/octet-stream'],
  bodyLimitBytes: MAX_STATEMENT_BYTES,
  response: { 201: importRecord, 200: importRecord },
  errors: [404, 409],
});

const PATH = '/users/current/accounts/:accountId/imports';
const importParams = Type.Object({ ...accountParams.properties, importId: pathId('Import id') });

export const listImportsOperation = defineOperation({
  operationId: 'listImports',
  method: 'GET',
  path: PATH,
  base: 'stats',
  scope: 'read',
  summary: 'List imported report files',
  description: 'Newest first.',
  params: accountParams,
  querystring: Type.Object(page),
  response: { 200: linkedPageOf(importSummary) },
  isPaged: true,
  errors: [404],
});

export const readImportOperation = defineOperation({
  operationId: 'readImport',
  method: 'GET',
  path: `${PATH}/:importId`,
  base: 'stats',
  scope: 'read',
  summary: 'Read an import',
  description: 'The answer to the import.',
  params: importParams,
  response: { 200: importRecord },
  errors: [404],
});

export const deleteImportOperation = defineOperation({
  operationId: 'deleteImport',
  method: 'DELETE',
  path: `${PATH}/:importId`,
  base: 'stats',
  scope: 'write',
  summary: 'Take an import back',
  description:
    'Removes the deals that only this import brought, in the background; those that another import lists stay. Meanwhile trades and metrics answer 202.',
  params: importParams,
  response: { 204: null },
  errors: [404],
});

export const settleConflictOperation = defineOperation({
  operationId: 'settleConflict',
  method: 'PUT',
  path: `${PATH}/:importId/conflicts/:place`,
  base: 'stats',
  scope: 'write',
  summary: 'Decide between two sources',
  description:
    'Which figure of a position counts if two sources differ. Trades and statistics follow. The decision can be changed; the answer is the import.',
  params: Type.Object({
    ...importParams.properties,
    place: Type.Integer({
      minimum: 0,
      maximum: MAX_CONFLICTS - 1,
      description: 'Place among the conflicts of the import, from 0',
    }),
  }),
  body: record('ConflictDecision', { keep: conflictSide }),
  response: { 200: importRecord },
  errors: [404],
});
