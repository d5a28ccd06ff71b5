import type { Row, Sql, Transaction } from './database.ts';

export type DocumentKind = 'account-view' | 'rule-template' | 'table-mapping';

/** What a user saved under a name. */
export type StoredDocument<Body> = { name: string; body: Body; changedAtMs: number };

/** In order of name. */
export async function listDocuments<Body>(
  sql: Sql,
  userId: string,
  kind: DocumentKind,
): Promise<StoredDocument<Body>[]> {
  type Found = Row & { name: string; body: string; changed_at_ms: number };
  const rows = await sql.all<Found>(
    'select name, body, changed_at_ms from user_document where user_id = $1 and kind = $2',
    [userId, kind],
  );
  return rows
    .map(({ name, body, changed_at_ms: changedAtMs }) => ({
      ...{ name, changedAtMs },
      body: JSON.parse(body) as Body,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Saves a document, in place of one of the same name. */
export async function putDocument<Body>(
  tx: Transaction,
  userId: string,
  kind: DocumentKind,
  { name, body, changedAtMs }: StoredDocument<Body>,
): Promise<void> {
  await tx.run(
    `insert into user_document (user_id, kind, name, body, changed_at_ms)
     values ($1, $2, $3, $4, $5) on conflict (user_id, kind, name)
     do update set body = excluded.body, changed_at_ms = excluded.changed_at_ms`,
    [userId, kind, name, JSON.stringify(body), changedAtMs],
  );
}

/** False if there is none of this name. */
export async function deleteDocumentRow(
  tx: Transaction,
  userId: string,
  kind: DocumentKind,
  name: string,
): Promise<boolean> {
  const sql = 'delete from user_document where user_id = $1 and kind = $2 and name = $3';
  return (await tx.run(sql, [userId, kind, name])) > 0;
}
