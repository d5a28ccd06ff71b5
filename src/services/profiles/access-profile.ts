import { findProfile, type Profile } from '../../storage/profile-store.ts';
import type { Platform } from '../../words/accounts.ts';
import { type Context, type Principal, wholeUserOf } from '../context.ts';
import { notFound } from '../errors.ts';

export type { Profile };

/**
 * The profile, if it belongs to the caller and is of the platform family. Throws `notFound`
 * otherwise, with the same text as for a profile that does not exist.
 */
export async function accessProfile(
  { database }: Pick<Context, 'database'>,
  principal: Principal,
  profileId: string,
  platform?: Platform,
): Promise<Profile> {
  const userId = profileUserOf(principal);
  const profile = await findProfile(database, profileId);
  if (!profile || profile.userId !== userId) throw notFound('Provisioning profile');
  if (platform !== undefined && profile.platform !== platform)
    throw notFound('Provisioning profile');
  return profile;
}

/** The calling user. A token restricted to some accounts must not use a whole platform. */
export const profileUserOf = (principal: Principal): string =>
  wholeUserOf(principal, 'use provisioning profiles');
