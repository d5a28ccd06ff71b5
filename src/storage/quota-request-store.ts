import type { QuotaChange } from '../domain/quotas/quotas.ts';
import type { QuotaRequestState } from '../words/service.ts';
import type { Row, Sql } from './database.ts';
import { json, plain, RecordTable } from './record-table.ts';
import { numberOf, Where } from './sql-text.ts';

export type StoredQuotaRequest = {
  id: string;
  userId: string;
  region: string;
  state: QuotaRequestState;
  requested: QuotaChange;
  justification: string | null;
  createdAtMs: number;
  updatedAtMs: number;
  decidedAtMs: number | null;
  /** Who decided, written as in the audit. */
  decidedBy: string | null;
  /** The operator's message to the user. */
  message: string | null;
};

const REQUEST = new RecordTable<StoredQuotaRequest>('quota_request', {
  id: plain('id'),
  userId: plain('user_id'),
  region: plain('region'),
  state: plain('state'),
  requested: json('requested'),
  justification: plain('justification'),
  createdAtMs: plain('created_at_ms'),
  updatedAtMs: plain('updated_at_ms'),
  decidedAtMs: plain('decided_at_ms'),
  decidedBy: plain('decided_by'),
  message: plain('message'),
});
const FIXED = ['id', 'user_id', 'region', 'created_at_ms'];

/** Throws UniqueViolation if the user has a pending request in the region. */
export const insertQuotaRequest = (sql: Sql, request: StoredQuotaRequest): Promise<void> =>
  REQUEST.add(sql, request);

/** Writes the fields that can change: the requested quotas and the decision. */
export async function updateQuotaRequest(sql: Sql, request: StoredQuotaRequest): Promise<void> {
  await sql.run(`update quota_request set ${REQUEST.assign(2, ...FIXED)} where id = $1`, [
    request.id,
    ...REQUEST.valuesWithout(request, ...FIXED),
  ]);
}

export const findQuotaRequest = (sql: Sql, id: string): Promise<StoredQuotaRequest | undefined> =>
  REQUEST.get(sql, 'where id = $1', [id]);

export const findPendingQuotaRequest = (
  sql: Sql,
  userId: string,
  region: string,
): Promise<StoredQuotaRequest | undefined> =>
  REQUEST.get(sql, `where user_id = $1 and region = $2 and state = 'pending'`, [userId, region]);

/** How many of a user's requests were decided since a time. */
export const countDecisions = (
  sql: Sql,
  userId: string,
  decidedBy: string,
  sinceMs: number,
): Promise<number> =>
  numberOf(
    sql,
    `select count(*) as decisions from quota_request
     where user_id = $1 and decided_by = $2 and decided_at_ms > $3`,
    [userId, decidedBy, sinceMs],
  );

/** A page of requests, newest first; of one state or one user, if given. */
export async function listQuotaRequestRows(
  sql: Sql,
  { state, userId }: { state?: QuotaRequestState | undefined; userId?: string | undefined },
  limit: number,
  offset: number,
): Promise<(StoredQuotaRequest & { email: string })[]> {
  const where = new Where()
    .and('app_user.removed_at_ms is null')
    .equal('quota_request.state', state)
    .equal('quota_request.user_id', userId);
  const rows = await sql.all<Row & { email: string }>(
    `select quota_request.*, app_user.email from quota_request
     join app_user on app_user.id = quota_request.user_id
     where ${where} order by quota_request.created_at_ms desc, quota_request.id desc
     limit ${where.place(limit)} offset ${where.place(offset)}`,
    where.params,
  );
  return rows.map((row) => ({ ...REQUEST.read(row), email: row.email }));
}
