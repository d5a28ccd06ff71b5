import { readdir, readFile } from 'node:fs/promises';
import type { Database } from './database.ts';

const FOLDER = new URL('./migrations/', import.meta.url);
/** A name may end in the only kind of database that the migration is for. */
const FILE = /^(\d{4})-[a-z0-9-]+(?:\.(sqlite|postgres))?\.sql$/;

type Migration = { version: number; name: string; kind: string | undefined };

/**
 * Brings the schema up to date and tells which migrations ran. All run in one transaction under one
 * lock, so processes that start together wait for the first, and a failure leaves the old schema.
 * Throws when the database was already migrated by a newer Plimsoll.
 */
export async function migrate(database: Database): Promise<string[]> {
  const migrations = await listMigrations();
  return database.transaction(async (tx) => {
    await tx.lock('plimsoll:migrate');
    await tx.script(
      'create table if not exists schema_migration (version bigint primary key, name text not null)',
    );
    const rows = await tx.all<{ version: number }>('select version from schema_migration');
    const done = new Set(rows.map((row) => row.version));
    const newest = migrations.at(-1)?.version ?? 0;
    if (rows.some((row) => row.version > newest)) {
      throw new Error('The database belongs to a newer version of Plimsoll');
    }
    const open = migrations.filter(
      ({ version, kind }) => !done.has(version) && (kind ?? tx.kind) === tx.kind,
    );
    for (const { version, name } of open) {
      await tx.script(await readFile(new URL(name, FOLDER), 'utf8'));
      await tx.run('insert into schema_migration (version, name) values ($1, $2)', [version, name]);
    }
    return open.map((migration) => migration.name);
  });
}

async function listMigrations(): Promise<Migration[]> {
  const found = (await readdir(FOLDER)).sort().map((name) => FILE.exec(name));
  return found.flatMap((match) =>
    match ? [{ version: Number(match[1]), name: match[0], kind: match[2] }] : [],
  );
}
