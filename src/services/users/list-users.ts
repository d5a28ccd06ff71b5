import { listUserRows, type User } from '../../storage/user-store.ts';
import type { Context } from '../context.ts';

/** A page of all users in order of creation. */
export const listUsers = ({ database }: Context, limit: number, offset: number): Promise<User[]> =>
  listUserRows(database, limit, offset);
