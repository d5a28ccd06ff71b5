import type { QuotaChange } from '../domain/quotas/quotas.ts';
import type { Sql, SqlValue } from './database.ts';

export type QuotaRequestState = 'pending' | 'approved' | 'declined';

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
  /** Who decided, in the words of the audit. */
  decidedBy: string | null;
  /** The operator's message to the user. */
  message: string | null;
};

type RequestRow = {
  id: string;
  user_id: string;
  region: string;
  state: QuotaRequestState;
  requested: string;
  justification: string | null;
  created_at_ms: number;
  updated_at_ms: number;
  decided_at_ms: number | null;
  decided_by: string | null;
  message: string | null;
};

/** Throws UniqueViolation when the user has a pending request in the region. */
export async function insertQuotaRequest(sql: Sql, request: StoredQuotaRequest): Promise<void> {
  await sql.run(
    `insert into quota_request (id, user_id, region, state, requested, justification,
       created_at_ms, updated_at_ms, decided_at_ms, decided_by, message)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      request.id,
      request.userId,
      request.region,
      request.state,
      JSON.stringify(request.requested),
      request.justification,
      request.createdAtMs,
      request.updatedAtMs,
      request.decidedAtMs,
      request.decidedBy,
      request.message,
    ],
  );
}

/** Writes what can change of a request: what is asked for, and the decision. */
export async function updateQuotaRequest(sql: Sql, request: StoredQuotaRequest): Promise<void> {
  await sql.run(
    `update quota_request set state = $2, requested = $3, justification = $4, updated_at_ms = $5,
       decided_at_ms = $6, decided_by = $7, message = $8 where id = $1`,
    [
      request.id,
      request.state,
      JSON.stringify(request.requested),
      request.justification,
      request.updatedAtMs,
      request.decidedAtMs,
      request.decidedBy,
      request.message,
    ],
  );
}

export async function findQuotaRequest(
  sql: Sql,
  id: string,
): Promise<StoredQuotaRequest | undefined> {
  const row = await sql.get<RequestRow>('select * from quota_request where id = $1', [id]);
  return row && requestOf(row);
}

export async function findPendingQuotaRequest(
  sql: Sql,
  userId: string,
  region: string,
): Promise<StoredQuotaRequest | undefined> {
  const row = await sql.get<RequestRow>(
    `select * from quota_request where user_id = $1 and region = $2 and state = 'pending'`,
    [userId, region],
  );
  return row && requestOf(row);
}

/** How many requests of a user somebody has decided since then. */
export async function countDecisions(
  sql: Sql,
  userId: string,
  decidedBy: string,
  sinceMs: number,
): Promise<number> {
  const row = await sql.get<{ decisions: number }>(
    `select count(*) as decisions from quota_request
     where user_id = $1 and decided_by = $2 and decided_at_ms > $3`,
    [userId, decidedBy, sinceMs],
  );
  return row?.decisions ?? 0;
}

/** A page of requests, newest first, of one state or one user where given. */
export async function listQuotaRequests(
  sql: Sql,
  { state, userId }: { state?: QuotaRequestState | undefined; userId?: string | undefined },
  limit: number,
  offset: number,
): Promise<(StoredQuotaRequest & { email: string })[]> {
  const params: SqlValue[] = [limit, offset];
  const conditions: string[] = [];
  const equal = (column: string, value: string | undefined): void => {
    if (value !== undefined) conditions.push(`${column} = $${params.push(value)}`);
  };
  equal('quota_request.state', state);
  equal('quota_request.user_id', userId);
  const rows = await sql.all<RequestRow & { email: string }>(
    `select quota_request.*, app_user.email from quota_request
     join app_user on app_user.id = quota_request.user_id and app_user.removed_at_ms is null
     ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
     order by quota_request.created_at_ms desc, quota_request.id desc limit $1 offset $2`,
    params,
  );
  return rows.map((row) => ({ ...requestOf(row), email: row.email }));
}

const requestOf = (row: RequestRow): StoredQuotaRequest => ({
  id: row.id,
  userId: row.user_id,
  region: row.region,
  state: row.state,
  requested: JSON.parse(row.requested) as QuotaChange,
  justification: row.justification,
  createdAtMs: row.created_at_ms,
  updatedAtMs: row.updated_at_ms,
  decidedAtMs: row.decided_at_ms,
  decidedBy: row.decided_by,
  message: row.message,
});
