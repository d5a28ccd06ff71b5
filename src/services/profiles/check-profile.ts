import type { Sql } from '../../storage/database.ts';
import { findProfile } from '../../storage/profile-store.ts';
import type { Fault } from '../errors.ts';

/** A profile that an account is to be bound to must be the user's own and of the same platform. */
export async function checkProfile(
  sql: Sql,
  account: { userId: string; platform: 'p4' | 'p5' },
  profileId: string | null | undefined,
  faults: Fault[],
): Promise<void> {
  if (profileId === null || profileId === undefined) return;
  const profile = await findProfile(sql, profileId);
  if (!profile || profile.userId !== account.userId)
    faults.push({ parameter: 'profileId', message: 'must be one of your provisioning profiles' });
  else if (profile.platform !== account.platform)
    faults.push({ parameter: 'profileId', message: `must be a profile of ${account.platform}` });
}
