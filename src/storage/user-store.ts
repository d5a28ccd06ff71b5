import type { Sql } from './database.ts';

export type User = { id: string; email: string; name: string | null; createdAtMs: number };

type UserRow = { id: string; email: string; name: string | null; created_at_ms: number };

/** Throws UniqueViolation when the e-mail address is taken. */
export async function insertUser(sql: Sql, user: User): Promise<void> {
  await sql.run('insert into app_user (id, email, name, created_at_ms) values ($1, $2, $3, $4)', [
    user.id,
    user.email,
    user.name,
    user.createdAtMs,
  ]);
}

export async function findUser(sql: Sql, id: string): Promise<User | undefined> {
  const row = await sql.get<UserRow>('select * from app_user where id = $1', [id]);
  return row && userOf(row);
}

export async function findUserByEmail(sql: Sql, email: string): Promise<User | undefined> {
  const row = await sql.get<UserRow>('select * from app_user where email = $1', [email]);
  return row && userOf(row);
}

export async function listUsers(sql: Sql, limit: number, offset: number): Promise<User[]> {
  const rows = await sql.all<UserRow>(
    'select * from app_user order by created_at_ms, id limit $1 offset $2',
    [limit, offset],
  );
  return rows.map(userOf);
}

const userOf = (row: UserRow): User => ({
  id: row.id,
  email: row.email,
  name: row.name,
  createdAtMs: row.created_at_ms,
});
