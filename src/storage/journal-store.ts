import type { Database, Row, Sql, Transaction } from './database.ts';
import { tuples } from './sql-text.ts';

/** A row of the journal: what one commit brought for one partition. */
export type JournalRow = { position: number; body: Uint8Array };

/** Partitions of the journal; SQLite has one process only, so one is enough. */
export const partitionCount = (kind: Database['kind']): number => (kind === 'sqlite' ? 1 : 8);

/** The partition of an account, for ever: FNV-1a over its id's UTF-16 units. */
export function partitionOf(accountId: string, count: number): number {
  if (count === 1) return 0;
  let hash = 0x811c9dc5;
  for (let index = 0; index < accountId.length; index += 1) {
    hash = Math.imul(hash ^ accountId.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) % count;
}

/**
 * Appends what the transaction brings, one body a partition, and returns its position. Appenders
 * wait for each other here until the end of the transaction: do it last. `origin` names an engine that
 * gets the entries handed over in memory, and need not look for them.
 */
export async function appendJournal(
  tx: Transaction,
  receivedUtcMs: number,
  bodies: ReadonlyMap<number, Uint8Array>,
  origin = '',
): Promise<{ position: number; directoryVersion: number }> {
  const head = await tx.get<{ position: number; directory_version: number }>(
    `update journal_head set position = position + 1 where id = 1
     returning position, directory_version`,
  );
  if (!head) throw new Error('Invariant: the journal has no head');
  await insertEntries(tx, head.position, receivedUtcMs, bodies, origin);
  return { position: head.position, directoryVersion: head.directory_version };
}

async function insertEntries(
  tx: Transaction,
  position: number,
  receivedUtcMs: number,
  bodies: ReadonlyMap<number, Uint8Array>,
  origin: string,
): Promise<void> {
  // One statement for all: others wait for the head that this transaction holds.
  if (bodies.size > 0) {
    await tx.run(
      `insert into journal_entry (partition_id, position, received_utc_ms, body)
       values ${tuples(bodies.size, 4)}`,
      [...bodies].flatMap(([partition, body]) => [partition, position, receivedUtcMs, body]),
    );
  }
  await tx.notify('plimsoll_journal', `${position} ${origin}`);
}

/**
 * Appends as a transaction of its own and returns the position; undefined, and nothing appended, when
 * the directory is of another version. On PostgreSQL it is one statement: others wait for the head
 * no longer than its commit takes.
 */
export async function commitJournal(
  database: Database,
  receivedUtcMs: number,
  bodies: ReadonlyMap<number, Uint8Array>,
  directoryVersion: number,
  origin = '',
): Promise<number | undefined> {
  if (database.kind === 'sqlite') {
    return database.transaction(async (tx) => {
      const head = await tx.get<{ position: number }>(
        `update journal_head set position = position + 1 where id = 1 and directory_version = $1
         returning position`,
        [directoryVersion],
      );
      if (head) await insertEntries(tx, head.position, receivedUtcMs, bodies, origin);
      return head?.position;
    });
  }
  const entries = [...bodies].map(
    (_, index) => `($${index * 2 + 4}::bigint, $${index * 2 + 5}::bytea)`,
  );
  const row = await database.get<{ position: number }>(
    `with head as (
       update journal_head set position = position + 1 where id = 1 and directory_version = $1
       returning position
     ), appended as (
       insert into journal_entry (partition_id, position, received_utc_ms, body)
       select entry.partition_id, head.position, $2::bigint, entry.body
       from head cross join (values ${entries.join(', ')}) as entry (partition_id, body)
     )
     select position, pg_notify('plimsoll_journal', position || ' ' || $3::text)::text as notified
     from head`,
    [directoryVersion, receivedUtcMs, origin, ...[...bodies].flat()],
  );
  return row?.position;
}

/** Makes processes ask again for what they remember of accounts. */
export async function changeDirectory(tx: Transaction): Promise<void> {
  await tx.run('update journal_head set directory_version = directory_version + 1 where id = 1');
}

/** Everything up to this position is visible to whoever reads after this. */
export async function readJournalHead(
  sql: Sql,
): Promise<{ position: number; directoryVersion: number }> {
  const head = await sql.get<{ position: number; directory_version: number }>(
    'select position, directory_version from journal_head where id = 1',
  );
  return { position: head?.position ?? 0, directoryVersion: head?.directory_version ?? 0 };
}

/** Rows of a partition with after < position ≤ until, in order. */
export function readJournal(
  sql: Sql,
  partition: number,
  after: number,
  until: number,
  limit: number,
): Promise<JournalRow[]> {
  return sql.all<Row & JournalRow>(
    `select position, body from journal_entry
     where partition_id = $1 and position > $2 and position <= $3 order by position limit $4`,
    [partition, after, until, limit],
  );
}

/** Removes rows that are folded and were received before a time. */
export async function trimJournal(
  sql: Sql,
  partition: number,
  until: number,
  receivedBeforeMs: number,
): Promise<number> {
  return sql.run(
    `delete from journal_entry
     where partition_id = $1 and position <= $2 and received_utc_ms < $3`,
    [partition, until, receivedBeforeMs],
  );
}
