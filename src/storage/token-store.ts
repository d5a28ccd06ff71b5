import { changeCatalogue } from './catalogue-store.ts';
import type { Sql, Transaction } from './database.ts';

export type TokenScope = 'read' | 'write' | 'ingest' | 'admin';

export type AccessToken = {
  id: string;
  userId: string;
  name: string | null;
  /** SHA-256 of the secret, hex; the secret itself is never stored. */
  hash: string;
  scopes: TokenScope[];
  /** Only these accounts, where given. */
  accountIds: string[] | null;
  createdAtMs: number;
  expiresAtMs: number | null;
};

type TokenRow = {
  id: string;
  user_id: string;
  name: string | null;
  hash: string;
  scopes: string;
  account_ids: string | null;
  created_at_ms: number;
  expires_at_ms: number | null;
};

export async function insertToken(sql: Sql, token: AccessToken): Promise<void> {
  await sql.run(
    `insert into access_token (id, user_id, name, hash, scopes, account_ids, created_at_ms, expires_at_ms)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      token.id,
      token.userId,
      token.name,
      token.hash,
      token.scopes.join(' '),
      token.accountIds && JSON.stringify(token.accountIds),
      token.createdAtMs,
      token.expiresAtMs,
    ],
  );
}

export async function findTokenByHash(sql: Sql, hash: string): Promise<AccessToken | undefined> {
  const row = await sql.get<TokenRow>('select * from access_token where hash = $1', [hash]);
  return row && tokenOf(row);
}

export async function listTokens(sql: Sql, userId: string): Promise<AccessToken[]> {
  const rows = await sql.all<TokenRow>(
    'select * from access_token where user_id = $1 order by created_at_ms, id',
    [userId],
  );
  return rows.map(tokenOf);
}

/** Tells whether the token existed. */
export async function deleteToken(tx: Transaction, id: string): Promise<boolean> {
  const deleted = await tx.run('delete from access_token where id = $1', [id]);
  await changeCatalogue(tx);
  return deleted > 0;
}

const tokenOf = (row: TokenRow): AccessToken => ({
  id: row.id,
  userId: row.user_id,
  name: row.name,
  hash: row.hash,
  scopes: row.scopes.split(' ') as TokenScope[],
  accountIds: row.account_ids === null ? null : (JSON.parse(row.account_ids) as string[]),
  createdAtMs: row.created_at_ms,
  expiresAtMs: row.expires_at_ms,
});
