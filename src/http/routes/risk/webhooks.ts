import type { FastifyInstance } from 'fastify';
import {
  createWebhookOperation,
  deleteWebhookOperation,
  listDeadLettersOperation,
  listWebhooksOperation,
  replayDeadLettersOperation,
  testWebhookOperation,
} from '../../../contract/operations/webhooks.ts';
import { MAX_PAGE } from '../../../contract/primitives.ts';
import {
  createWebhook,
  deleteWebhook,
  readDeadLetters,
  readWebhooks,
  replayWebhook,
  type WebhookContext,
} from '../../../services/webhooks/manage-webhooks.ts';
import { testWebhook } from '../../../services/webhooks/test-webhook.ts';
import { addRoute } from '../../add-route.ts';
import { sendPage } from '../../send-page.ts';

const TEST_SHARES = { process: 16, user: 2, token: 2 };
const RETRY_AFTER_SECONDS = 5;

export function registerWebhooks(server: FastifyInstance, context: WebhookContext): void {
  const places = server.places.create(
    'webhookTests',
    'tests of webhooks at a time',
    TEST_SHARES,
    RETRY_AFTER_SECONDS,
  );
  addRoute(
    server,
    testWebhookOperation,
    ({ principal, params }) => testWebhook(context, principal, params.id),
    { places },
  );
  addRoute(server, createWebhookOperation, ({ principal, body }) =>
    createWebhook(context, principal, body),
  );
  addRoute(server, listWebhooksOperation, ({ principal }) => readWebhooks(context, principal));
  addRoute(server, deleteWebhookOperation, ({ principal, params }) =>
    deleteWebhook(context, principal, params.id),
  );
  addRoute(server, listDeadLettersOperation, async ({ principal, params, query, ...call }) => {
    const { before = Number.MAX_SAFE_INTEGER, limit = MAX_PAGE } = query;
    const page = await readDeadLetters(context, principal, params.id, { before, limit });
    return sendPage(call, page, (letter) => letter);
  });
  addRoute(server, replayDeadLettersOperation, ({ principal, params, body }) =>
    replayWebhook(context, principal, params.id, body?.sequenceNumber),
  );
}
