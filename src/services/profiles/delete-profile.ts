import {
  countProfileAccounts,
  deleteProfile as deleteProfileRow,
} from '../../storage/profile-store.ts';
import { actorOf } from '../changes.ts';
import type { Principal } from '../context.ts';
import { conflict } from '../errors.ts';
import { accessProfile } from './access-profile.ts';
import type { ProfileContext } from './create-profile.ts';

/**
 * Deletes a profile with its credentials. While accounts are read through it that is a `conflict`
 * unless it is forced: then they stay and are read no more.
 */
export async function deleteProfile(
  context: ProfileContext,
  principal: Principal,
  profileId: string,
  { force = false }: { force?: boolean | undefined } = {},
): Promise<void> {
  const { userId } = await accessProfile(context, principal, profileId);
  await context.changes.make(actorOf(principal), async (tx) => {
    const accounts = await countProfileAccounts(tx, profileId);
    if (accounts > 0 && !force)
      throw conflict(
        `${accounts} ${accounts === 1 ? 'account is' : 'accounts are'} read through this profile: ` +
          'bind them to another one first, or repeat the request with force=true',
      );
    await deleteProfileRow(tx, profileId);
    const details = { profileId, accounts };
    return { result: undefined, audit: [{ action: 'profile.deleted', userId, details }] };
  });
  await context.gateways.close(profileId);
}
