import Type, { type Static } from 'typebox';
import { EVENT_KINDS } from '../../words/events.ts';
import { WEBHOOK_DELIVERIES } from '../../words/service.ts';
import { defineOperation } from '../operation.ts';
import {
  answerText,
  count,
  idText,
  isoTime,
  linkedPageOf,
  MAX_PAGE,
  pageFrom,
  pathId,
  record,
  setOf,
  text,
  words,
} from '../primitives.ts';
import { eventKind } from './tracker-events.ts';

export const MAX_WEBHOOKS_PER_USER = 20;

const eventKinds = setOf(eventKind, EVENT_KINDS.length, {
  minItems: 1,
  description: 'Which kinds of events; default: all',
});

const delivery = words(WEBHOOK_DELIVERIES, {
  $id: 'WebhookDelivery',
  default: 'single',
  description:
    'single: one event per request, one after another; batch: up to 100 events per request, in order; parallel: one event per request, up to 64 at a time, in no order',
});

const webhook = record('Webhook', {
  id: idText('Webhook id'),
  url: answerText(2048, 'Target of the events'),
  events: eventKinds,
  delivery,
  createdAt: isoTime('When the webhook was created'),
  lastSequenceNumber: Type.Integer({
    description: 'Events up to this number are delivered or given up',
  }),
  failedAttempts: count('Failed attempts of the next event'),
  lastResult: Type.Optional(answerText(4000, 'Outcome of the last attempt')),
  locked: Type.Boolean({
    description:
      'Nothing is sent, and events wait: its secret is encrypted under a key that the server lacks',
  }),
});
export type WebhookRecord = Static<typeof webhook>;

const deadLetter = record('DeadLetter', {
  sequenceNumber: Type.Integer({ description: 'Number of the event' }),
  attempts: count('How often it was tried'),
  failedAt: isoTime('When it was given up'),
  lastResult: answerText(4000, 'Outcome of the last attempt'),
});
export type DeadLetterRecord = Static<typeof deadLetter>;

const PATH = '/users/current/webhooks';
const params = Type.Object({ id: pathId('Webhook id') });

export const createWebhookOperation = defineOperation({
  operationId: 'createWebhook',
  method: 'POST',
  path: PATH,
  base: 'risk',
  scope: 'write',
  summary: 'Create a webhook',
  description:
    'Each event from now on is sent by POST, at least once, in order unless delivery says otherwise, as {"type": "tracker." and its kind, "data": as tracker-events/stream shows it}; a batch as {"type": "tracker.batch", "data": an array of those}. Deliveries follow the Standard Webhooks specification; the secret of their signatures is in this answer only. Any 2xx within 10 seconds is success.\n\nBy that specification, webhook-id is the sequenceNumber, of a batch the first and the last, joined by a hyphen, webhook-timestamp the time of sending in seconds, webhook-signature v1, and the base64 HMAC-SHA256 of id.timestamp.body under the secret. Redirects are not followed. After 12 failures an event becomes a dead letter and the next one\'s turn comes. An address that is not public is refused unless the operator allows those.',
  body: record('NewWebhook', {
    url: text(2048, 'https:// or http://'),
    events: Type.Optional(eventKinds),
    delivery: Type.Optional(delivery),
  }),
  response: {
    201: record('CreatedWebhook', {
      id: idText('Webhook id'),
      secret: answerText(256, 'Key of the signatures, after whsec_ in base64; store it now'),
    }),
  },
  errors: [409],
});

export const listWebhooksOperation = defineOperation({
  operationId: 'listWebhooks',
  method: 'GET',
  path: PATH,
  base: 'risk',
  scope: 'read',
  summary: 'List webhooks',
  description: 'In the order of creation.',
  response: { 200: Type.Array(webhook, { maxItems: MAX_WEBHOOKS_PER_USER }) },
});

export const deleteWebhookOperation = defineOperation({
  operationId: 'deleteWebhook',
  method: 'DELETE',
  path: `${PATH}/:id`,
  base: 'risk',
  scope: 'write',
  summary: 'Delete a webhook',
  description: 'With its dead letters.',
  params,
  response: { 204: null },
  errors: [404],
});

export const testWebhookOperation = defineOperation({
  operationId: 'testWebhook',
  method: 'POST',
  path: `${PATH}/:id/test`,
  base: 'risk',
  scope: 'write',
  summary: 'Send a test to a webhook',
  description:
    'At once and once, signed like every event: {"type": "webhook.test", "data": {"webhookId"}}. The answer has the outcome.',
  params,
  response: {
    200: record('WebhookTest', {
      delivered: Type.Boolean({ description: 'Whether the address answered 2xx in time' }),
      result: answerText(4000, 'The outcome'),
    }),
  },
  errors: [404, 409],
});

const eventNumber = (description: string) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description });

export const listDeadLettersOperation = defineOperation({
  operationId: 'listDeadLetters',
  method: 'GET',
  path: `${PATH}/:id/dead-letters`,
  base: 'risk',
  scope: 'read',
  summary: 'List events that a webhook did not accept',
  description: 'Newest first.',
  params,
  querystring: Type.Object(pageFrom(eventNumber, MAX_PAGE)),
  response: { 200: linkedPageOf(deadLetter) },
  isPaged: true,
  errors: [404],
});

export const replayDeadLettersOperation = defineOperation({
  operationId: 'replayDeadLetters',
  method: 'POST',
  path: `${PATH}/:id/dead-letters/replay`,
  base: 'risk',
  scope: 'write',
  summary: 'Send dead letters again',
  description: 'One, or all of them without a body.',
  params,
  body: record('DeadLetterSelection', {
    sequenceNumber: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Only this event',
      }),
    ),
  }),
  bodyIsOptional: true,
  response: {
    200: record('ReplayedDeadLetters', { replayed: count('Events sent again') }),
  },
  errors: [404],
});
