import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { accountParams } from './accounts.ts';

export const MAX_STATEMENT_BYTES = 50 * 1024 * 1024;

export const importedStatement = Type.Object(
  {
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
    currency: Type.String(),
    firstTime: Type.Optional(Type.String({ description: 'Broker time of the first deal' })),
    lastTime: Type.Optional(Type.String()),
    stated: Type.Record(Type.String(), Type.Number(), {
      description: 'The figures that the report itself prints',
    }),
    warnings: Type.Array(
      Type.String({ description: 'What could not be taken as it stands, and where' }),
    ),
  },
  { $id: 'ImportedStatement' },
);

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
    otherCurrency: Type.Optional(
      Type.Enum(['take', 'refuse'], {
        default: 'take',
        description:
          "Of a report in another currency than the account's: take its amounts as they are and warn, or answer 409 and store nothing",
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
  response: { 201: importedStatement },
  errors: [404, 409],
});
