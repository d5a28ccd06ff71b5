import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { addressKind } from '../../domain/address-kind.ts';
import type { ServerAddress } from './server-address.ts';
import { TransportError } from './transport-error.ts';

/**
 * The IP addresses to connect to. Throws TransportError when the name is not resolved in time, or
 * leads, by any of its addresses, where profiles may not go. The caller connects to just these:
 * asked again, a name may answer differently.
 */
export async function resolveTarget(
  { host, allowPrivate }: Pick<ServerAddress, 'host' | 'allowPrivate'>,
  withinMs: number,
): Promise<LookupAddress[]> {
  const family = isIP(host);
  const found = family === 0 ? await addressesOf(host, withinMs) : [{ address: host, family }];
  if (found.length === 0) throw new TransportError('The name of the server has no address');
  const kinds = new Set(found.map(({ address }) => addressKind(address)));
  if (kinds.has('refused'))
    throw new TransportError('The server leads to an address that nobody may reach');
  if (kinds.has('private') && !allowPrivate)
    throw new TransportError(
      'The server leads to a private address, and PLIMSOLL_PRIVATE_PLATFORMS does not allow it',
    );
  return found;
}

/** A look-up can't be called off, so a late one goes on by itself. */
async function addressesOf(host: string, withinMs: number): Promise<LookupAddress[]> {
  const timer = new AbortController();
  const late = delay(withinMs, undefined, { signal: timer.signal }).then(() => {
    throw new TransportError('The name of the server was not resolved in time');
  });
  const found = lookup(host, { all: true }).catch((error: NodeJS.ErrnoException) => {
    throw new TransportError(`The name of the server is not resolved (${error.code ?? 'unknown'})`);
  });
  try {
    return await Promise.race([found, late]);
  } finally {
    timer.abort();
    late.catch(() => undefined);
    found.catch(() => undefined);
  }
}
