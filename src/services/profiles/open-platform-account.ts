import { createHash } from 'node:crypto';
import type { NewPlatformUser } from '../../platforms/gateway.ts';
import {
  type AccountOpening,
  deleteOpening,
  deleteOpeningsBefore,
  findOpening,
  insertOpening,
  markOpening,
} from '../../storage/account-opening-store.ts';
import { actorOf } from '../changes.ts';
import type { Principal } from '../context.ts';
import { conflict, invalidParameter, ServiceError, unavailable } from '../errors.ts';
import { accessProfile, type PlatformContext, type Profile } from './access-profile.ts';
import { randomPassword } from './passwords.ts';

export type OpenAccountInput = Omit<
  NewPlatformUser,
  'name' | 'enabled' | 'password' | 'investorPassword' | 'repeated'
> & {
  firstName?: string | undefined;
  middleName?: string | undefined;
  lastName?: string | undefined;
  enabled?: boolean | undefined;
};

/** The passwords are in this answer and nowhere else: they are neither stored nor logged. */
export type OpenedAccount = { login: string; password: string; investorPassword: string };

/** Idempotency keys are remembered for a day. */
const KEY_RETENTION_MS = 86_400_000;
/** Longer than any gateway takes: after it a request that is still marked died with its process. */
const OPENING_MS = 120_000;

/**
 * Opens an account on the profile's platform. A request repeated with its idempotency key ends at
 * the account that the first one opened, with new passwords where the platform can set them; the
 * same key with other values is a `conflict`, and while the first request runs it is `unavailable`.
 */
export async function openPlatformAccount(
  context: PlatformContext,
  principal: Principal,
  place: { platform: 'p4' | 'p5'; profileId: string; idempotencyKey?: string | undefined },
  input: OpenAccountInput,
): Promise<OpenedAccount> {
  const profile = await accessProfile(context, principal, place.profileId, place.platform);
  // The specification's type is a number; no platform has any but whole ones.
  if (!Number.isInteger(input.leverage)) {
    throw invalidParameter('leverage', 'must be a whole number: platforms take no other');
  }
  const { idempotencyKey } = place;
  const opening =
    idempotencyKey === undefined
      ? { requestId: context.newId(), repeated: false }
      : await claimKey(context, profile, idempotencyKey, input);
  try {
    const opened = await open(context, profile, opening, input);
    await noteOpening(context, principal, profile, opened.login, input.group);
    await releaseKey(context, profile, idempotencyKey, 'keep');
    return opened;
  } catch (error) {
    // What the platform refused opened nothing, so the key may be used for better values.
    const refused = error instanceof ServiceError && error.code === 'validation';
    const forget = refused && !opening.repeated;
    await releaseKey(context, profile, idempotencyKey, forget ? 'forget' : 'keep');
    throw error;
  }
}

async function open(
  { gateways }: PlatformContext,
  profile: Profile,
  { requestId, repeated }: { requestId: string; repeated: boolean },
  { firstName, middleName, lastName, enabled, ...fields }: OpenAccountInput,
): Promise<OpenedAccount> {
  const names = [firstName, middleName, lastName].flatMap((name) => name?.trim() || []);
  const password = randomPassword();
  const investorPassword = randomPassword();
  const user: NewPlatformUser = {
    ...fields,
    // Platforms want a name; an account that was given none goes by its address.
    name: names.length === 0 ? fields.email : names.join(' '),
    enabled: enabled ?? true,
    password,
    investorPassword,
    repeated,
  };
  const { login } = await gateways.use(profile, (gateway) => gateway.createUser(user, requestId));
  return { login, password, investorPassword };
}

/** Marks the key as being used, or tells that it was used before. */
async function claimKey(
  { changes, now, newId }: PlatformContext,
  profile: Profile,
  idempotencyKey: string,
  input: OpenAccountInput,
): Promise<{ requestId: string; repeated: boolean }> {
  const keyHash = hashOf(idempotencyKey);
  const bodyHash = hashOf(
    JSON.stringify(Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1))),
  );
  return changes.record(async (tx) => {
    await tx.lock(`account-opening:${profile.id}`);
    const nowMs = now();
    await deleteOpeningsBefore(tx, nowMs - KEY_RETENTION_MS);
    const known = await findOpening(tx, profile.id, keyHash);
    if (known) {
      requireSame(known, bodyHash, nowMs);
      await markOpening(tx, profile.id, keyHash, nowMs + OPENING_MS);
      return { requestId: known.requestId, repeated: true };
    }
    const requestId = newId();
    await insertOpening(tx, {
      profileId: profile.id,
      keyHash,
      bodyHash,
      requestId,
      openingUntilMs: nowMs + OPENING_MS,
      createdAtMs: nowMs,
    });
    return { requestId, repeated: false };
  });
}

function requireSame(known: AccountOpening, bodyHash: string, nowMs: number): void {
  if (known.bodyHash !== bodyHash)
    throw conflict('This Idempotency-Key was used with other values: use a new key');
  if (known.openingUntilMs > nowMs)
    throw unavailable('A request with this Idempotency-Key is under way', 1);
}

async function releaseKey(
  { changes, logger }: PlatformContext,
  profile: Profile,
  idempotencyKey: string | undefined,
  how: 'keep' | 'forget',
): Promise<void> {
  if (idempotencyKey === undefined) return;
  const keyHash = hashOf(idempotencyKey);
  try {
    await changes.record((tx) =>
      how === 'forget'
        ? deleteOpening(tx, profile.id, keyHash)
        : markOpening(tx, profile.id, keyHash, 0),
    );
  } catch (error) {
    // The mark runs out by itself.
    logger.warn({ err: error, profileId: profile.id }, 'releasing an idempotency key failed');
  }
}

/** The account is open whatever happens to the note, so no failure here is one of the call. */
async function noteOpening(
  context: PlatformContext,
  principal: Principal,
  profile: Profile,
  login: string,
  group: string,
): Promise<void> {
  try {
    const { id: profileId, userId } = profile;
    const details = { profileId, login, group };
    await context.changes.make(actorOf(principal), async () => ({
      result: undefined,
      audit: [{ action: 'platform-account.opened', userId, details }],
    }));
  } catch (error) {
    const subject = { err: error, profileId: profile.id, login };
    context.logger.error(subject, 'an opened account was not audited');
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
