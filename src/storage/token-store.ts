import type { TokenScope } from '../words/service.ts';
import { noteChange, noteChanges } from './change-store.ts';
import type { Sql, Transaction } from './database.ts';
import { type Columns, json, plain, RecordTable, wordColumn } from './record-table.ts';
import { allIn, forChange, type Moment, someRows, Where } from './sql-text.ts';

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
  /** Id of the token that made it, which may be gone; null: a command did. */
  madeBy: string | null;
};

/** When a token was last used, to a minute, and from which address. */
export type TokenUse = { id: string; usedAtMs: number; usedFrom: string };

/** A token as it is listed. */
export type ListedToken = AccessToken & { usedAtMs: number | null; usedFrom: string | null };

const COLUMNS: Columns<AccessToken> = {
  id: plain('id'),
  userId: plain('user_id'),
  name: plain('name'),
  hash: plain('hash'),
  scopes: wordColumn('scopes'),
  accountIds: json('account_ids'),
  accountNumbers: json('account_numbers'),
  createdAtMs: plain('created_at_ms'),
  expiresAtMs: plain('expires_at_ms'),
  madeBy: plain('made_by'),
};
const TOKEN = new RecordTable<AccessToken>('access_token', COLUMNS);
const LISTED = new RecordTable<ListedToken>('access_token', {
  ...COLUMNS,
  usedAtMs: plain('used_at_ms'),
  usedFrom: plain('used_from'),
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
): Promise<ListedToken[]> {
  const where = new Where().equal('user_id', userId).before(['created_at_ms', 'id'], before);
  const rows = await sql.all(
    `select ${LISTED.list} from access_token where ${where} order by created_at_ms desc, id desc
     limit ${where.place(limit)}`,
    where.params,
  );
  return rows.map(LISTED.read);
}

/** Stores when tokens were last used. Those that are gone are passed over. */
export async function storeTokenUses(sql: Sql, uses: readonly TokenUse[]): Promise<void> {
  for (const { id, usedAtMs, usedFrom } of uses) {
    await sql.run('update access_token set used_at_ms = $2, used_from = $3 where id = $1', [
      ...[id, usedAtMs, usedFrom],
    ]);
  }
}

/** The token, which nobody changes until the end of the transaction. */
export async function lockToken(tx: Transaction, id: string): Promise<AccessToken | undefined> {
  const text = `select ${TOKEN.list} from access_token where id = $1 ${forChange(tx.kind)}`;
  const row = await tx.get(text, [id]);
  return row && TOKEN.read(row);
}

/** Lets a token end, and counts it among those of its successor. */
export async function retireToken(
  tx: Transaction,
  { id, hash }: AccessToken,
  expiresAtMs: number,
  successor: string,
): Promise<void> {
  await tx.run('update access_token set expires_at_ms = $2, made_by = $3 where id = $1', [
    ...[id, expiresAtMs, successor],
  ]);
  await noteChange(tx, 'token', hash);
}

/** What some tokens made counts as made by another from now on. */
export async function inheritTokens(
  tx: Transaction,
  makers: readonly string[],
  heir: string | null,
): Promise<void> {
  const rows = await allIn<{ hash: string }>(
    tx,
    makers,
    (list) => `update access_token set made_by = $1 where made_by in (${list}) returning hash`,
    [heir],
  );
  await noteChanges(
    tx,
    'token',
    rows.map(({ hash }) => hash),
  );
}

/**
 * Deletes some tokens that a token made, of one user if given; what they made counts as made by it
 * from then on.
 */
export async function deleteMadeTokens(
  tx: Transaction,
  maker: string,
  userId: string | undefined,
  limit: number,
): Promise<AccessToken[]> {
  const where = new Where().equal('made_by', maker).equal('user_id', userId);
  const some = someRows(tx.kind, 'access_token', `${where} limit ${where.place(limit)}`);
  const rows = await tx.all(
    `delete from access_token where ${some} returning ${TOKEN.list}`,
    where.params,
  );
  const tokens = rows.map(TOKEN.read);
  await noteChanges(
    tx,
    'token',
    tokens.map(({ hash }) => hash),
  );
  await inheritTokens(
    tx,
    tokens.map(({ id }) => id),
    maker,
  );
  return tokens;
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
