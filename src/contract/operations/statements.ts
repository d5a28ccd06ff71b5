import Type, { type Static } from 'typebox';
import { CONFLICT_SIDES, WITNESSED_FIGURES } from '../../words/deals.ts';
import { IMPORT_STATES } from '../../words/service.ts';
import { defineOperation } from '../operation.ts';
import {
  amount,
  answerText,
  brokerTimeText,
  count,
  idText,
  isoTime,
  linkedPageOf,
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
/** Figures that a report states; those with the most have about 70. */
const MAX_FIGURES = 200;

const figureName = answerText(64, 'For example balance or total_net_profit');

const reconciledFigure = record('ReconciledFigure', {
  name: figureName,
  stated: Type.Number({ description: 'As the report prints it' }),
  computed: Type.Optional(
    Type.Number({
      description: 'From the deals that it lists; absent where it does not follow from them',
    }),
  ),
});

const reconciliation = record('Reconciliation', {
  figures: Type.Array(reconciledFigure, {
    maxItems: MAX_FIGURES,
    description: 'Every figure that the report states',
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
      'What the file leaves open: costs, cost signs, decimal mark, date order',
    ),
    answer: answerText(64, 'How it was read'),
    verdict: words(['proved', 'assumed', 'contradicted'], {
      description:
        'proved: by what the file states elsewhere. Of the others a warning says the effect.',
    }),
  },
  { description: 'A question that a file leaves open, and how it was read' },
);

/** Those of one import that are named. */
const MAX_CONFLICTS = 50;

const conflictSide = words(CONFLICT_SIDES, {
  $id: 'ConflictSide',
  description: 'The figure that counts',
});

const conflict = record(
  'SourceConflict',
  {
    positionId: idText('Position id'),
    dealId: idText('Id of the deal that it is about'),
    field: words(WITNESSED_FIGURES),
    stored: answerText(64, 'By the source that was there before'),
    storedBy: Type.Optional(
      idText('Id of the import that had brought it; absent for a platform or a client'),
    ),
    stated: answerText(64, 'By the file'),
    kept: conflictSide,
    settledAt: Type.Optional(isoTime('When a person decided; absent while nobody has')),
  },
  { description: 'A figure of a position in which two sources differ' },
);

const fileHead = {
  kind: answerText(64, 'What the file was recognised as'),
  deals: count('Deals that the file lists'),
  added: count('Deals that were new to the account'),
  netProfit: amount('Of all executions listed: profit, swap, commission and fee'),
  balance: amount('Balance as the report states it, else the sum of what it lists'),
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
  ...fileHead,
};

const fileRest = {
  trades: count('Closed positions among the deals, as historical trades show them'),
  closingDeals: count("Deals that closed volume: a p5 report's Total Trades"),
  balanceOperations: count('Deposits, withdrawals and other operations on the balance'),
  openPositions: count('Positions that the report lists as open'),
  deposits: amount('Money paid in'),
  withdrawals: amount('Money paid out, not negative'),
  carriedIn: Type.Optional(amount('What of the stated balance the listed deals do not explain')),
  reconciliation,
  conflicts: Type.Array(conflict, { maxItems: MAX_CONFLICTS }),
  readings: Type.Array(reading, { maxItems: MAX_READINGS }),
  warnings: Type.Array(answerText(MAX_WARNING, 'What could not be used as it stands, and where'), {
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
        description: 'Of a preview: its first deals',
      }),
    ),
    table: Type.Optional(tableSample),
  },
  {
    description:
      'A report file that was imported, with the result; a preview has no id, time and state',
  },
);
export type ImportRecord = Static<typeof importRecord>;

const importSummary = record(
  'ImportSummary',
  {
    ...importHead,
    differences: count('Figures that differ from the stated ones'),
    warnings: count('What could not be used as it stands'),
    conflicts: count('Figures in which another source differs, and nobody has decided'),
  },
  { description: 'A report file that was imported, in short' },
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
    force: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Import the report even if it states another login',
      }),
    ),
    adopt: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'An account that holds nothing yet gets login, currency, platform and leverage of the report',
      }),
    ),
    dryRun: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Store nothing, and answer 200 with what the import would come to',
      }),
    ),
    login: Type.Optional(text(64, 'Of a table with rows of several accounts, those of this one')),
  }),
  // Any other type will do as well.
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
    'Removes the deals that only this import brought, in the background; those that another import lists stay. Until then trades and metrics answer 202.',
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
    'Which figure of a position counts where two sources of it differ. Trades and statistics follow. It can be decided anew; the answer is the import.',
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
