import type { Sql } from './database.ts';

export type Receipt = { bodyHash: string; answer: string };

export async function findReceipt(
  sql: Sql,
  userId: string,
  key: string,
): Promise<Receipt | undefined> {
  const row = await sql.get<{ body_hash: string; answer: string }>(
    'select body_hash, answer from ingest_receipt where user_id = $1 and idempotency_key = $2',
    [userId, key],
  );
  return row && { bodyHash: row.body_hash, answer: row.answer };
}

/** Throws UniqueViolation when another process has just answered the same key. */
export async function insertReceipt(
  sql: Sql,
  userId: string,
  key: string,
  receipt: Receipt,
  atMs: number,
): Promise<void> {
  await sql.run(
    `insert into ingest_receipt (user_id, idempotency_key, body_hash, answer, at_ms)
     values ($1, $2, $3, $4, $5)`,
    [userId, key, receipt.bodyHash, receipt.answer, atMs],
  );
}

export async function deleteReceipts(sql: Sql, beforeMs: number): Promise<void> {
  await sql.run('delete from ingest_receipt where at_ms < $1', [beforeMs]);
}
