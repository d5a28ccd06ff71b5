import type { Sql, Transaction } from '../../storage/database.ts';
import { findProfile, holdProfile } from '../../storage/profile-store.ts';
import type { Platform } from '../../words/accounts.ts';
import { type Fault, invalidParameter } from '../errors.ts';

const VALID_PROFILE = 'must be one of your provisioning profiles';

/** An account can only be bound to a profile of its own user and platform family. */
export async function boundProfileFaults(
  sql: Sql,
  account: { userId: string; platform: Platform | undefined },
  profileId: string | null | undefined,
): Promise<Fault[]> {
  if (profileId === null || profileId === undefined) return [];
  const profile = await findProfile(sql, profileId);
  const fault = (message: string): Fault[] => [{ parameter: 'profileId', message }];
  if (!profile || profile.userId !== account.userId) {
    return fault(VALID_PROFILE);
  }
  const isOther = account.platform !== undefined && profile.platform !== account.platform;
  return isOther ? fault(`must be a profile of a ${account.platform} platform`) : [];
}

/**
 * Locks the profile that an account is being bound to until the end of the transaction. Throws
 * `validation` if it was deleted since it was checked.
 */
export async function holdBoundProfile(
  tx: Transaction,
  profileId: string | null | undefined,
): Promise<void> {
  if (profileId === null || profileId === undefined || (await holdProfile(tx, profileId))) return;
  throw invalidParameter('profileId', VALID_PROFILE);
}
