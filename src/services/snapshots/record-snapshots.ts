import { createHash } from 'node:crypto';
import { type Principal, userOf } from '../context.ts';
import { readSnapshots } from './read-snapshots.ts';
import type { Ingested, SnapshotWriter } from './snapshot-writer.ts';

export type SnapshotBody = {
  body: Buffer;
  isNdjson: boolean;
  idempotencyKey: string | undefined;
};

/** Records snapshots of many accounts, durable when it returns. One bad row refuses all. */
export async function recordSnapshots(
  { snapshots }: { snapshots: SnapshotWriter },
  principal: Principal,
  { body, isNdjson, idempotencyKey }: SnapshotBody,
): Promise<Ingested> {
  const userId = userOf(principal);
  const columns = readSnapshots(body, isNdjson, snapshots.directory);
  if (columns.account.length === 0) return { accepted: 0, late: 0 };
  const reach = { userId, accountIds: principal.accountIds };
  if (idempotencyKey === undefined) return snapshots.write(columns, reach, body.length);
  const bodyHash = createHash('sha256').update(body).digest('hex');
  return snapshots.write(columns, reach, body.length, { key: idempotencyKey, bodyHash });
}
