import type { Sql, SqlValue } from './database.ts';
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

/** Which entries: those that fit all that is given. */
export type AuditFilter = {
  userId?: string | undefined;
  accountId?: string | undefined;
  actor?: string | undefined;
  /** An action, or the beginning of its words: tracker, or tracker.created. */
  action?: string | undefined;
};

/** A page of entries, newest first. */
export async function listAuditEntries(
  sql: Sql,
  { userId, accountId, actor, action }: AuditFilter,
  limit: number,
  offset: number,
): Promise<AuditEntry[]> {
  const params: SqlValue[] = [limit, offset];
  const conditions: string[] = [];
  const equal = (column: string, value: string | undefined): void => {
    if (value !== undefined) conditions.push(`${column} = $${params.push(value)}`);
  };
  equal('user_id', userId);
  equal('account_id', accountId);
  equal('actor', actor);
  if (action !== undefined) {
    const [own, begun] = [action, `${action}.`].map((text) => params.push(text));
    const length = action.length + 1;
    conditions.push(`(action = $${own} or substr(action, 1, ${length}) = $${begun})`);
  }
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
  const rows = await sql.all(
    `select * from audit_entry ${where} order by number desc limit $1 offset $2`,
    params,
  );
  return rows.map(AUDIT.read);
}
