import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { amount, answerText, brokerTimeText, count, record } from '../primitives.ts';
import { accountParams } from './accounts.ts';

export const MAX_STATEMENT_BYTES = 50 * 1024 * 1024;
/** Warnings of one file: a hundred that name rows, and those about the file as a whole. */
const MAX_WARNINGS = 1000;

export const importedStatement = record('ImportedStatement', {
  kind: answerText(64, 'What the file was recognised as'),
  deals: count('Deals that the file lists'),
  added: count('Deals that were new to the account'),
  trades: count('Closed positions among them, as historical trades show them'),
  closingDeals: count("Deals that closed volume: a p5 report's Total Trades"),
  balanceOperations: count('Deposits, withdrawals and other operations on the balance'),
  openPositions: count('Positions that the report lists as open'),
  netProfit: amount('Of all executions listed: profit, swap, commission and fee'),
  deposits: amount('Money paid in'),
  withdrawals: amount('Money paid out, not negative'),
  balance: amount('Balance as the report states it, else the sum of what it lists'),
  currency: answerText(64, 'Currency of the report'),
  firstTime: Type.Optional(brokerTimeText('Time of the first deal')),
  lastTime: Type.Optional(brokerTimeText('Time of the last deal')),
  stated: Type.Unsafe<Record<string, number>>({
    type: 'object',
    additionalProperties: { type: 'number' },
    description: 'The figures that the report itself prints, by name',
  }),
  warnings: Type.Array(answerText(8000, 'What could not be taken as it stands, and where'), {
    maxItems: MAX_WARNINGS,
  }),
});

export const importStatementOperation = defineOperation({
  operationId: 'importStatement',
  method: 'POST',
  path: '/users/current/accounts/:accountId/statements',
  base: 'stats',
  scope: 'ingest',
  summary: 'Import a report file of a trading terminal',
  description:
    'The file is the body, whatever its content-type: p4 statements and tester reports (htm), p5 history, tester and trade reports (html, xlsx), deals and closed trades as csv or json. Its content tells what it is. Importing it again adds nothing. 400 says what the reader expected and where it broke.',
  params: accountParams,
  // Any other type will do as well.
  consumes: ['application/octet-stream'],
  bodyLimitBytes: MAX_STATEMENT_BYTES,
  response: { 201: importedStatement },
  errors: [404],
});
