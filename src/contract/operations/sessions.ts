import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import {
  answerText,
  idText,
  isoTime,
  linkedPageOf,
  pageFrom,
  pathId,
  record,
  text,
  words,
} from '../primitives.ts';
import { currentToken } from './system.ts';

const PATH = '/users/current/sessions';
export const MAX_SESSION_PAGE = 50;
/** Sessions, and codes, of one token or person at a time; beyond, that used longest ago ends. */
export const MAX_SESSIONS = 20;
export const SESSION_DAYS = 7;
export const SESSION_IDLE_HOURS = 12;
export const CODE_MINUTES = 10;

const PROVIDER_PARTS = ['offered', 'used'] as const;
export type ProviderPart = (typeof PROVIDER_PARTS)[number];

const OWN_PAGE =
  'Only for pages of this server, by the headers `Sec-Fetch-Site` and `Origin`: 403 for others.';

const signIn = record('SignIn', {
  token: Type.Optional(text(256, 'A token')),
  code: Type.Optional(text(256, 'Or a one-time code')),
});

export const readSessionOperation = defineOperation({
  operationId: 'readSession',
  method: 'GET',
  path: '/session',
  base: 'system',
  scope: 'public',
  summary: 'The session of this browser',
  description: 'By its cookie. `current` is absent if nobody is signed in.',
  response: {
    200: record('Session', {
      current: Type.Optional(currentToken),
      provider: Type.Optional(
        words(PROVIDER_PARTS, {
          description:
            'used: the session began at an OpenID provider. offered: one could. Absent: there is none',
        }),
      ),
    }),
  },
});

export const signInOperation = defineOperation({
  operationId: 'signIn',
  method: 'POST',
  path: '/session',
  base: 'system',
  scope: 'public',
  summary: 'Sign a browser in',
  description: `Exchanges a token, or a one-time code, for a session with its rights. The session is in a cookie that scripts cannot read. It ends after ${SESSION_DAYS} days, after ${SESSION_IDLE_HOURS} hours without a request, and with its token. 401 for a token or code that is unknown, used or has ended. ${OWN_PAGE}`,
  body: signIn,
  response: { 201: currentToken },
  errors: [401, 403],
});

export const readSignInOperation = defineOperation({
  operationId: 'readSignIn',
  method: 'POST',
  path: '/session/preview',
  base: 'system',
  scope: 'public',
  summary: 'Who would be signed in',
  description: `By a token or code, which stays as it is: to ask before a running session is replaced. ${OWN_PAGE}`,
  body: signIn,
  response: {
    200: record('SignInPreview', {
      id: idText('Id of the token that the session would be from'),
      name: Type.Optional(answerText(200, "Absent for the operator's bootstrap token")),
    }),
  },
  errors: [401, 403],
});

export const createSignInCodeOperation = defineOperation({
  operationId: 'createSignInCode',
  method: 'POST',
  path: '/users/current/sign-in-codes',
  base: 'system',
  scope: 'read',
  summary: 'Create a one-time code',
  description: `It signs one browser in, with the rights of the requesting token or session, within ${CODE_MINUTES} minutes. The dashboard takes it from the end of its address, \`#code=\`, which browsers do not send.`,
  response: {
    201: record('SignInCode', {
      code: answerText(64, 'Shown once'),
      expiresAt: isoTime('When it ends'),
    }),
  },
});

export const listSessionsOperation = defineOperation({
  operationId: 'listSessions',
  method: 'GET',
  path: PATH,
  base: 'system',
  scope: 'read',
  summary: 'List sessions',
  description:
    'Newest first: those from the requesting token; with all scopes of an owner, and without a restriction to accounts, all of the user.',
  querystring: Type.Object(pageFrom(pathId, MAX_SESSION_PAGE)),
  response: {
    200: linkedPageOf(
      record('ListedSession', {
        id: idText('Session id'),
        name: Type.Optional(answerText(200, 'Who is signed in')),
        device: answerText(200, 'The browser, as it calls itself'),
        startedAt: isoTime('When it began'),
        expiresAt: isoTime('When it ends at the latest'),
        lastUsedAt: isoTime('Its last request, to a minute'),
        lastUsedFrom: answerText(64, 'From which network address'),
        isCurrent: Type.Boolean({ description: 'The session of this request' }),
      }),
      { maxItems: MAX_SESSION_PAGE },
    ),
  },
  isPaged: true,
});

export const endSessionOperation = defineOperation({
  operationId: 'endSession',
  method: 'DELETE',
  path: `${PATH}/:id`,
  base: 'system',
  scope: 'read',
  summary: 'End a session',
  description:
    'One of those that you can list, or `current`. Refused from the next request on; its open event streams end within 15 seconds.',
  params: Type.Object({ id: pathId('Session id') }),
  response: { 204: null },
  errors: [404],
});

export const endSessionsOperation = defineOperation({
  operationId: 'endSessions',
  method: 'DELETE',
  path: PATH,
  base: 'system',
  scope: 'read',
  summary: 'End all your sessions',
  description: 'Those from the requesting token, with this one, and its unused codes.',
  response: { 204: null },
});
