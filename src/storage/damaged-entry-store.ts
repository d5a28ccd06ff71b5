import type { Database, Row, Sql } from './database.ts';
import { fence } from './partition-store.ts';

/** An entry that could not be read, with its whole commit. */
export type DamagedEntry = { position: number; reason: string; body: Uint8Array };

/** Throws PartitionLost. */
export async function writeDamagedEntry(
  database: Database,
  partition: number,
  epoch: number,
  { position, reason, body }: DamagedEntry,
): Promise<void> {
  await database.transaction(async (tx) => {
    await fence(tx, partition, epoch);
    await tx.run(
      `insert into damaged_entry (partition_id, position, reason, body) values ($1, $2, $3, $4)
       on conflict (partition_id, position) do nothing`,
      [partition, position, reason, body],
    );
  });
}

export async function listDamagedEntries(
  sql: Sql,
  limit: number,
): Promise<(Omit<DamagedEntry, 'body'> & { partition: number; bytes: number })[]> {
  return sql.all<Row & { position: number; reason: string; partition: number; bytes: number }>(
    `select partition_id as partition, position, reason, length(body) as bytes
     from damaged_entry order by position, partition_id limit $1`,
    [limit],
  );
}

export async function findDamagedEntry(
  sql: Sql,
  partition: number,
  position: number,
): Promise<Uint8Array | undefined> {
  const row = await sql.get<Row & { body: Uint8Array }>(
    'select body from damaged_entry where partition_id = $1 and position = $2',
    [partition, position],
  );
  return row?.body;
}

export async function deleteDamagedEntry(
  sql: Sql,
  partition: number,
  position: number,
): Promise<void> {
  await sql.run('delete from damaged_entry where partition_id = $1 and position = $2', [
    partition,
    position,
  ]);
}
