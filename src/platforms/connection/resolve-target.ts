import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { addressKind } from '../../domain/address-kind.ts';
import { NameUnanswered, resolveName } from '../../network/resolve-name.ts';
import type { ServerAddress } from './server-address.ts';
import { TransportError } from './transport-error.ts';

/**
 * The IP addresses to connect to. Throws TransportError if the name is not resolved in time, or any
 * of its addresses is forbidden for profiles. The caller connects to just these: asked again, a
 * name may answer differently.
 */
export async function resolveTarget(
  { host, allowPrivate }: Pick<ServerAddress, 'host' | 'allowPrivate'>,
  withinMs: number,
): Promise<LookupAddress[]> {
  const family = isIP(host);
  const found = family === 0 ? await addressesOf(host, withinMs) : [{ address: host, family }];
  if (found.length === 0) throw new TransportError('The host name of the server has no address');
  const kinds = new Set(found.map(({ address }) => addressKind(address)));
  if (kinds.has('refused'))
    throw new TransportError('The host name of the server resolves to a reserved address');
  if (kinds.has('private') && !allowPrivate)
    throw new TransportError(
      'The host name of the server resolves to a private address, which PLIMSOLL_PRIVATE_PLATFORMS does not allow',
    );
  return found;
}

async function addressesOf(host: string, withinMs: number): Promise<LookupAddress[]> {
  try {
    return await resolveName(host, withinMs);
  } catch (error) {
    if (error instanceof NameUnanswered) {
      throw new TransportError('The host name of the server was not resolved in time');
    }
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    throw new TransportError(
      `The host name of the server cannot be resolved (${code ?? 'unknown'})`,
    );
  }
}
