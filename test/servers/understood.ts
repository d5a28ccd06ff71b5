import type { LoginFault } from '../../src/platforms/gateway.ts';

/** What a platform told of a login. Throws when that could not be understood. */
export function understood<T extends object>(told: T | LoginFault): T {
  if ('fault' in told) throw new Error(told.fault);
  return told;
}
