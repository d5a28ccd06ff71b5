import { type Gateway, PlatformError } from '../../platforms/gateway.ts';
import type { GatewayRegistry } from '../../platforms/gateway-registry.ts';
import type { Profile } from '../../storage/profile-store.ts';
import type { Platform } from '../../words/accounts.ts';
import type { Context, Principal } from '../context.ts';
import { accessProfile } from '../profiles/access-profile.ts';
import { serviceErrorOf } from './platform-errors.ts';

/** Verbs on a platform need the registry of gateways besides the context. */
export type PlatformContext = Context & { gateways: GatewayRegistry };

/** A profile, as named in an operation's address. */
export type ProfilePlace = { platform: Platform; profileId: string };
export type LoginPlace = ProfilePlace & { login: number };

/**
 * Runs `work` with the profile's gateway. Refused values become `validation`, failures of the
 * platform or of the profile's own login `unavailable`.
 */
export async function usePlatform<T>(
  { gateways }: Pick<PlatformContext, 'gateways'>,
  profile: Profile,
  work: (gateway: Gateway) => Promise<T>,
): Promise<T> {
  try {
    return await gateways.use(profile, work);
  } catch (error) {
    throw error instanceof PlatformError ? serviceErrorOf(error) : error;
  }
}

/** Does so for a caller. Throws `notFound` for profiles of others or of the other family. */
export async function usePlatformAt<T>(
  context: PlatformContext,
  principal: Principal,
  { platform, profileId }: ProfilePlace,
  work: (gateway: Gateway) => Promise<T>,
): Promise<T> {
  const profile = await accessProfile(context, principal, profileId, platform);
  return usePlatform(context, profile, work);
}
