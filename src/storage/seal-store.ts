import type { Row, Sql, Transaction } from './database.ts';
import { type EventRow, eventOf, type StoredEvent } from './event-store.ts';

/** An event's place in its user's chain. */
export type StoredSeal = {
  userId: string;
  /** Counts the user's sealed events, from 1. */
  place: number;
  sequenceNumber: number;
  accountNumber: number;
  digest: string;
  hash: string;
  /** Base64. */
  signature: string;
  /** What is said of the event; undefined when its account was deleted. */
  statement: string | undefined;
};

type SealRow = Row & {
  user_id: string;
  place: number;
  sequence_number: number;
  account_number: number;
  digest: string;
  hash: string;
  signature: string;
  statement: string | null;
};

/** An event that is to be sealed, with the snapshots up to it. */
export type UnsealedEvent = StoredEvent & { before: Uint8Array };

/** Everything up to this number is sealed. */
export async function readSealHead(sql: Sql): Promise<number> {
  const row = await sql.get<{ last_number: number }>(
    'select last_number from seal_head where id = 1',
  );
  return row?.last_number ?? 0;
}

/** Numbered events after the head, which are not sealed yet, in their order. */
export async function readUnsealed(
  sql: Sql,
  head: number,
  limit: number,
): Promise<UnsealedEvent[]> {
  const rows = await sql.all<EventRow & { before_breach: Uint8Array }>(
    'select * from tracker_event where sequence_number > $1 order by sequence_number limit $2',
    [head, limit],
  );
  return rows.map((row) => ({ ...eventOf(row), before: row.before_breach }));
}

/** How many events are not sealed yet, if they are not more than a limit. */
export async function countUnsealed(sql: Sql, head: number, limit: number): Promise<number> {
  const row = await sql.get<{ count: number }>(
    `select count(*) as count from (
       select 1 from tracker_event where sequence_number > $1 limit $2
     ) as waiting`,
    [head, limit],
  );
  return row?.count ?? 0;
}

/** Everything up to a number is sealed. */
export async function advanceSeals(tx: Transaction, sequenceNumber: number): Promise<void> {
  await tx.run('update seal_head set last_number = $1 where id = 1', [sequenceNumber]);
}

export async function insertSeal(tx: Transaction, seal: StoredSeal): Promise<void> {
  const { userId, place, sequenceNumber, accountNumber, digest, hash, signature } = seal;
  await tx.run(
    `insert into event_seal (user_id, place, sequence_number, account_number, digest, hash,
       signature, statement) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      ...[userId, place, sequenceNumber, accountNumber, digest, hash, signature],
      seal.statement ?? null,
    ],
  );
}

export async function findLastSeal(sql: Sql, userId: string): Promise<StoredSeal | undefined> {
  const row = await sql.get<SealRow>(
    'select * from event_seal where user_id = $1 order by place desc limit 1',
    [userId],
  );
  return row && sealOf(row);
}

/** The seal of an event of the user's. */
export async function findSeal(
  sql: Sql,
  userId: string,
  sequenceNumber: number,
): Promise<StoredSeal | undefined> {
  const row = await sql.get<SealRow>(
    'select * from event_seal where sequence_number = $1 and user_id = $2',
    [sequenceNumber, userId],
  );
  return row && sealOf(row);
}

/** Seals of a user from a place on, in their order. */
export async function listSeals(
  sql: Sql,
  userId: string,
  fromPlace: number,
  limit: number,
): Promise<StoredSeal[]> {
  const rows = await sql.all<SealRow>(
    'select * from event_seal where user_id = $1 and place >= $2 order by place limit $3',
    [userId, fromPlace, limit],
  );
  return rows.map(sealOf);
}

const sealOf = (row: SealRow): StoredSeal => ({
  userId: row.user_id,
  place: row.place,
  sequenceNumber: row.sequence_number,
  accountNumber: row.account_number,
  digest: row.digest,
  hash: row.hash,
  signature: row.signature,
  statement: row.statement ?? undefined,
});
