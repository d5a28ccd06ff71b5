import type { Sql } from './database.ts';
import { someRows } from './sql-text.ts';

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

/** Throws UniqueViolation if another process has just answered the same key. */
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

/** Rows that one statement deletes: bounded, so that others wait some milliseconds at most. */
const ROWS_AT_ONCE = 500;

/** Deletes some of the receipts from before a time; false if those were the last. */
export async function deleteOldReceipts(sql: Sql, beforeMs: number): Promise<boolean> {
  const some = `at_ms < $1 limit ${ROWS_AT_ONCE}`;
  const deleted = await sql.run(
    `delete from ingest_receipt where ${someRows(sql.kind, 'ingest_receipt', some)}`,
    [beforeMs],
  );
  return deleted === ROWS_AT_ONCE;
}
