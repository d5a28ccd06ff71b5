import {
  type Database,
  DatabaseUnavailable,
  type Row,
  type Sql,
  type Transaction,
} from './database.ts';
import { fence } from './partition-store.ts';

/** A row of the journal: one commit. */
export type JournalRow = { position: number; body: Uint8Array };

/** Held while assigning positions, to the end of the transaction. */
const LOCK = 'plimsoll:journal';

/**
 * Appends a commit, durable when the promise resolves, and returns its position; undefined if
 * another process is assigning positions: `settleJournal` then assigns it. No process waits for
 * another.
 */
export async function appendJournal(
  database: Database,
  receivedUtcMs: number,
  body: Uint8Array,
): Promise<number | undefined> {
  if (database.kind === 'postgres') {
    const row = await database.get<{ position: number | null }>(
      'select journal_append($1, $2) as position',
      [receivedUtcMs, body],
    );
    return row?.position ?? undefined;
  }
  return database.transaction((tx) => stageJournal(tx, receivedUtcMs, body));
}

/**
 * Appends a commit in the transaction that makes its changes; returns like `appendJournal`. On
 * PostgreSQL it gets its position after the transaction, so that no one waits for it.
 */
export async function stageJournal(
  tx: Transaction,
  receivedUtcMs: number,
  body: Uint8Array,
): Promise<number | undefined> {
  const isNumbering = tx.kind === 'sqlite' && (await tx.tryLock(LOCK));
  let position: number | undefined;
  if (isNumbering) {
    await numberWaiting(tx);
    const head = await tx.get<{ position: number }>(
      'update journal_head set position = position + 1 where id = 1 returning position',
    );
    position = head?.position;
  }
  const row = await tx.get<{ stream: string | null }>(
    `insert into journal_entry (position, received_utc_ms, body) values ($1, $2, $3)
     returning (select stream from journal_head where id = 1) as stream`,
    [position ?? null, receivedUtcMs, body],
  );
  if (row?.stream) throw new DatabaseUnavailable('The journal was moved to a stream');
  return position;
}

/**
 * Assigns positions to all commits from before the call. Returns the last one; undefined if another
 * process is assigning positions.
 */
export async function settleJournal(database: Database): Promise<number | undefined> {
  if (database.kind === 'postgres') {
    const row = await database.get<{ head: number | null }>('select journal_settle() as head');
    return row?.head ?? undefined;
  }
  const state = await readHead(database);
  if (state.waiting === 0) return state.position;
  return database.transaction(async (tx) => {
    if (!(await tx.tryLock(LOCK))) return undefined;
    await numberWaiting(tx);
    return (await readHead(tx)).position;
  });
}

async function readHead(sql: Sql): Promise<{ position: number; waiting: number }> {
  const row = await sql.get<{ position: number; waiting: number }>(
    `select position, (select count(*) from journal_entry where position is null) as waiting
     from journal_head where id = 1`,
  );
  return row ?? { position: 0, waiting: 0 };
}

/** Like journal_number_waiting of PostgreSQL. */
async function numberWaiting(tx: Transaction): Promise<void> {
  const numbered = await tx.run(
    `with waiting as (
       select id, row_number() over (order by id) as place from journal_entry
       where position is null)
     update journal_entry set position =
       waiting.place + (select position from journal_head where id = 1)
     from waiting where journal_entry.id = waiting.id`,
  );
  if (numbered === 0) return;
  await tx.run('update journal_head set position = position + $1 where id = 1', [numbered]);
}

/** Rows after a position, in order; at most `limit`. */
export async function readJournal(sql: Sql, after: number, limit: number): Promise<JournalRow[]> {
  return sql.all<Row & JournalRow>(
    `select position, body from journal_entry where position > $1 order by position limit $2`,
    [after, limit],
  );
}

/** Removes rows received before a time that every partition has folded and stored. */
export async function trimJournal(sql: Sql, receivedBeforeMs: number): Promise<number> {
  return sql.run(
    `delete from journal_entry
     where position <= (select min(position) from journal_partition) and received_utc_ms < $1`,
    [receivedBeforeMs],
  );
}

/** Notes the position up to which a partition is folded and stored. Throws PartitionLost. */
export async function advancePartition(
  database: Database,
  partition: number,
  epoch: number,
  position: number,
): Promise<void> {
  await database.transaction(async (tx) => {
    await fence(tx, partition, epoch);
    await tx.run('update journal_partition set position = $2 where partition_id = $1', [
      partition,
      position,
    ]);
  });
}
