import { INVITATION_DAYS, MAX_PEOPLE } from '../../contract/operations/people.ts';
import { DAY_MS } from '../../domain/broker-time.ts';
import { findAccounts } from '../../storage/account-store.ts';
import { UniqueViolation } from '../../storage/database.ts';
import { readHolding } from '../../storage/holding-store.ts';
import {
  type AccessToken,
  findToken,
  insertToken,
  type ListedToken,
  listPeople,
  lockToken,
  setRights,
} from '../../storage/token-store.ts';
import { holdUser } from '../../storage/user-store.ts';
import { ROLE_SCOPES, type Role } from '../../words/roles.ts';
import { type Actor, type AuditNote, auditOf, type ChangeTransaction } from '../changes.ts';
import { type Context, type Principal, wholeUserOf } from '../context.ts';
import { conflict, forbidden, invalidParameter, notFound } from '../errors.ts';
import { beforeCreation, type Page, readMoment, readPage } from '../page.ts';
import { isoTime } from '../present-time.ts';
import { makeCode } from '../sessions/sign-in-codes.ts';
import { hashToken } from '../users/authenticate.ts';
import { revokeBeyond, revokeToken } from '../users/revoke-token.ts';
import { holdMaker, newSecret, personBytes } from '../users/tokens.ts';
import { mailInvitation } from './invitation-mail.ts';

export type Rights = { role: Role; accountIds?: string[] | undefined };
export type NewPerson = Rights & { name: string; email: string };
/** `isMailed`: the person gets the code by mail, too. */
export type Invitation = { id: string; code: string; expiresAt: string; isMailed: boolean };

/** Whether the caller has all rights of an owner. */
export const isOwner = ({ scopes, accountNumbers }: Principal): boolean =>
  accountNumbers === undefined && ROLE_SCOPES.owner.every((scope) => scopes.has(scope));

/** The user whose people the caller manages. Throws `forbidden`. */
export function ownedBy(principal: Principal): string {
  const userId = wholeUserOf(principal, 'manage people');
  if (!isOwner(principal)) throw forbidden('Only an owner, or a token with as many scopes, may');
  return userId;
}

/**
 * Invites a person, who can sign in until a time: without one, until removed. Throws `conflict` for
 * a known e-mail address, and for too many people.
 */
export async function invitePerson(
  context: Context,
  by: Actor,
  userId: string,
  person: NewPerson,
  untilMs?: number,
): Promise<Invitation> {
  const { id } = await addPerson(context, by, userId, person, { expiresAtMs: untilMs ?? null });
  return inviteAgain(context, by, userId, id);
}

/** Throws as `invitePerson`. */
export async function addPerson(
  { changes, newId, now }: Context,
  by: Actor,
  userId: string,
  { name, email: written, ...rights }: NewPerson,
  known: { expiresAtMs?: number | null; subject?: string },
): Promise<AccessToken> {
  const email = written.trim().toLowerCase();
  const person: AccessToken = {
    ...{ id: newId(), kind: 'person', userId, name, email, role: rights.role, device: null },
    // Nobody knows what it is the hash of: a person signs in by codes, or at a provider.
    hash: hashToken(newSecret('')),
    ...{ scopes: [...ROLE_SCOPES[rights.role]], createdAtMs: now() },
    ...{ expiresAtMs: null, subject: null, providerSession: null, ...known },
    ...{ accountIds: rights.accountIds ?? null, accountNumbers: null, madeBy: by.tokenId },
  };
  try {
    await changes.make(by, async (tx) => {
      if (!(await holdUser(tx, userId))) throw notFound('User');
      await holdMaker(tx, by, person.scopes);
      const bytes = personBytes(person);
      const { items } = await tx.hold(userId, 'person', { items: 1, bytes });
      if (items > MAX_PEOPLE) throw conflict(`There are ${MAX_PEOPLE} people: remove some first`);
      const accountNumbers = await givenAccounts(tx, userId, rights);
      await insertToken(tx, { ...person, accountNumbers });
      const details = { personId: person.id, email, ...saidOf(rights) };
      return { result: undefined, audit: [{ action: 'person.invited', userId, details }] };
    });
  } catch (error) {
    if (error instanceof UniqueViolation) throw conflict(`${email} is invited already`);
    throw error;
  }
  return person;
}

