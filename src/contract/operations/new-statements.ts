import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import {
  answerText,
  brokerClock,
  currency,
  flag,
  idText,
  optionalText,
  record,
  text,
  words,
} from '../primitives.ts';
import { createAccountOperation, platform } from './accounts.ts';
import { importRecord, MAX_FILE_NAME, MAX_STATEMENT_BYTES } from './statements.ts';

const { name, broker, leverage } = createAccountOperation.body.properties;
const login = Type.String({
  maxLength: 18,
  pattern: '^[0-9]{1,18}$',
  expected: 'must be 1 to 18 digits',
  description: 'Login of the account; for a table with rows of several accounts, the one to read',
});
const zone = text(64, 'IANA name of the zone of the broker clock');
const shiftHours = Type.Number({
  minimum: -24,
  maximum: 24,
  description: 'Hours by which the broker clock is ahead of it',
});

const proposedAccount = record(
  'ProposedAccount',
  { name, broker, platform, login, currency, leverage, brokerClock },
  { description: 'Facts of the file about its account, and guesses' },
);
export type ProposedAccount = Static<typeof proposedAccount>;

const reason = record(
  'ProposalReason',
  {
    field: words(['broker', 'platform', 'login', 'currency', 'leverage', 'brokerClock']),
    isTold: Type.Boolean({ description: 'Whether the file states it; otherwise a guess' }),
    reason: answerText(400, 'Reason of the proposal'),
  },
  { description: 'Source of a proposed value' },
);
/** One for each field, and some spare. */
const MAX_REASONS = 10;
const MAX_EXISTING = 10;

const proposal = record(
  'StatementProposal',
  {
    account: proposedAccount,
    reasons: Type.Array(reason, { maxItems: MAX_REASONS }),
    existing: Type.Array(
      record('ExistingAccount', { id: idText('Account id'), name: answerText(200, 'Its name') }),
      {
        maxItems: MAX_EXISTING,
        description: 'Accounts with this login, currency and platform: the file may belong there',
      },
    ),
    statement: importRecord,
  },
  { description: 'The account that a report would create, and the answer of its import' },
);
export type StatementProposal = Static<typeof proposal>;

const started = record(
  'StartedAccount',
  { accountId: idText('Account id'), statement: importRecord },
  { description: 'An account created from a report' },
);
export type StartedAccount = Static<typeof started>;

export const startFromStatementOperation = defineOperation({
  operationId: 'startFromStatement',
  method: 'POST',
  path: '/users/current/statements',
  base: 'stats',
  scope: 'write',
  summary: 'Create an account from a report file',
  description:
    'The file is the body, as for an import. Without `create`, the answer is 200 with the account that the file would create, and nothing is stored. With `create=true` that account is created and the file imported into it, or neither: 201. Fields that are given here take the place of the proposed ones.\n\n409: the report states another currency or platform.',
  querystring: Type.Object({
    create: flag('Create the account'),
    fileName: optionalText(MAX_FILE_NAME, 'What the file is called, for people'),
    login: Type.Optional(login),
    name: Type.Optional(name),
    broker: Type.Optional(broker),
    platform: Type.Optional(platform),
    currency: Type.Optional(currency),
    leverage: Type.Optional(leverage),
    zone: Type.Optional(zone),
    shiftHours: Type.Optional(shiftHours),
  }),
  // Any other type works as well.
  consumes: ['application/octet-stream'],
  bodyLimitBytes: MAX_STATEMENT_BYTES,
  response: { 200: proposal, 201: started },
  errors: [409],
});
