import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { linkedPageOf, pathId } from '../primitives.ts';
import {
  createdToken,
  MAX_TOKEN_PAGE,
  newToken,
  token,
  tokenPage,
  tokenRevocation,
  tokenRotation,
} from './users.ts';

const PATH = '/users/current/tokens';

export const listOwnTokensOperation = defineOperation({
  operationId: 'listOwnTokens',
  method: 'GET',
  path: PATH,
  base: 'system',
  scope: 'read',
  summary: 'List your own tokens',
  description:
    'Newest first, without their secrets. 403 for a token of some accounts only, which sees itself: /users/current/token.',
  querystring: tokenPage,
  response: { 200: linkedPageOf(token, { maxItems: MAX_TOKEN_PAGE }) },
  isPaged: true,
});

export const createOwnTokenOperation = defineOperation({
  operationId: 'createOwnToken',
  method: 'POST',
  path: PATH,
  base: 'system',
  scope: 'write',
  summary: 'Create a token of your own',
  description:
    'It has no more rights than the requesting token, and ends no later; default scopes are those of that token without admin. It is shown only in this answer. 403 for a token of some accounts only. 409 beyond 1000 tokens.',
  body: newToken,
  response: { 201: createdToken },
  errors: [409],
});

export const deleteOwnTokenOperation = defineOperation({
  operationId: 'deleteOwnToken',
  method: 'DELETE',
  path: `${PATH}/:id`,
  base: 'system',
  scope: 'write',
  summary: 'Revoke a token of your own',
  description:
    'Including the requesting one. With all that it made, if asked for: those of the same user. 403 for a token of some accounts only.',
  params: Type.Object({ id: pathId('Token id') }),
  querystring: tokenRevocation,
  response: { 204: null },
  errors: [404],
});

export const rotateOwnTokenOperation = defineOperation({
  operationId: 'rotateOwnToken',
  method: 'POST',
  path: `${PATH}/:id/rotation`,
  base: 'system',
  scope: 'write',
  summary: 'Replace the secret of a token of your own',
  description:
    'Creates a token with the same name, rights and end, and lets the old one end after the overlap. The new one counts as made by the requesting token; the old one, and what it made, stay with their maker. If that is who asks, the old one and what it made count as made by the new one. 403 if the token may do more than the requesting one, or ends later, and for a token of some accounts only. 409 for a token that has ended.',
  params: Type.Object({ id: pathId('Token id') }),
  body: tokenRotation,
  bodyIsOptional: true,
  response: { 201: createdToken },
  errors: [404, 409],
});
