import { isoTime } from '../present-time.ts';
import type { ListedUser } from './list-users.ts';

/** A user as in lists. */
export const presentUser = ({ id, email, name, createdAtMs, storedBytes }: ListedUser) => ({
  ...{ id, email },
  ...(name === null ? {} : { name }),
  createdAt: isoTime(createdAtMs),
  storedBytes,
});
