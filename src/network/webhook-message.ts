import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const KEY_BYTES = 32;

/** A message to a webhook: an event, or a test. Sent again, it has the same id. */
export type WebhookMessage = { id: string; type: string; data: object };

export const newWebhookSecret = (): string => PREFIX + randomBytes(KEY_BYTES).toString('base64');

/**
 * A posted message, by the Standard Webhooks specification 1.0: the secret proves that the body is
 * ours, and when it was sent. https://www.standardwebhooks.com
 */
export function signedRequest(
  secret: string,
  { id, type, data }: WebhookMessage,
  nowMs: number,
): { headers: Record<string, string>; body: string } {
  const body = JSON.stringify({ type, data });
  const timestamp = String(Math.floor(nowMs / 1000));
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Plimsoll',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
  return { headers, body };
}
