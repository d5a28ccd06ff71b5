import { DAY_MS } from '../../domain/broker-time.ts';
import {
  type AccessToken,
  findToken,
  type ListedToken,
  roleBehind,
} from '../../storage/token-store.ts';
import type { TokenScope } from '../../words/service.ts';
import { actorOf } from '../changes.ts';
import { type Context, type Principal, wholeUserOf } from '../context.ts';
import { forbidden, invalidParameter, notFound } from '../errors.ts';
import type { Page } from '../page.ts';
import { revokeToken } from './revoke-token.ts';
import { type Rotation, rotateToken } from './rotate-token.ts';
import { createToken, type NewToken, readTokens, type TokenQuery } from './tokens.ts';

/** Scopes that a new token gets only on request. */
const BY_NAME_ONLY: readonly TokenScope[] = ['actions', 'admin'];

/** The caller's tokens. Throws `forbidden` for a token restricted to some accounts. */
export async function listOwnTokens(
  context: Context,
  principal: Principal,
  query: TokenQuery,
): Promise<Page<ListedToken>> {
  const userId = ownerOf(principal);
  const madeBy = await onlyMadeBy(context, principal);
  return readTokens(context, userId, { ...query, madeBy });
}

/**
 * Creates a token with no more rights than the caller's, and expires no later. Throws `forbidden`
 * for more, `conflict` if there are too many.
 */
export async function createOwnToken(
  context: Context,
  principal: Principal,
  input: NewToken,
): Promise<{ id: string; token: string }> {
  const userId = ownerOf(principal);
  const { scopes: own } = principal;
  const expiresAtMs = await rightsUntil(context, principal);
  const { scopes = [...own].filter((scope) => !BY_NAME_ONLY.includes(scope)) } = input;
  const more = scopes.filter((scope) => !own.has(scope));
  if (more.length > 0)
    throw forbidden(`Your token cannot grant what it lacks itself: ${more.join(', ')}`);
  const remainingDays =
    expiresAtMs === undefined ? undefined : (expiresAtMs - context.now()) / DAY_MS;
  const { expiresInDays = remainingDays } = input;
  if (remainingDays !== undefined && (expiresInDays ?? 0) > remainingDays) {
    throw invalidParameter('expiresInDays', 'must not exceed the lifetime of your own token');
  }
  return createToken(context, actorOf(principal), userId, { ...input, scopes, expiresInDays });
}

/** Revokes one of the caller's tokens. Throws `notFound` for those of others. */
export async function revokeOwnToken(
  context: Context,
  principal: Principal,
  tokenId: string,
  withMade: boolean,
): Promise<void> {
  await ownToken(context, principal, tokenId);
  const reach = { withMade, userId: ownerOf(principal) };
  await revokeToken(context, actorOf(principal), tokenId, reach);
}

/** Rotates one of the caller's tokens. Throws `forbidden` for one with more rights. */
export async function rotateOwnToken(
  context: Context,
  principal: Principal,
  tokenId: string,
  rotation: Rotation,
): Promise<{ id: string; token: string }> {
  const token = await ownToken(context, principal, tokenId);
  const { scopes } = principal;
  const expiresAtMs = (await rightsUntil(context, principal)) ?? Number.POSITIVE_INFINITY;
  const more = token.scopes.filter((scope) => !scopes.has(scope));
  const endsLater = (token.expiresAtMs ?? Number.POSITIVE_INFINITY) > expiresAtMs;
  if (more.length > 0 || endsLater) {
    const what = more.length > 0 ? `has rights that yours lacks: ${more.join(', ')}` : 'ends later';
    throw forbidden(`Your token cannot rotate this one, which ${what}`);
  }
  return rotateToken(context, actorOf(principal), tokenId, rotation);
}

async function ownToken(
  context: Context,
  principal: Principal,
  tokenId: string,
): Promise<AccessToken> {
  const userId = ownerOf(principal);
  const token = await findToken(context.database, tokenId);
  if (token?.userId !== userId || token.kind !== 'token') throw notFound('Token');
  const maker = await onlyMadeBy(context, principal);
  if (maker !== undefined && token.madeBy !== maker && tokenId !== maker) throw notFound('Token');
  return token;
}

/**
 * When what the caller may pass on ends: of a session, that is the end of what it is from.
 * Undefined: never.
 */
export async function rightsUntil(
  { database }: Pick<Context, 'database'>,
  { from, expiresAtMs }: Principal,
): Promise<number | undefined> {
  if (from === undefined) return expiresAtMs;
  return (await findToken(database, from))?.expiresAtMs ?? undefined;
}

/** People who are no owners see and revoke only the tokens that they made, and so do these. */
async function onlyMadeBy(
  { database }: Pick<Context, 'database'>,
  { role, tokenId, from = tokenId }: Principal,
): Promise<string | undefined> {
  const behind = role ?? (await roleBehind(database, from));
  return behind === undefined || behind === 'owner' ? undefined : from;
}

const ownerOf = (principal: Principal): string =>
  wholeUserOf(principal, 'list, create, rotate or revoke tokens');
