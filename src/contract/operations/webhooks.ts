import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import { page, pathId } from '../primitives.ts';

export const MAX_WEBHOOKS_PER_USER = 20;

const eventTypes = Type.Array(Type.Enum(['drawdown', 'profit']), {
  minItems: 1,
  uniqueItems: true,
  description: 'Which thresholds; both where absent',
});

const webhook = Type.Object(
  {
    id: Type.String(),
    url: Type.String(),
    events: eventTypes,
    createdAt: Type.String({ description: 'ISO time, UTC' }),
    lastSequenceNumber: Type.Integer({
      description: 'Events up to this number are delivered or given up',
    }),
    failedAttempts: Type.Integer({ description: 'At the next event' }),
    lastResult: Type.Optional(Type.String()),
  },
  { $id: 'Webhook' },
);
export type WebhookRecord = Static<typeof webhook>;

const deadLetter = Type.Object(
  {
    sequenceNumber: Type.Integer(),
    attempts: Type.Integer(),
    failedAt: Type.String({ description: 'ISO time, UTC' }),
    lastResult: Type.String(),
  },
  { $id: 'DeadLetter' },
);
export type DeadLetterRecord = Static<typeof deadLetter>;

const PATH = '/users/current/webhooks';
const params = Type.Object({ id: pathId('Webhook id') });

export const createWebhookOperation = defineOperation({
  operationId: 'createWebhook',
  method: 'POST',
  path: PATH,
  base: 'risk',
  scope: 'write',
  summary: 'Have events sent to an address',
  description:
    "Each event from now on is sent by POST as a TrackerEvent, in order, at least once; Idempotency-Key is its sequenceNumber. Plimsoll-Signature is v1= and the hex HMAC-SHA256 of Plimsoll-Timestamp, a dot and the body, under the secret, which is in this answer only. Any 2xx within 10 seconds is success; redirects are not followed. After 12 failures an event becomes a dead letter and the next one's turn comes.",
  body: Type.Object(
    {
      url: Type.String({ maxLength: 2048, description: 'https:// or http://' }),
      events: Type.Optional(eventTypes),
    },
    { additionalProperties: false },
  ),
  response: { 201: Type.Object({ id: Type.String(), secret: Type.String() }) },
  errors: [409],
});

export const listWebhooksOperation = defineOperation({
  operationId: 'listWebhooks',
  method: 'GET',
  path: PATH,
  base: 'risk',
  scope: 'read',
  summary: 'Webhooks in the order of their creation',
  response: { 200: Type.Array(webhook) },
});

export const deleteWebhookOperation = defineOperation({
  operationId: 'deleteWebhook',
  method: 'DELETE',
  path: `${PATH}/:id`,
  base: 'risk',
  scope: 'write',
  summary: 'Delete a webhook and its dead letters',
  params,
  response: { 204: null },
  errors: [404],
});

export const listDeadLettersOperation = defineOperation({
  operationId: 'listDeadLetters',
  method: 'GET',
  path: `${PATH}/:id/dead-letters`,
  base: 'risk',
  scope: 'read',
  summary: 'Events that a webhook did not take, in order',
  params,
  querystring: Type.Object({ limit: page.limit }),
  response: { 200: Type.Array(deadLetter) },
  errors: [404],
});

export const replayDeadLettersOperation = defineOperation({
  operationId: 'replayDeadLetters',
  method: 'POST',
  path: `${PATH}/:id/dead-letters/replay`,
  base: 'risk',
  scope: 'write',
  summary: 'Send dead letters again, one or all',
  params,
  body: Type.Object(
    { sequenceNumber: Type.Optional(Type.Integer({ minimum: 1 })) },
    { additionalProperties: false },
  ),
  response: { 200: Type.Object({ replayed: Type.Integer() }) },
  errors: [404],
});
