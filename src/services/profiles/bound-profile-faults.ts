import type { Sql } from '../../storage/database.ts';
import { findProfile } from '../../storage/profile-store.ts';
import type { Fault } from '../errors.ts';

/** A profile that an account is to be bound to must be the user's own and of the same platform. */
export async function boundProfileFaults(
  sql: Sql,
  account: { userId: string; platform: 'p4' | 'p5' | undefined },
  profileId: string | null | undefined,
): Promise<Fault[]> {
  if (profileId === null || profileId === undefined) return [];
  const profile = await findProfile(sql, profileId);
  const fault = (message: string): Fault[] => [{ parameter: 'profileId', message }];
  if (!profile || profile.userId !== account.userId) {
    return fault('must be one of your provisioning profiles');
  }
  const isOther = account.platform !== undefined && profile.platform !== account.platform;
  return isOther ? fault(`must be a profile of a ${account.platform} platform`) : [];
}
