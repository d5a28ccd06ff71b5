import { DAY_MS } from '../../domain/broker-time.ts';
import { type AccessToken, findToken, type ListedToken } from '../../storage/token-store.ts';
import type { TokenScope } from '../../words/service.ts';
import { actorOf } from '../changes.ts';
import { type Context, type Principal, wholeUserOf } from '../context.ts';
import { forbidden, invalidParameter, notFound } from '../errors.ts';
import type { Page } from '../page.ts';
import { isOwner } from '../people/people.ts';
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
  const madeBy = await onlyMadeBy(context, principal);
  return readTokens(context, ownerOf(principal), { ...query, madeBy });
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
  if (maker !== undefined && token.madeBy !== maker && token.id !== maker) throw notFound('Token');
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

/**
 * People who are no owners see and revoke only the tokens that they made; a token that such a
 * person made, or that one of these made, only itself and what it made.
 */
async function onlyMadeBy(
  { database }: Pick<Context, 'database'>,
  principal: Principal,
): Promise<string | undefined> {
  if (isOwner(principal)) return undefined;
  const own = principal.from ?? principal.tokenId;
  let maker = await findToken(database, own);
  while (maker && maker.kind !== 'person' && maker.madeBy !== null)
    maker = await findToken(database, maker.madeBy);
  return maker?.kind === 'person' && maker.role !== 'owner' ? own : undefined;
}

const ownerOf = (principal: Principal): string =>
  wholeUserOf(principal, 'list, create, rotate or revoke tokens');
