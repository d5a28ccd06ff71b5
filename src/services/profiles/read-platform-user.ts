import type { PlatformUser } from '../../platforms/gateway.ts';
import type { Principal } from '../context.ts';
import { notFound } from '../errors.ts';
import { accessProfile, type PlatformContext } from './access-profile.ts';

export type { PlatformUser };

/** The client record of a login. Throws `notFound` when the platform has no such login. */
export async function readPlatformUser(
  context: PlatformContext,
  principal: Principal,
  place: { platform: 'p4' | 'p5'; profileId: string; login: number },
): Promise<PlatformUser> {
  const profile = await accessProfile(context, principal, place.profileId, place.platform);
  const user = await context.gateways.use(profile, (gateway) => gateway.user(place.login));
  if (!user) throw notFound('Account');
  return user;
}
