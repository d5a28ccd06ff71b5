import Type from 'typebox';
import { COMPATIBILITIES, TOKEN_SCOPES } from '../../words/service.ts';
import { defineOperation } from '../operation.ts';
import {
  answerText,
  count,
  emailAddress,
  identifier,
  idText,
  isoTime,
  linkedPageOf,
  page,
  pageFrom,
  pathId,
  personName,
  record,
  setOf,
  words,
} from '../primitives.ts';

export const tokenScope = words(TOKEN_SCOPES, {
  $id: 'TokenScope',
  description:
    'read: answers. ingest: deals, statements, snapshots, market. write: accounts, trackers, webhooks, profiles, quota requests. actions: together with write, actions on accounts at a breach. admin: everything under /admin.',
});
/** Accounts that one token may be restricted to. */
export const MAX_TOKEN_ACCOUNTS = 1000;
export const MAX_TOKENS_PER_USER = 1000;
export const MAX_TOKEN_PAGE = 20;

const user = record('User', {
  id: idText('User id'),
  email: answerText(254, 'E-mail address'),
  name: Type.Optional(answerText(200, 'Name of the person or firm')),
  createdAt: isoTime('When the user was created'),
  storedBytes: count('What the user has stored, in bytes'),
});

export const token = record('Token', {
  id: idText('Token id'),
  name: Type.Optional(answerText(100, 'What the token is for')),
  scopes: setOf(tokenScope, TOKEN_SCOPES.length),
  accountIds: Type.Optional(
    Type.Array(idText('Account id'), {
      maxItems: MAX_TOKEN_ACCOUNTS,
      description:
        'The only accounts that the token reaches, by their ids; not later ones of the same ids. Absent: all of the user',
    }),
  ),
  createdAt: isoTime('When the token was created'),
  expiresAt: Type.Optional(isoTime('When the token ends; absent: never')),
  madeBy: Type.Optional(
    answerText(
      128,
      'Id of the token that made it, or of the one that took over from that; absent: a command',
    ),
  ),
  lastUsedAt: Type.Optional(isoTime('When it was last used, to a minute; absent: never yet')),
  lastUsedFrom: Type.Optional(answerText(64, 'From which network address')),
});

const compatibility = Type.Optional(
  words(COMPATIBILITIES, {
    description:
      'hosted: requests with it are read and answered by the names of the hosted product. Absent: none',
  }),
);

/** Longest time for which a rotated token stays valid beside its successor. */
export const MAX_OVERLAP_MINUTES = 10_080;
export const DEFAULT_OVERLAP_MINUTES = 60;

export const tokenRotation = record('TokenRotation', {
  compatibility,
  overlapMinutes: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_OVERLAP_MINUTES,
      description: `For how long the old secret stays valid. Default: ${DEFAULT_OVERLAP_MINUTES}`,
    }),
  ),
});

export const tokenRevocation = Type.Object({
  withMade: Type.Optional(
    Type.Boolean({
      description:
        'true: also all tokens that it made, those that these made, and so on. Default: those stay, and count as made by the token that made this one',
    }),
  ),
});

/** Which of a user's tokens. */
export const tokenPage = Type.Object(pageFrom(pathId, MAX_TOKEN_PAGE));

export const createUserOperation = defineOperation({
  operationId: 'createUser',
  method: 'POST',
  path: '/admin/users',
  base: 'admin',
  scope: 'admin',
  summary: 'Create a user',
  description: 'E-mail addresses are unique, ignoring case: 409 for a taken one.',
  body: record('NewUser', {
    email: emailAddress('E-mail address'),
    name: Type.Optional(personName(200, 'Name of the person or firm')),
  }),
  response: {
    201: record('CreatedUser', { id: idText('User id'), email: answerText(254, 'In lower case') }),
  },
  errors: [409],
});

export const listUsersOperation = defineOperation({
  operationId: 'listUsers',
  method: 'GET',
  path: '/admin/users',
  base: 'admin',
  scope: 'admin',
  summary: 'List users',
  description: 'In the order of creation.',
  querystring: Type.Object(page),
  response: { 200: linkedPageOf(user) },
  isPaged: true,
});

