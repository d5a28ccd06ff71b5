import { DAY_MS } from '../../domain/broker-time.ts';
import type { Ingested } from '../../ingest/careful-writer.ts';
import { Rejection, type RejectionKind } from '../../ingest/rejection.ts';
import type { SnapshotReader } from '../../ingest/snapshot-reader.ts';
import type { SnapshotWriter } from '../../ingest/snapshot-writer.ts';
import type { Changes } from '../changes.ts';
import { type Principal, userOf } from '../context.ts';
import { invalid, ServiceError, type ServiceErrorCode } from '../errors.ts';
import { hashBody } from './hash-body.ts';

export type SnapshotBody = {
  body: Buffer;
  isNdjson: boolean;
  idempotencyKey: string | undefined;
};

/** Counts the outcomes of received snapshots. */
export type SnapshotTally = {
  taken(answer: Ingested): void;
  /** A whole body. */
  refused(why: RejectionKind): void;
};

const RETRY_AFTER_SECONDS = 1;

/**
 * Rows that are older need room for their hours; newer ones are taken in any case: a limit of
 * storage blinds nobody, and an account has one new hour in an hour.
 */
const NEED_ROOM_MS = 2 * DAY_MS;

export type SnapshotParts = {
  reader: SnapshotReader;
  snapshots: SnapshotWriter;
  tally?: SnapshotTally;
  /** Whether a user may add more. */
  room?: Pick<Changes, 'mayAdd' | 'now'>;
};

/** Records snapshots of many accounts, durably when it returns. One bad row rejects all. */
export async function recordSnapshots(
  { reader, snapshots, tally, room }: SnapshotParts,
  principal: Principal,
  { body, isNdjson, idempotencyKey }: SnapshotBody,
): Promise<Ingested> {
  const userId = userOf(principal);
  // Before the body is read: a large one's memory is transferred to the reading thread.
  const bytes = body.length;
  const idempotency =
    idempotencyKey === undefined
      ? undefined
      : { key: idempotencyKey, bodyHash: await hashBody(body) };
  try {
    const columns = await reader.read(userId, body, isNdjson);
    if (columns.account.length === 0) return { accepted: 0, late: 0 };
    const isOld = (timeMs: number): boolean => timeMs < (room?.now() ?? 0) - NEED_ROOM_MS;
    if (columns.deals.length > 0 || columns.timeMs.some(isOld)) await room?.mayAdd(userId);
    const sender = { userId, accountNumbers: principal.accountNumbers };
    const answer = await snapshots.write(columns, sender, bytes, idempotency);
    tally?.taken(answer);
    return answer;
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    tally?.refused(error.kind);
    throw refusalOf(error);
  }
}

const CODES: Record<Exclude<RejectionKind, 'invalid'>, ServiceErrorCode> = {
  unknownAccount: 'notFound',
  tooLarge: 'tooLarge',
  keyReused: 'conflict',
  busy: 'unavailable',
};

function refusalOf({ kind, message, faults }: Rejection): ServiceError {
  if (kind === 'invalid') return invalid(faults);
  return new ServiceError(CODES[kind], message, {
    ...(faults.length > 0 ? { details: faults } : {}),
    ...(kind === 'busy' ? { retryAfterSeconds: RETRY_AFTER_SECONDS } : {}),
  });
}
