import { randomBytes } from 'node:crypto';
import { MAX_TOKENS_PER_USER } from '../../contract/operations/users.ts';
import { DAY_MS } from '../../domain/broker-time.ts';
import { findAccounts } from '../../storage/account-store.ts';
import { readHolding } from '../../storage/holding-store.ts';
import {
  type AccessToken,
  insertToken,
  type ListedToken,
  listTokens,
  lockToken,
} from '../../storage/token-store.ts';
import { findUserRow, holdUser } from '../../storage/user-store.ts';
import { type Compatibility, TOKEN_PREFIXES, type TokenScope } from '../../words/service.ts';
import type { Actor, ChangeTransaction } from '../changes.ts';
import type { Context } from '../context.ts';
import { conflict, notFound } from '../errors.ts';
import { beforeCreation, type Page, readMoment, readPage } from '../page.ts';
import { isoTime } from '../present-time.ts';
import { hashToken, OPERATOR, unauthorized } from './authenticate.ts';

const TOKEN_BYTES = 300;
/** Of an account that a token names, besides the letters of its id. */
const NUMBER_BYTES = 12;

/** Which part of a list of tokens: `before` is from the link to the next page. */
export type TokenQuery = { limit?: number | undefined; before?: string | undefined };

export type NewToken = {
  name?: string | undefined;
  /** Default: read, write, ingest. */
  scopes?: TokenScope[] | undefined;
  accountIds?: string[] | undefined;
  expiresInDays?: number | undefined;
  /** Default: none. */
  compatibility?: Compatibility | undefined;
};

/**
 * Creates a token of a user. The secret is only in this answer; its hash is stored. Throws
 * `notFound` for an unknown user, `conflict` if there are too many tokens.
 */
export async function createToken(
  { changes, now, newId }: Context,
  by: Actor,
  userId: string,
  input: NewToken,
): Promise<{ id: string; token: string }> {
  const secret = newSecret(TOKEN_PREFIXES[input.compatibility ?? 'none']);
  const createdAtMs = now();
  const token: Omit<AccessToken, 'accountNumbers'> = {
    id: newId(),
    ...{ kind: 'token', device: null, role: null, email: null, subject: null },
    providerSession: null,
    userId,
    name: input.name ?? null,
    hash: hashToken(secret),
    scopes: input.scopes ?? ['read', 'write', 'ingest'],
    accountIds: input.accountIds ?? null,
    createdAtMs,
    expiresAtMs:
      input.expiresInDays === undefined
        ? null
        : createdAtMs + Math.round(input.expiresInDays * DAY_MS),
    madeBy: by.tokenId,
  };
  await changes.make(by, async (tx) => {
    if (!(await holdUser(tx, userId))) throw notFound('User');
    await holdMaker(tx, by, token.scopes);
    await holdToken(tx, userId, token);
    const reached = token.accountIds && (await findAccounts(tx, userId, token.accountIds));
    const accountNumbers = reached?.map(({ number }) => number) ?? null;
    await insertToken(tx, { ...token, accountNumbers });
    const { name, scopes, accountIds, expiresAtMs } = token;
    const accounts = accountIds === null ? 'all' : accountIds.length;
    const expiresAt = expiresAtMs === null ? undefined : isoTime(expiresAtMs);
    const details = { tokenId: token.id, name, scopes, accounts, expiresAt };
    return { result: undefined, audit: [{ action: 'token.created', userId, details }] };
  });
  return { id: token.id, token: secret };
}

/**
 * Nobody revokes the maker of a token or person, or gives it another role, until the end of the
 * transaction: a revocation with all that it made sees what is made meanwhile. Throws
 * `unauthorized` if somebody just has.
 */
export async function holdMaker(
  tx: ChangeTransaction,
  { tokenId }: Actor,
  scopes: readonly TokenScope[],
): Promise<void> {
  if (tokenId === null || tokenId === OPERATOR.tokenId) return;
  const maker = await lockToken(tx, tokenId);
  const isLess = maker?.kind === 'person' && !scopes.every((scope) => maker.scopes.includes(scope));
  if (!maker || isLess || (maker.kind === 'person' && maker.accountNumbers)) throw unauthorized();
}

export const newSecret = (prefix: string): string =>
  `${prefix}${randomBytes(32).toString('base64url')}`;

type Sized = Pick<AccessToken, 'accountIds'>;

/** Counts a new token. Throws `conflict` if there are too many. */
export async function holdToken(
  tx: ChangeTransaction,
  userId: string,
  token: Sized,
): Promise<void> {
  const { items } = await tx.hold(userId, 'token', { items: 1, bytes: bytesOf(token) });
  if (items > MAX_TOKENS_PER_USER) {
    throw conflict(`This user already has ${items - 1} tokens: revoke some first`);
  }
}

/** What a person takes. */
export const personBytes = (person: AccessToken): number =>
  bytesOf(person) + (person.name?.length ?? 0) + (person.email?.length ?? 0);

/** Counts a token or person that is gone. */
export function releaseToken(tx: ChangeTransaction, token: AccessToken): Promise<unknown> {
  const userId = token.userId ?? '';
  return token.kind === 'person'
    ? tx.hold(userId, 'person', { items: -1, bytes: -personBytes(token) })
    : tx.hold(userId, 'token', { items: -1, bytes: -bytesOf(token) });
}

/** Of the ids of accounts that a token is to reach, those that the user does not have. */
export async function absentAccounts(
  { database }: Pick<Context, 'database'>,
  userId: string,
  ids: readonly string[],
): Promise<string[]> {
  const found = new Set((await findAccounts(database, userId, ids)).map(({ id }) => id));
  return ids.filter((id) => !found.has(id));
}

/** A page of a user's tokens, newest first. Throws `notFound` for an unknown user. */
export async function readTokens(
  { database }: Context,
  userId: string,
  { limit = MAX_TOKENS_PER_USER, before, madeBy }: TokenQuery & { madeBy?: string | undefined },
): Promise<Page<ListedToken>> {
  if (!(await findUserRow(database, userId))) throw notFound('User');
  const held = await readHolding(database, userId, 'token');
  const total = madeBy === undefined ? { total: held.items } : {};
  const from = readMoment(before);
  return readPage(
    { limit, ...total },
    (most) => listTokens(database, userId, from, most, madeBy),
    beforeCreation,
  );
}

/** Size of a token, which is small except for the accounts it names. */
const bytesOf = ({ accountIds }: Sized): number =>
  (accountIds ?? []).reduce((sum, id) => sum + id.length + NUMBER_BYTES, TOKEN_BYTES);
