import type { FastifyInstance } from 'fastify';
import {
  createWebhookOperation,
  deleteWebhookOperation,
  listDeadLettersOperation,
  listWebhooksOperation,
  replayDeadLettersOperation,
} from '../../../contract/operations/webhooks.ts';
import type { Context } from '../../../services/context.ts';
import {
  createWebhook,
  deleteWebhook,
  readDeadLetters,
  readWebhooks,
  replayWebhook,
} from '../../../services/webhooks/manage-webhooks.ts';
import type { WebhookSecrets } from '../../../services/webhooks/webhook-secrets.ts';
import { addRoute } from '../../add-route.ts';

export function registerWebhooks(
  server: FastifyInstance,
  context: Context & { secrets: WebhookSecrets },
): void {
  addRoute(server, createWebhookOperation, ({ principal, body }) =>
    createWebhook(context, principal, body),
  );
  addRoute(server, listWebhooksOperation, ({ principal }) => readWebhooks(context, principal));
  addRoute(server, deleteWebhookOperation, ({ principal, params }) =>
    deleteWebhook(context, principal, params.id),
  );
  addRoute(server, listDeadLettersOperation, ({ principal, params, query }) =>
    readDeadLetters(context, principal, params.id, query.limit ?? 1000),
  );
  addRoute(server, replayDeadLettersOperation, ({ principal, params, body }) =>
    replayWebhook(context, principal, params.id, body?.sequenceNumber),
  );
}
