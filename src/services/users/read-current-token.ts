import { findToken } from '../../storage/token-store.ts';
import { findUserRow } from '../../storage/user-store.ts';
import { type Context, type Principal, userOf } from '../context.ts';
import { isoTime } from '../present-time.ts';
import type { Maker } from '../sessions/credentials.ts';

/** The token's user and rights; those of a session, if it is one. */
export async function readCurrentToken(context: Context, principal: Principal) {
  const { userId, tokenId, from, scopes, accountNumbers, expiresAtMs } = principal;
  const token = accountNumbers && (await findToken(context.database, tokenId));
  return {
    id: from ?? tokenId,
    ...(from === undefined ? {} : { sessionId: tokenId }),
    ...(userId === undefined ? {} : { userId, name: await nameOf(context, principal) }),
    ...(principal.role === undefined ? {} : { role: principal.role }),
    scopes: [...scopes],
    ...(token?.accountIds ? { accountIds: token.accountIds } : {}),
    ...(expiresAtMs === undefined ? {} : { expiresAt: isoTime(expiresAtMs) }),
  };
}

/** The name that shows colleagues who acts: people may share a user, each with a token. */
export async function nameOf(context: Context, principal: Principal): Promise<string> {
  const userId = userOf(principal);
  const token = await findToken(context.database, principal.tokenId);
  const { name = userId } = await makerName(context, { userId, name: token?.name ?? null });
  return name;
}

/** The name of a token, or else of its user; none of the operator's. */
export async function makerName(
  { database }: Context,
  { name, userId }: Pick<Maker, 'name' | 'userId'>,
): Promise<{ name?: string }> {
  if (name || userId === null) return name ? { name } : {};
  const user = await findUserRow(database, userId);
  return { name: user?.name ?? user?.email ?? userId };
}
