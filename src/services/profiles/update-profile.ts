import { timingSafeEqual } from 'node:crypto';
import type { ProfileChange } from '../../contract/operations/profiles.ts';
import type { KeyRing } from '../../storage/key-ring.ts';
import { findProfile, type Profile, updateProfileRow } from '../../storage/profile-store.ts';
import type { ProfileAction } from '../../words/actions.ts';
import { actorOf } from '../changes.ts';
import type { Principal } from '../context.ts';
import { forbidden, invalidParameter, notFound } from '../errors.ts';
import { accessProfile } from './access-profile.ts';
import { type ProfileContext, sealPassword } from './create-profile.ts';

/**
 * Changes the given fields. Allowing further actions requires the profile's password again, so that
 * a stolen token moves no money; a simulated platform has none. Throws `forbidden` for a wrong one.
 */
export async function updateProfile(
  context: ProfileContext,
  principal: Principal,
  profileId: string,
  { name, password, newPassword, ...rights }: ProfileChange,
): Promise<Profile> {
  const { userId } = await accessProfile(context, principal, profileId);
  const after = await context.changes.make(actorOf(principal), async (tx) => {
    await tx.lock(`profile:${profileId}`);
    const before = await findProfile(tx, profileId);
    if (!before) throw notFound('Provisioning profile');
    const allowedActions = rightsAfter(before.allowedActions, rights);
    if (allowedActions.some((each) => !before.allowedActions.includes(each)))
      await requirePassword(context.secrets, before, password);
    if (newPassword !== undefined && before.kind === 'simulated')
      throw invalidParameter('newPassword', 'does not apply to simulated platforms');
    const sealed =
      newPassword === undefined
        ? undefined
        : await sealPassword(context.secrets, tx, profileId, newPassword);
    const changed: Profile = { ...before, name: name ?? before.name, allowedActions, ...sealed };
    await updateProfileRow(tx, profileId, changed, sealed);
    const details = {
      ...{ profileId, ...(name === undefined ? {} : { name }) },
      ...(rights.allow || rights.forbid ? { allowedActions } : {}),
      ...(newPassword === undefined ? {} : { password: 'changed' }),
    };
    return { result: changed, audit: [{ action: 'profile.changed', userId, details }] };
  });
  // Otherwise, open connections would keep the old password.
  if (newPassword !== undefined) await context.gateways.close(profileId);
  return after;
}

function rightsAfter(
  before: readonly ProfileAction[],
  { allow = [], forbid = [] }: Pick<ProfileChange, 'allow' | 'forbid'>,
): ProfileAction[] {
  if (allow.some((each) => forbid.includes(each)))
    throw invalidParameter('forbid', 'lists an action that allow lists too');
  const wanted = [...before, ...allow].filter((each) => !forbid.includes(each));
  return [...new Set(wanted)];
}

async function requirePassword(
  secrets: KeyRing,
  { id, kind, secret, secretKeyId }: Profile,
  password: string | undefined,
): Promise<void> {
  if (kind === 'simulated') return;
  if (password === undefined)
    throw invalidParameter('password', 'is required to allow further actions');
  if (!secret || !secretKeyId || !(await secrets.canOpen(secretKeyId)))
    throw invalidParameter(
      'password',
      'cannot be checked: the server lacks the key of the stored one',
    );
  const stored = Buffer.from(await secrets.open({ secret, secretKeyId }, id));
  const given = Buffer.from(password);
  if (stored.length !== given.length || !timingSafeEqual(stored, given))
    throw forbidden('This is not the password of the profile');
}
