import Type from 'typebox';
import { defineOperation } from '../operation.ts';
import { TOKEN_SCOPES } from './users.ts';

const health = Type.Object({ status: Type.String() });

export const livenessOperation = defineOperation({
  operationId: 'readLiveness',
  method: 'GET',
  path: '/health/live',
  base: 'system',
  scope: 'public',
  summary: 'The process runs',
  response: { 200: health },
});

export const readinessOperation = defineOperation({
  operationId: 'readReadiness',
  method: 'GET',
  path: '/health/ready',
  base: 'system',
  scope: 'public',
  summary: 'The process can serve: its database answers, and live state moves on',
  response: { 200: health },
});

export const currentTokenOperation = defineOperation({
  operationId: 'readCurrentToken',
  method: 'GET',
  path: '/users/current/token',
  base: 'system',
  scope: 'read',
  summary: 'Whose the token of this request is and what it may do',
  response: {
    200: Type.Object(
      {
        userId: Type.Optional(Type.String({ description: "Absent for the operator's own token" })),
        name: Type.Optional(
          Type.String({
            description: 'By which others know who acts: of the token, else the user',
          }),
        ),
        scopes: Type.Array(Type.Enum([...TOKEN_SCOPES])),
        accountIds: Type.Optional(Type.Array(Type.String(), { description: 'Only these, if any' })),
      },
      { $id: 'CurrentToken' },
    ),
  },
});
