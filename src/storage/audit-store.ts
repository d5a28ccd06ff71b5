import type { Row, Sql } from './database.ts';
import { json, plain, RecordTable } from './record-table.ts';
import { Where } from './sql-text.ts';

export type AuditEntry = {
  /** Entries are numbered in order. */
  number: number;
  atMs: number;
  /** `user:<id>`, `operator` (the bootstrap token), `cli:<name>` or `policy`. */
  actor: string;
  tokenId: string | null;
  /** Dotted words, for example quota.approved. */
  action: string;
  /** The user that it concerns. */
  userId: string | null;
  /** The account that it concerns. */
  accountId: string | null;
  details: Record<string, unknown>;
};

/** Size of an entry without its details. */
export const ENTRY_BYTES = 200;

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

/** Adds an entry, in the transaction of the reported change. */
export async function insertAuditEntry(sql: Sql, entry: Omit<AuditEntry, 'number'>): Promise<void> {
  const { text, values } = AUDIT.insertWithout({ ...entry, number: 0 }, 'number');
  await sql.run(text, values);
}

/** Filter of entries: all given conditions must hold. */
export type AuditFilter = {
  userId?: string | undefined;
  accountId?: string | undefined;
  actor?: string | undefined;
  /** An action, or its first words: tracker.created, or tracker. */
  action?: string | undefined;
};

/** An entry with the names of its people and accounts, if they still exist. */
export type NamedAuditEntry = AuditEntry & {
  actorEmail: string | null;
  userEmail: string | null;
  accountName: string | null;
};

/** A page of entries, newest first. */
export async function listAuditEntries(
  sql: Sql,
  { userId, accountId, actor, action }: AuditFilter,
  limit: number,
  offset: number,
): Promise<NamedAuditEntry[]> {
  const where = new Where()
    .equal('user_id', userId)
    .equal('account_id', accountId)
    .equal('actor', actor);
  if (action !== undefined) {
    const [own, begun] = [where.place(action), where.place(`${action}.`)];
    where.and(`(action = ${own} or substr(action, 1, ${action.length + 1}) = ${begun})`);
  }
  const rows = await sql.all<
    Row & Pick<NamedAuditEntry, 'actorEmail' | 'userEmail' | 'accountName'>
  >(
    `select ${AUDIT.list},
       (select email from app_user where id = substr(audit_entry.actor, 6)) as "actorEmail",
       (select email from app_user where id = audit_entry.user_id) as "userEmail",
       (select name from account where account.user_id = audit_entry.user_id
          and account.id = audit_entry.account_id) as "accountName"
     from audit_entry where ${where} order by number desc
     limit ${where.place(limit)} offset ${where.place(offset)}`,
    where.params,
  );
  return rows.map((row) => {
    const { actorEmail, userEmail, accountName } = row;
    return { ...AUDIT.read(row), actorEmail, userEmail, accountName };
  });
}
