import type { ListedToken } from '../../storage/token-store.ts';
import { isoTime } from '../present-time.ts';

/** A token as in lists, without its secret. */
export const presentToken = ({ id, name, scopes, accountIds, ...token }: ListedToken) => ({
  id,
  ...(name === null ? {} : { name }),
  scopes,
  ...(accountIds === null ? {} : { accountIds }),
  createdAt: isoTime(token.createdAtMs),
  ...(token.expiresAtMs === null ? {} : { expiresAt: isoTime(token.expiresAtMs) }),
  ...(token.madeBy === null ? {} : { madeBy: token.madeBy }),
  ...(token.usedAtMs === null ? {} : { lastUsedAt: isoTime(token.usedAtMs) }),
  ...(token.usedFrom === null ? {} : { lastUsedFrom: token.usedFrom }),
});
