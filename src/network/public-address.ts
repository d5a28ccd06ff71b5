import { isIP, type LookupFunction } from 'node:net';
import { addressKind } from '../domain/address-kind.ts';
import { resolveName } from './resolve-name.ts';

const RESOLVE_MS = 5000;

export const isPublicAddress = (address: string): boolean => addressKind(address) === 'public';

/** A name that resolves to an address outside of the public internet. */
export class PrivateTarget extends Error {}

/**
 * The address to connect to. Throws PrivateTarget if any address of the name is outside of the
 * public internet and that is not allowed, the resolver's Error if it has none, or the signal's
 * reason. The caller must connect to just this address: asked again, a name may answer differently.
 */
export async function resolvePublicTarget(
  hostname: string,
  allowPrivate: boolean,
  signal: AbortSignal,
): Promise<{ address: string; family: number }> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const found = isIP(host)
    ? [{ address: host, family: isIP(host) }]
    : await Promise.race([resolveName(host, RESOLVE_MS), endOf(signal)]);
  const [first] = found;
  if (!first) throw new Error('the name has no address');
  if (!allowPrivate && !found.every(({ address }) => isPublicAddress(address))) {
    throw new PrivateTarget('the address is not public, which the settings do not allow');
  }
  return first;
}

/** The look-up of a connection that goes to the very address that was checked. */
export const checkedLookup =
  (allowPrivate: boolean, withinMs: number): LookupFunction =>
  (host, { all }, done) => {
    resolvePublicTarget(host, allowPrivate, AbortSignal.timeout(withinMs)).then(
      (target) => (all ? done(null, [target]) : done(null, target.address, target.family)),
      (error: Error) => done(error, ''),
    );
  };

function endOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
