import type { Row, Sql, Transaction } from './database.ts';

/** Something that was asked of a platform. The body is kept as a hash only. */
export type PlatformOperation = {
  /** Names the operation on the platform as well. */
  requestId: string;
  profileId: string;
  login: number | null;
  kind: string;
  bodyHash: string;
  /** Until when at the latest a request is under way, or may still take effect; 0: it ended. */
  underWayUntilMs: number;
  /** The answer as JSON; null until there is one, and where it holds secrets. */
  result: string | null;
  createdAtMs: number;
  keptUntilMs: number;
};

type OperationRow = Row & {
  request_id: string;
  profile_id: string;
  login: number | null;
  kind: string;
  body_hash: string;
  under_way_until_ms: number;
  result: string | null;
  created_at_ms: number;
  kept_until_ms: number;
};

export async function findPlatformOperation(
  sql: Sql,
  requestId: string,
): Promise<PlatformOperation | undefined> {
  const row = await sql.get<OperationRow>(
    'select * from platform_operation where request_id = $1',
    [requestId],
  );
  return (
    row && {
      requestId: row.request_id,
      profileId: row.profile_id,
      login: row.login,
      kind: row.kind,
      bodyHash: row.body_hash,
      underWayUntilMs: row.under_way_until_ms,
      result: row.result,
      createdAtMs: row.created_at_ms,
      keptUntilMs: row.kept_until_ms,
    }
  );
}

export async function insertPlatformOperation(
  tx: Transaction,
  operation: PlatformOperation,
): Promise<void> {
  await tx.run('insert into platform_operation values ($1, $2, $3, $4, $5, $6, $7, $8, $9)', [
    operation.requestId,
    operation.profileId,
    operation.login,
    operation.kind,
    operation.bodyHash,
    operation.underWayUntilMs,
    operation.result,
    operation.createdAtMs,
    operation.keptUntilMs,
  ]);
}

/** Whether another operation of the kind is under way on the login. */
export async function findRivalOperation(
  tx: Transaction,
  rival: { profileId: string; login: number; kind: string; requestId: string; nowMs: number },
): Promise<boolean> {
  const row = await tx.get(
    `select 1 as one from platform_operation where profile_id = $1 and login = $2 and kind = $3
     and request_id <> $4 and under_way_until_ms > $5 limit 1`,
    [rival.profileId, rival.login, rival.kind, rival.requestId, rival.nowMs],
  );
  return row !== undefined;
}

export async function updatePlatformOperation(
  tx: Transaction,
  requestId: string,
  { underWayUntilMs, result }: Pick<PlatformOperation, 'underWayUntilMs' | 'result'>,
): Promise<void> {
  await tx.run(
    'update platform_operation set under_way_until_ms = $2, result = $3 where request_id = $1',
    [requestId, underWayUntilMs, result],
  );
}

export async function deletePlatformOperation(tx: Transaction, requestId: string): Promise<void> {
  await tx.run('delete from platform_operation where request_id = $1', [requestId]);
}

export async function deletePlatformOperationsBefore(
  tx: Transaction,
  keptUntilMs: number,
): Promise<void> {
  await tx.run('delete from platform_operation where kept_until_ms < $1', [keptUntilMs]);
}
