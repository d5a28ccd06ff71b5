import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { answerText, count, idText, isoTime, record, setOf } from '../primitives.ts';
import { MAX_TOKEN_ACCOUNTS, TOKEN_SCOPES, tokenScope } from './users.ts';

const version = answerText(64, 'Version of Plimsoll');
const health = record('Health', { status: answerText(16, 'live'), version });
const readiness = record('Readiness', {
  status: answerText(16, 'ready'),
  version,
  quarantinedAccounts: count('Accounts here that wait for an operator: plimsoll journal list'),
  quietJobs: Type.Boolean({
    description:
      'true: e-mails, webhooks, actions at breaches and readings of platforms wait, as PLIMSOLL_QUIET_JOBS asks for',
  }),
});

export const livenessOperation = defineOperation({
  operationId: 'readLiveness',
  method: 'GET',
  path: '/health/live',
  base: 'system',
  scope: 'public',
  summary: 'Whether the process runs',
  description: 'Asks nothing of the database. Restart the process when this does not answer.',
  response: { 200: health },
});

export const readinessOperation = defineOperation({
  operationId: 'readReadiness',
  method: 'GET',
  path: '/health/ready',
  base: 'system',
  scope: 'public',
  summary: 'Whether the process can serve',
  description:
    '200 while its database answers and its live state moves on, else 503: send it no requests.',
  response: { 200: readiness },
});

export const currentTokenOperation = defineOperation({
  operationId: 'readCurrentToken',
  method: 'GET',
  path: '/users/current/token',
  base: 'system',
  scope: 'read',
  summary: 'The token of this request',
  description: 'Whose it is and what it may do.',
  response: {
    200: record('CurrentToken', {
      userId: Type.Optional(idText("Absent for the operator's bootstrap token")),
      name: Type.Optional(
        answerText(200, 'By which others know who acts: of the token, else of the user'),
      ),
      scopes: setOf(tokenScope, TOKEN_SCOPES.length),
      accountIds: Type.Optional(
        Type.Array(idText('Account id'), {
          maxItems: MAX_TOKEN_ACCOUNTS,
          description: 'The only accounts that the token reaches; absent: all of the user',
        }),
      ),
      expiresAt: Type.Optional(isoTime('When the token ends; absent: never')),
    }),
  },
});
