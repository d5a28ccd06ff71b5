import type { Row, Sql, Transaction } from './database.ts';
import { EVENT_COLUMNS, eventOf, type StoredEvent } from './event-feed-store.ts';
import { optional, plain, RecordTable } from './record-table.ts';
import { inSlices, places, someRows } from './sql-text.ts';

/** An event's link in its user's chain. */
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
  /** Of the key that signed it: see evidence-key-store.ts. */
  keyNumber: number;
  /** The statement about the event; undefined if that, or the account, was deleted. */
  statement: string | undefined;
};

const SEAL = new RecordTable<StoredSeal>('event_seal', {
  userId: plain('user_id'),
  place: plain('place'),
  sequenceNumber: plain('sequence_number'),
  accountNumber: plain('account_number'),
  digest: plain('digest'),
  hash: plain('hash'),
  signature: plain('signature'),
  keyNumber: plain('key_number'),
  statement: optional('statement'),
});

/** An event to be sealed, with the snapshots up to it. */
export type UnsealedEvent = StoredEvent & { before: Uint8Array };

/** Everything up to this number is sealed. */
export async function readSealHead(sql: Sql): Promise<number> {
  const row = await sql.get<{ last_number: number }>(
    'select last_number from seal_head where id = 1',
  );
  return row?.last_number ?? 0;
}

/** Numbered events after the head, which are not sealed yet, in order. */
export async function readUnsealed(
  sql: Sql,
  head: number,
  limit: number,
): Promise<UnsealedEvent[]> {
  const rows = await sql.all<Row & { before_breach: Uint8Array }>(
    `select ${EVENT_COLUMNS}, before_breach from tracker_event where sequence_number > $1
     order by sequence_number limit $2`,
    [head, limit],
  );
  return rows.map((row) => ({ ...eventOf(row), before: row.before_breach }));
}

/** How many events are not sealed yet, counted up to a limit. */
export async function countUnsealed(sql: Sql, head: number, limit: number): Promise<number> {
  const row = await sql.get<{ count: number }>(
    `select count(*) as count from (
       select 1 from tracker_event where sequence_number > $1 limit $2
     ) as waiting`,
    [head, limit],
  );
  return row?.count ?? 0;
}

/** Notes that everything up to a number is sealed. */
export async function advanceSeals(tx: Transaction, sequenceNumber: number): Promise<void> {
  await tx.run('update seal_head set last_number = $1 where id = 1', [sequenceNumber]);
}

export async function insertSeal(tx: Transaction, seal: StoredSeal): Promise<void> {
  await tx.run(SEAL.insert(), SEAL.values(seal));
}

export async function findLastSeal(sql: Sql, userId: string): Promise<StoredSeal | undefined> {
  const row = await sql.get(
    `select ${SEAL.list} from event_seal where user_id = $1 order by place desc limit 1`,
    [userId],
  );
  return row && SEAL.read(row);
}

/** The seal of an event of the user's. */
export async function findSeal(
  sql: Sql,
  userId: string,
  sequenceNumber: number,
): Promise<StoredSeal | undefined> {
  const row = await sql.get(
    `select ${SEAL.list} from event_seal where sequence_number = $1 and user_id = $2`,
    [sequenceNumber, userId],
  );
  return row && SEAL.read(row);
}

/** A user's seals from a place on, in order. */
export async function listSeals(
  sql: Sql,
  userId: string,
  fromPlace: number,
  limit: number,
): Promise<StoredSeal[]> {
  const rows = await sql.all(
    `select ${SEAL.list} from event_seal where user_id = $1 and place >= $2 order by place limit $3`,
    [userId, fromPlace, limit],
  );
  return rows.map(SEAL.read);
}

/** Removes the statements in the seals of deleted events. */
export async function forgetStatements(
  tx: Transaction,
  sequenceNumbers: readonly number[],
): Promise<void> {
  const which = `sequence_number in (${places(1, sequenceNumbers.length)})`;
  await sealWithoutStatements(tx, which, sequenceNumbers);
}

/** Removes the statements for some events of a deleted account. Returns for how many. */
export function forgetAccountStatements(
  tx: Transaction,
  accountNumber: number,
  limit: number,
): Promise<number> {
  const some = 'account_number = $1 and statement is not null limit $2';
  const which = someRows(tx.kind, 'event_seal', some);
  return sealWithoutStatements(tx, which, [accountNumber, limit]);
}

/**
 * The seals stay in the chain, or it could not be shown that no others were removed. They are
 * inserted again, because SQLite keeps the space of a row that only gets shorter.
 */
async function sealWithoutStatements(
  tx: Transaction,
  which: string,
  parameters: readonly number[],
): Promise<number> {
  const rows = await tx.all(
    `delete from event_seal where ${which} returning ${SEAL.list}`,
    parameters,
  );
  await inSlices(rows.map(SEAL.read), async (slice) => {
    const left = slice.map((seal) => ({ ...seal, statement: undefined }));
    await tx.run(
      SEAL.insert(slice.length),
      left.flatMap((seal) => SEAL.values(seal)),
    );
  });
  return rows.length;
}
