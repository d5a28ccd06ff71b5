import type { GatewayRegistry } from '../../platforms/gateway-registry.ts';
import { removeUser } from '../../storage/removed-user-store.ts';
import type { Actor } from '../changes.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';

/** Commands have no open gateways; a server closes those of the user's profiles. */
type DeletingContext = Pick<Context, 'changes' | 'now'> & {
  gateways?: Pick<GatewayRegistry, 'close'>;
};

/**
 * Deletes a user. From then on the user is hidden and cannot act, in any process: tokens, profiles
 * and webhooks are gone, and the e-mail address is free. The accounts, and everything else that may
 * be large, are removed in the background: see removeUsers. Throws `notFound`.
 */
export async function deleteUser(
  { changes, now, gateways }: DeletingContext,
  by: Actor,
  userId: string,
): Promise<void> {
  const profileIds = await changes.make(by, async (tx) => {
    const removed = await removeUser(tx, userId, now(), by.actor);
    if (!removed) throw notFound('User');
    const { profileIds, ...holdings } = removed;
    const details = { ...holdings, profiles: profileIds.length };
    return { result: profileIds, audit: [{ action: 'user.deleted', userId, details }] };
  });
  for (const profileId of profileIds) await gateways?.close(profileId);
}
