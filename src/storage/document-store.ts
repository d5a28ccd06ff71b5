import type { Row, Sql, Transaction } from './database.ts';

export type DocumentKind = 'account-view' | 'rule-template' | 'table-mapping';

/** A document that a user saved under a name. */
export type StoredDocument<Body> = { name: string; body: Body; changedAtMs: number };

type DocumentRow = Row & { name: string; body: string; changed_at_ms: number };

const documentOf = <Body>({ name, body, changed_at_ms: changedAtMs }: DocumentRow) => ({
  ...{ name, changedAtMs },
  body: JSON.parse(body) as Body,
});

/** In order of name. */
export async function listDocuments<Body>(
  sql: Sql,
  userId: string,
  kind: DocumentKind,
  limit: number,
): Promise<StoredDocument<Body>[]> {
  const rows = await sql.all<DocumentRow>(
    `select name, body, changed_at_ms from user_document where user_id = $1 and kind = $2
     limit $3`,
    [userId, kind, limit],
  );
  return rows.map((row) => documentOf<Body>(row)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

export async function findDocument<Body>(
  sql: Sql,
  userId: string,
  kind: DocumentKind,
  name: string,
): Promise<StoredDocument<Body> | undefined> {
  const row = await sql.get<DocumentRow>(
    `select name, body, changed_at_ms from user_document
     where user_id = $1 and kind = $2 and name = $3`,
    [userId, kind, name],
  );
  return row && documentOf<Body>(row);
}

/** Saves a document, replacing one of the same name. */
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
