import { createHmac } from 'node:crypto';

/** Signs a delivery: who knows the secret can tell that the body is ours, and when it was sent. */
export const signatureOf = (secret: string, timestamp: string, body: string): string =>
  `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
