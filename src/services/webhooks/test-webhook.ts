import { WebhookClient } from '../../network/send-webhook.ts';
import { signedRequest } from '../../network/webhook-message.ts';
import type { Principal } from '../context.ts';
import { asConflict } from '../errors.ts';
import { ownWebhook, type WebhookContext } from './manage-webhooks.ts';

/** Less than for a delivery: a person waits for it, and so does a stopping server. */
const TEST_MS = 5000;

/** Sends one test to a webhook, and returns the outcome. */
export async function testWebhook(
  context: WebhookContext,
  principal: Principal,
  id: string,
): Promise<{ delivered: boolean; result: string }> {
  const { allowPrivate, secrets, now, newId } = context;
  const webhook = await ownWebhook(context, principal, id);
  const secret = await secrets.open(webhook, id).catch(asConflict);
  const message = { id: `test-${newId()}`, type: 'webhook.test', data: { webhookId: id } };
  const { headers, body } = signedRequest(secret, message, now());
  const url = new URL(webhook.url);
  const client = new WebhookClient({ allowPrivate });
  try {
    const options = { signal: AbortSignal.timeout(TEST_MS) };
    const { isTaken, result } = await client.send(url, headers, body, options);
    return { delivered: isTaken, result };
  } finally {
    client.close();
  }
}
