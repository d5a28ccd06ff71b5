import { readHeldBytesOf } from '../../storage/holding-store.ts';
import { listUserRows, type User } from '../../storage/user-store.ts';
import type { Context } from '../context.ts';

export type ListedUser = User & { storedBytes: number };

/** A page of all users in order of creation. */
export async function listUsers(
  { database }: Context,
  limit: number,
  offset: number,
): Promise<ListedUser[]> {
  const users = await listUserRows(database, limit, offset);
  const stored = await readHeldBytesOf(
    database,
    users.map(({ id }) => id),
  );
  return users.map((user) => ({ ...user, storedBytes: stored.get(user.id) ?? 0 }));
}
