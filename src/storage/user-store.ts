import type { Sql, Transaction } from './database.ts';
import { plain, RecordTable } from './record-table.ts';
import { forShare } from './sql-text.ts';

export type User = { id: string; email: string; name: string | null; createdAtMs: number };

const USER = new RecordTable<User>('app_user', {
  id: plain('id'),
  email: plain('email'),
  name: plain('name'),
  createdAtMs: plain('created_at_ms'),
});

/** Deleted users are hidden: see removed-user-store.ts. */
const IS_THERE = 'removed_at_ms is null';

/** Throws UniqueViolation if the e-mail address is taken. */
export const insertUser = (sql: Sql, user: User): Promise<void> => USER.add(sql, user);

export const findUserRow = (sql: Sql, id: string): Promise<User | undefined> =>
  USER.get(sql, `where id = $1 and ${IS_THERE}`, [id]);

export const findUserByEmail = (sql: Sql, email: string): Promise<User | undefined> =>
  USER.get(sql, `where email = $1 and ${IS_THERE}`, [email]);

export const listUserRows = (sql: Sql, limit: number, offset: number): Promise<User[]> =>
  USER.all(sql, `where ${IS_THERE} order by created_at_ms, id limit $1 offset $2`, [limit, offset]);

/** Whether the user exists. If so, it cannot be deleted until the end of the transaction. */
export async function holdUser(tx: Transaction, id: string): Promise<boolean> {
  const row = await tx.get(
    `select 1 as one from app_user where id = $1 and ${IS_THERE} ${forShare(tx.kind)}`,
    [id],
  );
  return row !== undefined;
}
