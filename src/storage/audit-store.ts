import type { Sql } from './database.ts';

export type AuditEntry = {
  id: string;
  atMs: number;
  /** `user:<id>`, `operator` (the bootstrap token), `cli:<name>` or `policy`. */
  actor: string;
  /** Dotted words, for example quota.approved. */
  action: string;
  /** The user whom it is about. */
  userId: string | null;
  details: Record<string, unknown>;
};

type AuditRow = {
  id: string;
  at_ms: number;
  actor: string;
  action: string;
  user_id: string | null;
  details: string;
};

/**
 * Adds an entry, in the transaction of what it tells about. Entries about one user are kept a
 * millisecond apart, so that their times tell their order; the caller holds a lock of the user's.
 */
export async function insertAuditEntry(sql: Sql, entry: AuditEntry): Promise<void> {
  await sql.run(
    `insert into audit_entry (id, at_ms, actor, action, user_id, details)
     select $1, case when last.at_ms >= $2 then last.at_ms + 1 else $2 end, $3, $4, $5, $6
     from (select coalesce(max(at_ms), 0) as at_ms from audit_entry where user_id = $5) as last`,
    [entry.id, entry.atMs, entry.actor, entry.action, entry.userId, JSON.stringify(entry.details)],
  );
}

/** A page of entries, newest first, about one user where given. */
export async function listAuditEntries(
  sql: Sql,
  userId: string | undefined,
  limit: number,
  offset: number,
): Promise<AuditEntry[]> {
  const rows = await sql.all<AuditRow>(
    `select * from audit_entry ${userId ? 'where user_id = $3' : ''}
     order by at_ms desc, id desc limit $1 offset $2`,
    userId ? [limit, offset, userId] : [limit, offset],
  );
  return rows.map((row) => ({
    id: row.id,
    atMs: row.at_ms,
    actor: row.actor,
    action: row.action,
    userId: row.user_id,
    details: JSON.parse(row.details) as Record<string, unknown>,
  }));
}
