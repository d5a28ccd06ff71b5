import type { TokenScope } from '../words/service.ts';
import { noteChange, noteChanges } from './change-store.ts';
import type { Sql, Transaction } from './database.ts';
import { json, plain, RecordTable, wordColumn } from './record-table.ts';
import { type Moment, Where } from './sql-text.ts';

export type AccessToken = {
  id: string;
  userId: string;
  name: string | null;
  /** SHA-256 of the secret, hex; the secret itself is never stored. */
  hash: string;
  scopes: TokenScope[];
  /** Only the accounts that had these ids when the token was made, if given. */
  accountIds: string[] | null;
  /** Of those that there were: ids can be used again, numbers cannot. */
  accountNumbers: number[] | null;
  createdAtMs: number;
  expiresAtMs: number | null;
};

const TOKEN = new RecordTable<AccessToken>('access_token', {
  id: plain('id'),
  userId: plain('user_id'),
  name: plain('name'),
  hash: plain('hash'),
  scopes: wordColumn('scopes'),
  accountIds: json('account_ids'),
  accountNumbers: json('account_numbers'),
  createdAtMs: plain('created_at_ms'),
  expiresAtMs: plain('expires_at_ms'),
});

export async function insertToken(sql: Sql, token: AccessToken): Promise<void> {
  await sql.run(TOKEN.insert(), TOKEN.values(token));
}

export async function findTokenByHash(sql: Sql, hash: string): Promise<AccessToken | undefined> {
  const row = await sql.get(`select ${TOKEN.list} from access_token where hash = $1`, [hash]);
  return row && TOKEN.read(row);
}

export async function findToken(sql: Sql, id: string): Promise<AccessToken | undefined> {
  const row = await sql.get(`select ${TOKEN.list} from access_token where id = $1`, [id]);
  return row && TOKEN.read(row);
}

/** Tokens of a user before a moment, newest first; without one, the newest. */
export async function listTokens(
  sql: Sql,
  userId: string,
  before: Moment | undefined,
  limit: number,
): Promise<AccessToken[]> {
  const where = new Where().equal('user_id', userId).before(['created_at_ms', 'id'], before);
  const rows = await sql.all(
    `select ${TOKEN.list} from access_token where ${where} order by created_at_ms desc, id desc
     limit ${where.place(limit)}`,
    where.params,
  );
  return rows.map(TOKEN.read);
}

/** Deletes all tokens of a user and returns how many there were. */
export async function deleteUserTokens(tx: Transaction, userId: string): Promise<number> {
  const rows = await tx.all<{ hash: string }>(
    'delete from access_token where user_id = $1 returning hash',
    [userId],
  );
  await noteChanges(
    tx,
    'token',
    rows.map(({ hash }) => hash),
  );
  return rows.length;
}

/** Deletes a token and returns it; undefined if there was none. */
export async function deleteToken(tx: Transaction, id: string): Promise<AccessToken | undefined> {
  const row = await tx.get(`delete from access_token where id = $1 returning ${TOKEN.list}`, [id]);
  if (!row) return undefined;
  const token = TOKEN.read(row);
  await noteChange(tx, 'token', token.hash);
  return token;
}
