import type { Sql, Transaction } from './database.ts';
import { json, plain, RecordTable } from './record-table.ts';

export type DocumentKind = 'account-view' | 'rule-template' | 'table-mapping';

/** A document that a user saved under a name. */
export type StoredDocument<Body> = { name: string; body: Body; changedAtMs: number };

const DOCUMENT = new RecordTable<StoredDocument<unknown>>('user_document', {
  name: plain('name'),
  body: json('body'),
  changedAtMs: plain('changed_at_ms'),
});

/** In order of name. */
export async function listDocuments<Body>(
  sql: Sql,
  userId: string,
  kind: DocumentKind,
  limit: number,
): Promise<StoredDocument<Body>[]> {
  const rest = 'where user_id = $1 and kind = $2 limit $3';
  const found = await DOCUMENT.all(sql, rest, [userId, kind, limit]);
  return (found as StoredDocument<Body>[]).sort((a, b) => (a.name < b.name ? -1 : 1));
}

export async function findDocument<Body>(
  sql: Sql,
  userId: string,
  kind: DocumentKind,
  name: string,
): Promise<StoredDocument<Body> | undefined> {
  const rest = 'where user_id = $1 and kind = $2 and name = $3';
  const found = await DOCUMENT.get(sql, rest, [userId, kind, name]);
  return found as StoredDocument<Body> | undefined;
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