/** Another code for a person. Throws `notFound`. */
export async function inviteAgain(
  context: Context,
  by: Actor,
  userId: string,
  id: string,
): Promise<Invitation> {
  const person = await personOf(context, userId, id);
  let isMailed = false;
  const made = await makeCode(context, by, person, INVITATION_DAYS * DAY_MS, async (tx, code) => {
    isMailed = await mailInvitation(context, tx, person, code);
  });
  return { id, ...made, isMailed };
}

/**
 * Gives a person another role, which running sessions have from their next request on. Throws
 * `notFound`, and `conflict` for another version than that which the caller saw.
 */
export function changePerson(
  context: Context,
  by: Actor,
  userId: string,
  id: string,
  { version, ...rights }: Rights & { version?: string | undefined },
): Promise<AccessToken> {
  return context.changes.make(by, async (tx) => {
    const person = await lockToken(tx, id);
    if (!person || !isOf(person, userId)) throw notFound('Person');
    if (version !== undefined && version !== versionOf(person))
      throw conflict('Somebody has changed the person meanwhile: look again first');
    const changed = await giveRights(tx, userId, person, rights);
    return { result: changed.person, audit: auditOf(changed.notes) };
  });
}

/** Tokens that the person made and that have more rights end. Of a locked person. */
export async function giveRights(
  tx: ChangeTransaction,
  userId: string,
  person: AccessToken,
  rights: Rights,
): Promise<{ person: AccessToken; notes: AuditNote[] }> {
  const { accountIds = null, role } = rights;
  const accountNumbers = await givenAccounts(tx, userId, rights);
  const scopes = [...ROLE_SCOPES[role]];
  const changed: AccessToken = { ...person, role, scopes, accountIds, accountNumbers };
  if (versionOf(changed) === versionOf(person)) return { person, notes: [] };
  await setRights(tx, changed);
  await tx.hold(userId, 'person', { items: 0, bytes: personBytes(changed) - personBytes(person) });
  const details = { personId: person.id, email: person.email ?? '', ...saidOf(rights) };
  const revoked = await revokeBeyond(tx, changed);
  return { person: changed, notes: [{ action: 'person.changed', userId, details }, ...revoked] };
}

/** Differs when the rights do. */
export const versionOf = ({ role, accountIds }: Pick<AccessToken, 'role' | 'accountIds'>): string =>
  hashToken(JSON.stringify([role, accountIds])).slice(0, 16);

/** Removes a person, and if asked for all that the person made. Throws `notFound`. */
export async function removePerson(
  context: Context,
  by: Actor,
  userId: string,
  id: string,
  withMade = false,
): Promise<void> {
  await personOf(context, userId, id);
  await revokeToken(context, by, id, { withMade, userId, kind: 'person' });
}

/** A page of the people, newest first. */
export async function readPeople(
  { database }: Context,
  userId: string,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<Page<ListedToken>> {
  const { items: total } = await readHolding(database, userId, 'person');
  const from = readMoment(before);
  return readPage(
    { limit, total },
    (most) => listPeople(database, userId, from, most),
    beforeCreation,
  );
}

/** A person as in lists. */
export const presentPerson = ({ id, name, email, role, accountIds, createdAtMs }: AccessToken) => ({
  ...{ id, name: name ?? '', email: email ?? '', role: role ?? 'viewer' },
  ...(accountIds === null ? {} : { accountIds }),
  invitedAt: isoTime(createdAtMs),
  version: versionOf({ role, accountIds }),
});

async function personOf(
  { database }: Pick<Context, 'database'>,
  userId: string,
  id: string,
): Promise<AccessToken> {
  const person = await findToken(database, id);
  if (!person || !isOf(person, userId)) throw notFound('Person');
  return person;
}

const isOf = (person: AccessToken, userId: string): boolean =>
  person.kind === 'person' && person.userId === userId;

/** The numbers of a trader's accounts. Throws `validation` for others, and for missing ones. */
async function givenAccounts(
  tx: ChangeTransaction,
  userId: string,
  { role, accountIds }: Rights,
): Promise<number[] | null> {
  if ((role === 'trader') !== (accountIds !== undefined))
    throw invalidParameter('accountIds', 'are given to a trader, and only to a trader');
  if (accountIds === undefined) return null;
  const found = await findAccounts(tx, userId, accountIds);
  if (found.length < accountIds.length)
    throw invalidParameter('accountIds', 'must name accounts of the user');
  return found.map(({ number }) => number);
}

const saidOf = ({ role, accountIds }: Rights) => ({
  role,
  accounts: accountIds?.length ?? ('all' as const),
});
