import type { LoginFault } from '../../src/platforms/gateway.ts';

/** A platform's answer about a login. Throws if it could not be understood. */
export function understood<T extends object>(told: T | LoginFault): T {
  if ('fault' in told) throw new Error(told.fault);
  return told;
}