const userParams = Type.Object({ userId: pathId('User id') });

export const deleteUserOperation = defineOperation({
  operationId: 'deleteUser',
  method: 'DELETE',
  path: '/admin/users/:userId',
  base: 'admin',
  scope: 'admin',
  summary: 'Delete a user',
  description:
    "Permanently, with all data: accounts with their deals, trackers, events and evidence; tokens, profiles, webhooks, programs and quotas. The audit of the user stays.\n\nFrom the answer on, the user's tokens are refused, webhooks and profiles are gone, and the e-mail address is free; open event streams end within 15 seconds. Accounts and their data are removed in the background, some at a time, by a process with the role jobs.",
  params: userParams,
  response: { 204: null },
  errors: [404],
});

export const newToken = record('NewToken', {
  name: Type.Optional(personName(100, 'What the token is for')),
  scopes: Type.Optional(
    setOf(tokenScope, TOKEN_SCOPES.length, {
      minItems: 1,
      description: 'Default: read, write and ingest',
    }),
  ),
  accountIds: Type.Optional(
    Type.Array(identifier('Account id'), {
      minItems: 1,
      maxItems: MAX_TOKEN_ACCOUNTS,
      uniqueItems: true,
      description:
        'The only accounts that the token reaches: those that there are now by these ids, no later ones. Absent: all of the user',
    }),
  ),
  expiresInDays: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 36_500,
      description: 'Days until the token ends; absent: never',
    }),
  ),
  compatibility,
});

export const createdToken = record('CreatedToken', {
  id: idText('Token id'),
  token: answerText(64, 'The secret for the auth-token header; store it now'),
});

export const createTokenOperation = defineOperation({
  operationId: 'createToken',
  method: 'POST',
  path: '/admin/users/:userId/tokens',
  base: 'admin',
  scope: 'admin',
  summary: 'Create an access token',
  description: `The token is shown only in this answer: the server keeps a hash of it. A user has at most ${MAX_TOKENS_PER_USER} tokens: 409 beyond.`,
  params: userParams,
  body: newToken,
  response: { 201: createdToken },
  errors: [404, 409],
});

export const listTokensOperation = defineOperation({
  operationId: 'listTokens',
  method: 'GET',
  path: '/admin/users/:userId/tokens',
  base: 'admin',
  scope: 'admin',
  summary: 'List the tokens of a user',
  description: 'Newest first, without their secrets.',
  params: userParams,
  querystring: tokenPage,
  response: { 200: linkedPageOf(token, { maxItems: MAX_TOKEN_PAGE }) },
  isPaged: true,
  errors: [404],
});

export const deleteTokenOperation = defineOperation({
  operationId: 'deleteToken',
  method: 'DELETE',
  path: '/admin/tokens/:id',
  base: 'admin',
  scope: 'admin',
  summary: 'Revoke a token',
  description:
    'Ends the token in every process at the next request, and within 15 seconds its open event streams. A token that may be known to others should go with all that it made, of whatever user; that also works if it is gone already itself.',
  params: Type.Object({ id: pathId('Token id') }),
  querystring: tokenRevocation,
  response: { 204: null },
  errors: [404],
});

export const rotateTokenOperation = defineOperation({
  operationId: 'rotateToken',
  method: 'POST',
  path: '/admin/tokens/:id/rotation',
  base: 'admin',
  scope: 'admin',
  summary: 'Replace the secret of a token',
  description:
    'Creates a token with the same name, rights and end, and lets the old one end after the overlap. The new one counts as made by the requesting token; the old one, and what it made, stay with their maker. If that is who asks, the old one and what it made count as made by the new one. 409 for a token that has ended.',
  params: Type.Object({ id: pathId('Token id') }),
  body: tokenRotation,
  bodyIsOptional: true,
  response: { 201: createdToken },
  errors: [404, 409],
});
