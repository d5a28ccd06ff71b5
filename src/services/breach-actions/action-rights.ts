import type { TrackerAction } from '../../domain/live/tracker-definition.ts';
import type { Account } from '../../storage/account-store.ts';
import type { BreachActionWord, ProfileAction } from '../../words/actions.ts';
import type { Context, Principal } from '../context.ts';
import { forbidden, invalidParameter } from '../errors.ts';
import { allowedProfile } from '../platform-accounts/allowed-actions.ts';

/** Rights of a profile needed for an action at a breach. */
export const rightsFor = (action: BreachActionWord): ProfileAction[] => ['actAtBreach', action];

/**
 * Acting on a platform at a breach needs explicit rights: the token has the scope `actions` and
 * reaches the account's provisioning profile, which allows acting at breaches and each of the
 * actions. A dry run only needs to reach the profile. Throws `forbidden`, `notFound`, and
 * `validation` for an account without a profile.
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
  requireActionScope(principal, actions);
  const real = actions.filter(({ dryRun }) => !dryRun);
  const needed = new Set(real.flatMap(({ action }) => rightsFor(action)));
  await allowedProfile(context, principal, { profileId, platform }, [...needed]);
}

/** Throws `forbidden` if there are real actions and the token lacks the scope for them. */
export function requireActionScope(principal: Principal, actions: readonly TrackerAction[]): void {
  if (principal.scopes.has('actions') || actions.every(({ dryRun }) => dryRun)) return;
  throw forbidden(
    'The token lacks the scope "actions", which actions at a breach need: ' +
      'ask for a token that has it, or set dryRun',
  );
}
