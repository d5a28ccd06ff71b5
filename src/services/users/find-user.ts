import { findUserByEmail, findUserRow, type User } from '../../storage/user-store.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';

/** A user by id or e-mail address. */
export async function findUser({ database }: Context, idOrEmail: string): Promise<User> {
  const user = idOrEmail.includes('@')
    ? await findUserByEmail(database, idOrEmail.trim().toLowerCase())
    : await findUserRow(database, idOrEmail);
  if (!user) throw notFound(`User ${idOrEmail}`);
  return user;
}
