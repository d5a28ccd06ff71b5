import { isEmailAddress } from '../../contract/primitives.ts';
import { FORMATS } from '../../domain/formats.ts';
import type {
  OpenIdProvider,
  ProviderEnd,
  ProviderIdentity,
} from '../../network/openid-provider.ts';
import {
  type AccessToken,
  deleteProviderSessions,
  findPerson,
  findToken,
  lockToken,
  setSubject,
} from '../../storage/token-store.ts';
import type { Role } from '../../words/roles.ts';
import type { SignInRefusal } from '../../words/service.ts';
import { type Actor, type AuditNote, auditOf, userActor } from '../changes.ts';
import type { Principal } from '../context.ts';
import { ServiceError } from '../errors.ts';
import { addPerson, giveRights } from '../people/people.ts';
import { findUser } from '../users/find-user.ts';
import type { SessionContext } from './credentials.ts';
import { type Browser, beginSession, MAX_DEVICE, noteOfEnd } from './sign-in.ts';

/** For protocols, which may import only services and the contract. */
export { CALLBACK_PATH, ProviderError } from '../../network/openid-provider.ts';

/** People of one user who sign in at an OpenID provider. */
export type ProviderRules = {
  provider: OpenIdProvider;
  /** Id or e-mail address of the user whose people they are. */
  user: string;
  /** Whether those who were not invited become people when they first sign in. */
  isOpen: boolean;
  /** If there are any: the first group that a person is in gives the role. */
  roles: readonly (readonly [group: string, role: Role])[];
};

/** Somebody known to the provider who may not sign in here. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';
  readonly reason: SignInRefusal;

  constructor(reason: SignInRefusal) {
    super(`The sign-in was refused: ${reason}`);
    this.reason = reason;
  }
}

/**
 * Begins a session of the person whom the provider has signed in, with the role of the groups.
 * Returns the secret for the cookie. Throws SignInRefused, which the audit then has.
 */
export async function signInByProvider(
  context: SessionContext,
  rules: ProviderRules,
  identity: ProviderIdentity,
  browser: Browser,
): Promise<string> {
  const userId = await userOf(context, rules);
  try {
    const person = await recognise(context, rules, userId, identity);
    const providerSession = identity.session;
    return await beginSession(context, person, { ...browser, by: 'provider', providerSession });
  } catch (error) {
    if (!(error instanceof SignInRefused)) throw error;
    const { address: from, device = '' } = browser;
    const { email } = identity;
    const details = { reason: error.reason, email, from, device: device.slice(0, MAX_DEVICE) };
    const audit = [{ action: 'session.refused', userId, details }] as const;
    await context.changes.make(byProvider(userId), async () => ({ result: undefined, audit }));
    throw error;
  }
}

/** Throws SignInRefused if the settings name nobody. */
async function userOf(context: SessionContext, { user }: ProviderRules): Promise<string> {
  try {
    return (await findUser(context, user)).id;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    context.logger.error({ user }, 'PLIMSOLL_OIDC_USER names no user');
    throw new SignInRefused('unknown');
  }
}

/** As operations take them. */
const MAX_NAME = 100;
const { holds: isPlain } = FORMATS.name;

const byProvider = (userId: string): Actor => ({
  ...{ actor: 'provider', tokenId: null, owner: userActor(userId) },
});

async function recognise(
  context: SessionContext,
  { roles, isOpen }: ProviderRules,
  userId: string,
  { subject, email, name, groups }: ProviderIdentity,
): Promise<AccessToken> {
  if (email === undefined || !isEmailAddress(email) || !isPlain(email))
    throw new SignInRefused('email');
  const found = await findPerson(context.database, userId, { subject, email });
  const { expiresAtMs: endMs = null } = found ?? {};
  if (found ? endMs !== null && endMs <= context.now() : !isOpen)
    throw new SignInRefused('unknown');
  // An address can be given to somebody else, a subject cannot.
  if (found && found.subject !== null && found.subject !== subject)
    throw new SignInRefused('other');
  const [, given] = roles.find(([group]) => groups.includes(group)) ?? [];
  // A trader has the accounts that the invitation gave, which no group knows.
  const isInvitedTrader = found?.role === 'trader' && given === undefined;
  if (roles.length > 0 && given === undefined && !isInvitedTrader) throw new SignInRefused('group');
  if (found) return settle(context, userId, found, { subject, role: given });
  const shown = name !== undefined && name.length <= MAX_NAME && isPlain(name) ? name : email;
  const fields = { name: shown.slice(0, MAX_NAME), email, role: given ?? 'viewer' } as const;
  try {
    return await addPerson(context, byProvider(userId), userId, fields, { subject });
  } catch (error) {
    // There are too many, or another browser was faster.
    if (error instanceof ServiceError && error.code === 'conflict') throw new SignInRefused('full');
    throw error;
  }
}

/** Remembers the subject of an invited person, and gives the role of the groups. */
function settle(
  { changes }: SessionContext,
  userId: string,
  { id, email }: AccessToken,
  { subject, role }: { subject: string; role: Role | undefined },
): Promise<AccessToken> {
  return changes.make(byProvider(userId), async (tx) => {
    const held = await lockToken(tx, id);
    if (!held) throw new SignInRefused('unknown');
    if (held.subject !== null && held.subject !== subject) throw new SignInRefused('other');
    const changed =
      role === undefined || role === held.role
        ? { person: held, notes: [] }
        : await giveRights(tx, userId, held, { role });
    const notes: AuditNote[] = [...changed.notes];
    if (held.subject === null) {
      await setSubject(tx, id, subject);
      const details = { personId: id, email: email ?? '', subject };
      notes.push({ action: 'person.recognised', userId, details });
    }
    return { result: changed.person, audit: auditOf(notes) };
  });
}

/** Whether the caller's session began at the provider. */
export async function isByProvider(
  { database }: Pick<SessionContext, 'database'>,
  { tokenId }: Principal,
): Promise<boolean> {
  return ((await findToken(database, tokenId))?.providerSession ?? null) !== null;
}

/** Ends the sessions that began in what has ended at the provider. */
export async function endByProvider(
  context: SessionContext,
  rules: ProviderRules,
  end: ProviderEnd,
): Promise<void> {
  const userId = await userOf(context, rules);
  await context.changes.make(byProvider(userId), async (tx) => {
    const ended = await deleteProviderSessions(tx, userId, end);
    return { result: undefined, audit: auditOf(ended.map(noteOfEnd)) };
  });
}
