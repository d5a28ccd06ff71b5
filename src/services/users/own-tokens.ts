import { DAY_MS } from '../../domain/broker-time.ts';
import { type AccessToken, findToken } from '../../storage/token-store.ts';
import type { TokenScope } from '../../words/service.ts';
import { actorOf } from '../changes.ts';
import { type Context, type Principal, wholeUserOf } from '../context.ts';
import { forbidden, invalidParameter, notFound } from '../errors.ts';
import type { Page } from '../page.ts';
import { createToken, type NewToken, readTokens, revokeToken, type TokenQuery } from './tokens.ts';

/** Scopes that a new token gets only on request. */
const BY_NAME_ONLY: readonly TokenScope[] = ['actions', 'admin'];

/** The caller's tokens. Throws `forbidden` for a token restricted to some accounts. */
export async function listOwnTokens(
  context: Context,
  principal: Principal,
  query: TokenQuery,
): Promise<Page<AccessToken>> {
  return readTokens(context, ownerOf(principal), query);
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
  const { scopes: own, expiresAtMs } = principal;
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
): Promise<void> {
  const userId = ownerOf(principal);
  const token = await findToken(context.database, tokenId);
  if (token?.userId !== userId) throw notFound('Token');
  await revokeToken(context, actorOf(principal), tokenId);
}

const ownerOf = (principal: Principal): string =>
  wholeUserOf(principal, 'list, create or revoke tokens');
