import Type from 'typebox';
import { TOKEN_SCOPES } from '../../words/service.ts';
import { defineOperation } from '../operation.ts';
import { answerText, count, idText, isoTime, record, setOf } from '../primitives.ts';
import { role } from './people.ts';
import { MAX_TOKEN_ACCOUNTS, tokenScope } from './users.ts';

const version = answerText(64, 'Version of Plimsoll');
const health = record('Health', { status: answerText(16, 'live'), version });
const readiness = record('Readiness', {
  status: answerText(16, 'ready'),
  version,
  quarantinedAccounts: count('Accounts here that wait for an operator: plimsoll journal list'),
  standingWork: Type.Array(
    record('StandingWork', {
      work: answerText(32, 'Kind of work, for example folding, webhooks or seals'),
      seconds: Type.Number({ description: 'How long the first due item has not been tried' }),
    }),
    {
      maxItems: 32,
      description: 'Background work of all processes that stands still; empty if all is well',
    },
  ),
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
  summary: 'Liveness of the process',
  description: 'Does not ask the database. Restart the process if this does not answer.',
  response: { 200: health },
});

export const readinessOperation = defineOperation({
  operationId: 'readReadiness',
  method: 'GET',
  path: '/health/ready',
  base: 'system',
  scope: 'public',
  summary: 'Readiness of the process',
  description:
    '200 while its database answers and its live state advances, otherwise 503: send it no requests.',
  response: { 200: readiness },
});

export const currentToken = record('CurrentToken', {
  id: idText('Id of the token; of a session, that of the token that it is from'),
  sessionId: Type.Optional(idText('Absent for a token')),
  userId: Type.Optional(idText("Absent for the operator's bootstrap token")),
  name: Type.Optional(
    answerText(
      200,
      'Shown to others as the person acting: the name of the token, or else of the user',
    ),
  ),
  role: Type.Optional(role),
  scopes: setOf(tokenScope, TOKEN_SCOPES.length),
  accountIds: Type.Optional(
    Type.Array(idText('Account id'), {
      maxItems: MAX_TOKEN_ACCOUNTS,
      description: 'The only accounts that the token reaches; absent: all of the user',
    }),
  ),
  expiresAt: Type.Optional(isoTime('When the token or session ends; absent: never')),
});

export const currentTokenOperation = defineOperation({
  operationId: 'readCurrentToken',
  method: 'GET',
  path: '/users/current/token',
  base: 'system',
  scope: 'read',
  summary: 'The token of this request',
  description: 'Its user and its rights; those of the session for a request with its cookie.',
  response: { 200: currentToken },
});
