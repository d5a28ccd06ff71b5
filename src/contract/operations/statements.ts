import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import { page, pathId } from '../primitives.ts';
import { accountParams } from './accounts.ts';

export const MAX_STATEMENT_BYTES = 50 * 1024 * 1024;

const importId = pathId('Import id');

const importState = Type.Enum(['storing', 'stored', 'leaving'], {
  description: 'Being stored, stored, or being taken back',
});

const reconciliation = Type.Object({
  figures: Type.Array(
    Type.Object({
      name: Type.String({ description: 'For example balance, total_net_profit' }),
      stated: Type.Number({ description: 'As the report prints it' }),
      computed: Type.Optional(
        Type.Number({
          description: 'From the deals that it lists; absent where it does not follow from them',
        }),
      ),
    }),
    { description: 'Every figure that the report states' },
  ),
  differences: Type.Array(Type.String(), {
    description: "Names of the figures that differ by more than the report's rounding",
  }),
});

const importRecord = Type.Object(
  {
    id: Type.String(),
    importedAt: Type.String({ description: 'ISO time, UTC, of the first time' }),
    state: importState,
    kind: Type.String({ description: 'What the file was recognised as' }),
    deals: Type.Integer({ description: 'Deals that the file lists' }),
    added: Type.Integer({ description: 'Deals that were new to the account' }),
    trades: Type.Integer({
      description: 'Closed positions among them, as historical trades show them',
    }),
    closingDeals: Type.Integer({
      description: "Deals that closed volume: a p5 report's Total Trades",
    }),
    balanceOperations: Type.Integer(),
    openPositions: Type.Integer(),
    netProfit: Type.Number({
      description: 'Of all executions listed: profit, swap, commission and fee',
    }),
    deposits: Type.Number(),
    withdrawals: Type.Number({ description: 'Not negative' }),
    balance: Type.Number({ description: 'As the report states it, else the sum of what it lists' }),
    carriedIn: Type.Optional(
      Type.Number({ description: 'Stated balance that the listed deals do not explain' }),
    ),
    currency: Type.String(),
    firstTime: Type.Optional(Type.String({ description: 'Broker time of the first deal' })),
    lastTime: Type.Optional(Type.String()),
    reconciliation,
    warnings: Type.Array(
      Type.String({ description: 'What could not be taken as it stands, and where' }),
    ),
  },
  { $id: 'Import' },
);
export type ImportRecord = Static<typeof importRecord>;

const importSummary = Type.Object(
  {
    ...Type.Pick(importRecord, [
      ...(['id', 'importedAt', 'state', 'kind', 'deals', 'added', 'netProfit', 'balance'] as const),
      ...(['currency', 'firstTime', 'lastTime'] as const),
    ]).properties,
    differences: Type.Integer({ description: 'Figures that differ from the stated ones' }),
    warnings: Type.Integer({ description: 'How many there are' }),
  },
  { $id: 'ImportSummary' },
);
export type ImportSummary = Static<typeof importSummary>;

export const importStatementOperation = defineOperation({
  operationId: 'importStatement',
  method: 'POST',
  path: '/users/current/accounts/:accountId/statements',
  base: 'stats',
  scope: 'ingest',
  summary: 'Import a report file of a trading terminal; again, it adds nothing',
  description:
    'The file as the body: p4 statements and tester reports (htm), p5 history, tester and trade reports (html, xlsx), deals and closed trades as csv or json. What it is is told from its content; an unreadable file is answered 400, saying what was expected and where it broke.',
  params: accountParams,
  querystring: Type.Object({
    force: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Import the report of another account, too',
      }),
    ),
  }),
  consumes: [
    'application/octet-stream',
    'text/html',
    'text/csv',
    'application/json',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ],
  bodyLimitBytes: MAX_STATEMENT_BYTES,
  response: { 201: importRecord },
  errors: [404, 409],
});

const PATH = '/users/current/accounts/:accountId/imports';
const importParams = Type.Object({ ...accountParams.properties, importId });

export const listImportsOperation = defineOperation({
  operationId: 'listImports',
  method: 'GET',
  path: PATH,
  base: 'stats',
  scope: 'read',
  summary: 'Imported report files, newest first',
  params: accountParams,
  querystring: Type.Object(page),
  response: { 200: Type.Array(importSummary) },
  errors: [404],
});

export const readImportOperation = defineOperation({
  operationId: 'readImport',
  method: 'GET',
  path: `${PATH}/:importId`,
  base: 'stats',
  scope: 'read',
  summary: 'What an import was answered with',
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
  summary: 'Take an import back, with the deals that it alone brought',
  description:
    'Deals go in the background, some at a time; trades and metrics answer 202 until the last is gone. Deals that another import lists stay.',
  params: importParams,
  response: { 204: null },
  errors: [404],
});
