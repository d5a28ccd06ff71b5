import { createHash } from 'node:crypto';
import { type Principal, userOf } from '../context.ts';
import type { SnapshotReader } from './snapshot-reader.ts';
import type { IdempotencyKey, Ingested, SnapshotWriter } from './snapshot-writer.ts';

export type SnapshotBody = {
  body: Buffer;
  isNdjson: boolean;
  idempotencyKey: string | undefined;
};

/** Records snapshots of many accounts, durable when it returns. One bad row refuses all. */
export async function recordSnapshots(
  { reader, snapshots }: { reader: SnapshotReader; snapshots: SnapshotWriter },
  principal: Principal,
  { body, isNdjson, idempotencyKey }: SnapshotBody,
): Promise<Ingested> {
  const userId = userOf(principal);
  const bytes = body.length;
  const idempotency = idempotencyKey === undefined ? undefined : keyOf(idempotencyKey, body);
  const columns = await reader.read(body, isNdjson);
  if (columns.account.length === 0) return { accepted: 0, late: 0 };
  const reach = { userId, accountIds: principal.accountIds };
  return snapshots.write(columns, reach, bytes, idempotency);
}

function keyOf(key: string, body: Buffer): IdempotencyKey {
  return { key, bodyHash: createHash('sha256').update(body).digest('hex') };
}
