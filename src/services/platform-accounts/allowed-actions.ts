import type { Profile } from '../../storage/profile-store.ts';
import type { ProfileAction } from '../../words/actions.ts';
import type { Context, Principal } from '../context.ts';
import { forbidden } from '../errors.ts';
import { accessProfile } from '../profiles/access-profile.ts';
import type { ProfilePlace } from './use-platform.ts';

/** An account on a platform that an action concerns. */
export type ActionPlace = ProfilePlace & { login: number; idempotencyKey?: string | undefined };

/**
 * The profile, if it allows all of the actions. Throws `notFound` like accessProfile, and
 * `forbidden` with the actions not allowed by its owner.
 */
export async function allowedProfile(
  context: Pick<Context, 'database'>,
  principal: Principal,
  { profileId, platform }: ProfilePlace,
  actions: readonly ProfileAction[],
): Promise<Profile> {
  const profile = await accessProfile(context, principal, profileId, platform);
  const missing = actions.filter((action) => !profile.allowedActions.includes(action));
  if (missing.length > 0)
    throw forbidden(
      `This provisioning profile does not allow ${missing.join(', ')}: ` +
        'add it to the allowedActions of the profile, by "allow" in a PATCH of the profile',
    );
  return profile;
}
