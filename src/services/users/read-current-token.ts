import { findToken } from '../../storage/token-store.ts';
import { findUserRow } from '../../storage/user-store.ts';
import { type Context, type Principal, userOf } from '../context.ts';
import { isoTime } from '../present-time.ts';

/** The token's user and rights. */
export async function readCurrentToken(context: Context, principal: Principal) {
  const { userId, scopes, accountNumbers, expiresAtMs } = principal;
  const token = accountNumbers && (await findToken(context.database, principal.tokenId));
  return {
    ...(userId === undefined ? {} : { userId, name: await nameOf(context, principal) }),
    scopes: [...scopes],
    ...(token?.accountIds ? { accountIds: token.accountIds } : {}),
    ...(expiresAtMs === undefined ? {} : { expiresAt: isoTime(expiresAtMs) }),
  };
}

/** The name that shows colleagues who acts: people may share a user, each with a token. */
export async function nameOf({ database }: Context, principal: Principal): Promise<string> {
  const userId = userOf(principal);
  const token = await findToken(database, principal.tokenId);
  if (token?.name) return token.name;
  const user = await findUserRow(database, userId);
  return user?.name ?? user?.email ?? userId;
}
