import type { User } from '../../storage/user-store.ts';
import { isoTime } from '../present-time.ts';

/** A user as lists show it. */
export const presentUser = ({ id, email, name, createdAtMs }: User) => ({
  ...{ id, email },
  ...(name === null ? {} : { name }),
  createdAt: isoTime(createdAtMs),
});
