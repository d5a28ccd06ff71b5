import type { Sql } from './database.ts';
import { json, plain, RecordTable } from './record-table.ts';

export type AuditEntry = {
  /** Entries are numbered in their order. */
  number: number;
  atMs: number;
  /** `user:<id>`, `operator` (the bootstrap token), `cli:<name>` or `policy`. */
  actor: string;
  tokenId: string | null;
  /** Dotted words, for example quota.approved. */
  action: string;
  /** The user whom it is about. */
  userId: string | null;
  /** The account that it is about. */
  accountId: string | null;
  details: Record<string, unknown>;
};

const AUDIT = new RecordTable<AuditEntry>('audit_entry', {
  number: plain('number'),
  atMs: plain('at_ms'),
  actor: plain('actor'),
  tokenId: plain('token_id'),
  action: plain('action'),
  userId: plain('user_id'),
  accountId: plain('account_id'),
  details: json('details'),
});

/** Adds an entry, in the transaction of what it tells about. */
export async function insertAuditEntry(sql: Sql, entry: Omit<AuditEntry, 'number'>): Promise<void> {
  await sql.run(
    `insert into audit_entry (at_ms, actor, token_id, action, user_id, account_id, details)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    AUDIT.valuesWithout({ ...entry, number: 0 }, 'number'),
  );
}

/** A page of entries, newest first, about one user where given. */
export async function listAuditEntries(
  sql: Sql,
  userId: string | undefined,
  limit: number,
  offset: number,
): Promise<AuditEntry[]> {
  const rows = await sql.all(
    `select * from audit_entry ${userId ? 'where user_id = $3' : ''}
     order by number desc limit $1 offset $2`,
    userId ? [limit, offset, userId] : [limit, offset],
  );
  return rows.map(AUDIT.read);
}
