import type { TrackerAction } from '../../domain/live/tracker-definition.ts';
import type { Account } from '../../storage/account-store.ts';
import type { Context, Principal } from '../context.ts';
import { invalidParameter } from '../errors.ts';
import { allowedProfile } from '../platform-accounts/allowed-actions.ts';

/**
 * Whoever has a breach answered by actions must be allowed to do them by hand: the token reaches the
 * account's provisioning profile, and that allows each of them. Throws `forbidden`, `notFound`, and
 * `validation` for an account of no profile.
 */
export async function requireActionRights(
  context: Context,
  principal: Principal,
  { profileId, platform }: Account,
  actions: readonly TrackerAction[],
): Promise<void> {
  if (actions.length === 0) return;
  if (profileId === null) {
    throw invalidParameter('actions', 'need an account that is bound to a provisioning profile');
  }
  const real = actions.filter(({ dryRun }) => !dryRun).map(({ action }) => action);
  await allowedProfile(context, principal, { profileId, platform }, real);
}
