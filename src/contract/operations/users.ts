import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { identifier, optionalText, page, pathId, text } from '../primitives.ts';

export const TOKEN_SCOPES = ['read', 'write', 'ingest', 'admin'] as const;

const user = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    name: Type.Optional(Type.String()),
    createdAt: Type.String({ description: 'ISO time, UTC' }),
  },
  { $id: 'User' },
);

const token = Type.Object(
  {
    id: Type.String(),
    name: Type.Optional(Type.String()),
    scopes: Type.Array(Type.Enum([...TOKEN_SCOPES])),
    accountIds: Type.Optional(Type.Array(Type.String())),
    createdAt: Type.String(),
    expiresAt: Type.Optional(Type.String()),
  },
  { $id: 'Token' },
);

export const createUserOperation = defineOperation({
  operationId: 'createUser',
  method: 'POST',
  path: '/admin/users',
  base: 'admin',
  scope: 'admin',
  summary: 'Create a user',
  body: Type.Object(
    {
      email: Type.String({
        maxLength: 254,
        pattern: '^[^\\s@\\p{Cc}<>,;:"]+@[^\\s@\\p{Cc}<>,;:"]+$',
        description: 'E-mail address',
      }),
      name: optionalText(200, 'Name of the person or firm'),
    },
    { additionalProperties: false },
  ),
  response: { 201: Type.Object({ id: Type.String(), email: Type.String() }) },
  errors: [409],
});

export const listUsersOperation = defineOperation({
  operationId: 'listUsers',
  method: 'GET',
  path: '/admin/users',
  base: 'admin',
  scope: 'admin',
  summary: 'List users',
  querystring: Type.Object(page),
  isLong: true,
  response: { 200: Type.Array(user) },
});

const userParams = Type.Object({ userId: pathId('User id') });

export const createTokenOperation = defineOperation({
  operationId: 'createToken',
  method: 'POST',
  path: '/admin/users/:userId/tokens',
  base: 'admin',
  scope: 'admin',
  summary: 'Create an access token; the answer is the only place where it is shown',
  params: userParams,
  body: Type.Object(
    {
      name: Type.Optional(text(100, 'What the token is for')),
      scopes: Type.Optional(
        Type.Array(Type.Enum([...TOKEN_SCOPES]), { minItems: 1, maxItems: 4, uniqueItems: true }),
      ),
      accountIds: Type.Optional(
        Type.Array(identifier('Account id'), { minItems: 1, maxItems: 1000, uniqueItems: true }),
      ),
      expiresInDays: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 36_500 })),
    },
    { additionalProperties: false },
  ),
  response: { 201: Type.Object({ id: Type.String(), token: Type.String() }) },
  errors: [404],
});

export const listTokensOperation = defineOperation({
  operationId: 'listTokens',
  method: 'GET',
  path: '/admin/users/:userId/tokens',
  base: 'admin',
  scope: 'admin',
  summary: 'List the tokens of a user, without their secrets',
  params: userParams,
  response: { 200: Type.Array(token) },
  errors: [404],
});

export const deleteTokenOperation = defineOperation({
  operationId: 'deleteToken',
  method: 'DELETE',
  path: '/admin/tokens/:id',
  base: 'admin',
  scope: 'admin',
  summary: 'Revoke a token at once',
  params: Type.Object({ id: pathId('Token id') }),
  response: { 204: null },
  errors: [404],
});
