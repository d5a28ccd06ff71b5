import { isIP } from 'node:net';
import { addressKind } from '../domain/address-kind.ts';
import { resolveName } from '../network/resolve-name.ts';

const RESOLVE_MS = 5000;

export const isPublicAddress = (address: string): boolean => addressKind(address) === 'public';

/**
 * The address to connect to. Throws when the name, in any of its addresses, leads out of the public
 * internet and that is not allowed. The caller must connect to just this address: asked again, a
 * name may answer differently.
 */
export async function resolveTarget(
  hostname: string,
  allowPrivate: boolean,
): Promise<{ address: string; family: number }> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const found = isIP(host)
    ? [{ address: host, family: isIP(host) }]
    : await resolveName(host, RESOLVE_MS);
  const [first] = found;
  if (!first) throw new Error('the name has no address');
  if (!allowPrivate && !found.every(({ address }) => isPublicAddress(address))) {
    throw new Error('the address is not public, and PLIMSOLL_WEBHOOK_PRIVATE is not set to allow');
  }
  return first;
}
