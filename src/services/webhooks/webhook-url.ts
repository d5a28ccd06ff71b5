import { PrivateTarget, resolvePublicTarget } from '../../network/public-address.ts';
import { invalidParameter } from '../errors.ts';

const RESOLVE_MS = 3000;

/**
 * Throws `validation` for a URL that can never be sent to. A name without an address may get one
 * later: deliveries will show.
 */
export async function checkWebhookUrl(text: string, allowPrivate: boolean): Promise<void> {
  const url = URL.parse(text);
  if (!url || !['https:', 'http:'].includes(url.protocol)) {
    throw invalidParameter('url', 'must be a URL that starts with https:// or http://');
  }
  if (url.username || url.password) throw invalidParameter('url', 'must not contain a user name');
  try {
    await resolvePublicTarget(url.hostname, allowPrivate, AbortSignal.timeout(RESOLVE_MS));
  } catch (error) {
    if (!(error instanceof PrivateTarget)) return;
    throw invalidParameter(
      'url',
      'must be a public address: only an operator can allow others, with PLIMSOLL_WEBHOOK_PRIVATE',
    );
  }
}
