import type { GatewayRegistry } from '../../platforms/gateway-registry.ts';
import {
  countProfileAccounts,
  deleteProfileRow,
  lockProfile,
} from '../../storage/profile-store.ts';
import { actorOf } from '../changes.ts';
import type { Context, Principal } from '../context.ts';
import { conflict, notFound } from '../errors.ts';
import { accessProfile } from './access-profile.ts';

/**
 * Deletes a profile with its credentials. While accounts are read through it, this is a `conflict`
 * unless it is forced: then they stay, but are no longer read.
 */
export async function deleteProfile(
  context: Context & { gateways: Pick<GatewayRegistry, 'close'> },
  principal: Principal,
  profileId: string,
  { force = false }: { force?: boolean | undefined } = {},
): Promise<void> {
  const { userId } = await accessProfile(context, principal, profileId);
  await context.changes.make(actorOf(principal), async (tx) => {
    if (!(await lockProfile(tx, profileId))) throw notFound('Provisioning profile');
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
