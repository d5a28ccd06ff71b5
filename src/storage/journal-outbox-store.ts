import type { Database, Row, Sql, Transaction } from './database.ts';
import { allIn, numberOf } from './sql-text.ts';

/** A commit waiting to be moved to a journal outside of the database. */
export type OutboxRow = { id: number; body: Uint8Array };

/** Call it in the transaction that makes the commit's changes. Returns the row's id. */
export const insertOutbox = (tx: Transaction, body: Uint8Array): Promise<number> =>
  numberOf(tx, 'insert into journal_outbox (body) values ($1) returning id', [body]);

/** The greatest id of a waiting row; undefined if there is none. */
export async function readLastWaiting(sql: Sql): Promise<number | undefined> {
  const row = await sql.get<{ last: number | null }>(
    'select max(id) as last from journal_outbox where position is null',
  );
  return row?.last ?? undefined;
}

/** Waiting rows up to an id, in order of id. */
export async function readWaiting(sql: Sql, until: number, limit: number): Promise<OutboxRow[]> {
  return sql.all<Row & OutboxRow>(
    `select id, body from journal_outbox where position is null and id <= $1
     order by id limit $2`,
    [until, limit],
  );
}

/**
 * Settles a row's position in the journal, unless it is settled already, and returns it; undefined
 * if the row is gone. The first process to see a copy of it decides for all.
 */
export async function settlePosition(
  sql: Sql,
  id: number,
  position: number,
): Promise<number | undefined> {
  const row = await sql.get<{ position: number }>(
    `update journal_outbox set position = coalesce(position, $2) where id = $1
     returning position`,
    [id, position],
  );
  return row?.position;
}

/** The positions in the journal of those rows that exist and are settled. */
export async function readSettled(sql: Sql, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await allIn<Row & { id: number; position: number }>(
    sql,
    ids,
    (list) =>
      `select id, position from journal_outbox where position is not null and id in (${list})`,
  );
  return new Map(rows.map(({ id, position }) => [id, position]));
}

/** Removes rows that every partition has folded. */
export async function deleteSettled(sql: Sql, until: number): Promise<void> {
  await sql.run('delete from journal_outbox where position <= $1', [until]);
}

/** Where the journal is: in the given stream or, without one, in the database's own tables. */
export type JournalPlace = { position: number; stream: string | undefined };

export async function readJournalPlace(sql: Sql): Promise<JournalPlace> {
  const row = await sql.get<{ position: number; stream: string | null }>(
    'select position, stream from journal_head where id = 1',
  );
  return { position: row?.position ?? 0, stream: row?.stream ?? undefined };
}

/**
 * Moves the journal from PostgreSQL's tables, where it ends at a position, to a stream; they are
 * emptied, and closed from then on. False, without any change, if they have more by now.
 */
export async function moveToStreamAt(
  database: Database,
  stream: string,
  position: number,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    // A concurrent append comes before this, or finds the journal moved.
    await tx.script('lock table journal_entry in access exclusive mode');
    const moved = await tx.run(
      `update journal_head set stream = $1 where id = 1 and position = $2
         and not exists (select 1 from journal_entry where position is null)`,
      [stream, position],
    );
    if (moved === 0) return false;
    await tx.run('delete from journal_entry');
    return true;
  });
}

/**
 * Gives the journal to a stream, unless another has it or there are commits here; returns whether
 * it has it.
 */
export async function bindStream(database: Database, stream: string): Promise<boolean> {
  const bound = await database.run(
    `update journal_head set stream = $1 where id = 1 and (stream = $1 or (stream is null
       and position = 0 and not exists (select 1 from journal_entry)))`,
    [stream],
  );
  return bound === 1;
}
