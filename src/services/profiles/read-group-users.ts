import type { PlatformUser } from '../../platforms/gateway.ts';
import type { Principal } from '../context.ts';
import { accessProfile, type PlatformContext } from './access-profile.ts';

/** Client records of exactly one group; none for a group that is empty or unknown. */
export async function readGroupUsers(
  context: PlatformContext,
  principal: Principal,
  place: { platform: 'p4' | 'p5'; profileId: string; group: string },
): Promise<PlatformUser[]> {
  const profile = await accessProfile(context, principal, place.profileId, place.platform);
  return context.gateways.use(profile, (gateway) => gateway.usersOfGroup(place.group));
}
