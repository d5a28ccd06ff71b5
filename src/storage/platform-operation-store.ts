import type { Sql, Transaction } from './database.ts';
import { plain, RecordTable } from './record-table.ts';

/** A request to a platform. Its body is kept only as a hash. */
export type PlatformOperation = {
  /** Identifies the operation on the platform, too. */
  requestId: string;
  profileId: string;
  login: number | null;
  kind: string;
  bodyHash: string;
  /** The latest time until which it is under way, or may still take effect; 0: it has ended. */
  underWayUntilMs: number;
  /** The answer as JSON; null until there is one, and if it holds secrets. */
  result: string | null;
  createdAtMs: number;
  keptUntilMs: number;
};

const OPERATION = new RecordTable<PlatformOperation>('platform_operation', {
  requestId: plain('request_id'),
  profileId: plain('profile_id'),
  login: plain('login'),
  kind: plain('kind'),
  bodyHash: plain('body_hash'),
  underWayUntilMs: plain('under_way_until_ms'),
  result: plain('result'),
  createdAtMs: plain('created_at_ms'),
  keptUntilMs: plain('kept_until_ms'),
});

export const findPlatformOperation = (
  sql: Sql,
  requestId: string,
): Promise<PlatformOperation | undefined> =>
  OPERATION.get(sql, 'where request_id = $1', [requestId]);

export const insertPlatformOperation = (
  tx: Transaction,
  operation: PlatformOperation,
): Promise<void> => OPERATION.add(tx, operation);

/**
 * Whether another operation of the kind is under way on the login. One with an impossibly long
 * duration was noted by a clock that was ahead, and does not count.
 */
export async function findRivalOperation(
  tx: Transaction,
  rival: Pick<PlatformOperation, 'profileId' | 'kind' | 'requestId'> & {
    login: number;
    nowMs: number;
    maxMs: number;
  },
): Promise<boolean> {
  const row = await tx.get(
    `select 1 as one from platform_operation where profile_id = $1 and login = $2 and kind = $3
     and request_id <> $4 and under_way_until_ms > $5 and under_way_until_ms <= $6 limit 1`,
    [
      ...[rival.profileId, rival.login, rival.kind, rival.requestId],
      ...[rival.nowMs, rival.nowMs + rival.maxMs],
    ],
  );
  return row !== undefined;
}

/** False if there is none. */
export async function updatePlatformOperation(
  tx: Transaction,
  requestId: string,
  { underWayUntilMs, result }: Pick<PlatformOperation, 'underWayUntilMs' | 'result'>,
): Promise<boolean> {
  const changed = await tx.run(
    'update platform_operation set under_way_until_ms = $2, result = $3 where request_id = $1',
    [requestId, underWayUntilMs, result],
  );
  return changed > 0;
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
