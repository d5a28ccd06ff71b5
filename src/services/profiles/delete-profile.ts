import { deleteProfile as deleteProfileRow } from '../../storage/profile-store.ts';
import { actorOf, recordAudit } from '../audit/record-audit.ts';
import type { Principal } from '../context.ts';
import { accessProfile, type PlatformContext } from './access-profile.ts';

/** Deletes a profile with its credentials. Accounts read through it stay and are read no more. */
export async function deleteProfile(
  context: PlatformContext,
  principal: Principal,
  profileId: string,
): Promise<void> {
  const { userId } = await accessProfile(context, principal, profileId);
  await context.database.transaction(async (tx) => {
    await deleteProfileRow(tx, profileId);
    await recordAudit(context, tx, {
      actor: actorOf(principal),
      action: 'profile.deleted',
      userId,
      details: { profileId },
    });
  });
  await context.gateways.close(profileId);
}
