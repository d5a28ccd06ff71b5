import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from '../../src/storage/database.ts';
import type { Stored } from '../servers/plimsoll.ts';

/** What grows with time, and is not held by something else that does. */
export const GROWING = [
  'equity_bucket',
  'chart_day',
  'period_statistics',
  'tracker_event',
  'event_seal',
  'audit_entry',
  'ingest_receipt',
  'journal_entry',
] as const;

/** All that the database has on disk, in bytes. */
export async function bytesOf({ database, environment }: Stored): Promise<number> {
  const { PLIMSOLL_DATA: folder } = environment;
  if (folder === undefined) {
    const sql = 'select pg_database_size(current_database()) as bytes';
    return Number((await database.get<{ bytes: number }>(sql))?.bytes);
  }
  const files = ['plimsoll.db', 'plimsoll.db-wal'].map((name) => join(folder, name));
  return files.reduce(
    (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

export async function rowsOf({ database }: Stored, table: string): Promise<number> {
  const row = await database.get<{ rows: number }>(`select count(*) as rows from ${table}`);
  return Number(row?.rows);
}

/** Bytes of a table's rows with their indexes. */
export async function bytesOfTable({ database }: Stored, table: string): Promise<number> {
  const sql =
    database.kind === 'sqlite'
      ? `select sum(pgsize - unused) as bytes from dbstat
         where name in (select name from sqlite_schema where tbl_name = '${table}')`
      : `select pg_total_relation_size('${table}') as bytes`;
  return Number((await database.get<Row & { bytes: number }>(sql))?.bytes);
}

/** What PostgreSQL does by itself within minutes, of which a year in fast motion has few. */
export async function tidy({ database }: Stored): Promise<void> {
  if (database.kind === 'postgres')
    for (const table of GROWING) await database.run(`vacuum (analyze) ${table}`);
}
