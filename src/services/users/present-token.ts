import type { AccessToken } from '../../storage/token-store.ts';
import { isoTime } from '../present-time.ts';

/** A token as in lists, without its secret. */
export const presentToken = ({ id, name, scopes, accountIds, ...token }: AccessToken) => ({
  id,
  ...(name === null ? {} : { name }),
  scopes,
  ...(accountIds === null ? {} : { accountIds }),
  createdAt: isoTime(token.createdAtMs),
  ...(token.expiresAtMs === null ? {} : { expiresAt: isoTime(token.expiresAtMs) }),
});
