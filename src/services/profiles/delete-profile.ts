import { deleteProfile as deleteProfileRow } from '../../storage/profile-store.ts';
import { actorOf } from '../changes.ts';
import type { Principal } from '../context.ts';
import { accessProfile, type PlatformContext } from './access-profile.ts';

/** Deletes a profile with its credentials. Accounts read through it stay and are read no more. */
export async function deleteProfile(
  context: PlatformContext,
  principal: Principal,
  profileId: string,
): Promise<void> {
  const { userId } = await accessProfile(context, principal, profileId);
  await context.changes.make(actorOf(principal), async (tx) => {
    await deleteProfileRow(tx, profileId);
    const details = { profileId };
    return { result: undefined, audit: [{ action: 'profile.deleted', userId, details }] };
  });
  await context.gateways.close(profileId);
}
