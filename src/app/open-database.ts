import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../storage/database.ts';
import { migrate } from '../storage/drivers/migrate.ts';
import { openPostgres } from '../storage/drivers/postgres.ts';
import { checkSessions, SharedSessions } from '../storage/drivers/postgres-pooler.ts';
import { openSqlite } from '../storage/drivers/sqlite.ts';
import type { Settings } from './settings.ts';

type Where = Pick<Settings, 'DATABASE_URL' | 'PLIMSOLL_DATA'>;

/** Opens the database of the settings and brings its schema up to date. */
export async function openDatabase(
  settings: Where,
  onLost?: (error: Error) => void,
): Promise<Database> {
  return (await openAndMigrate(settings, onLost)).database;
}

/** The settings lead to no database of a server. */
export class NoDatabase extends Error {
  override readonly name = 'NoDatabase';
}

/** Opens the database of a server that was there before. Throws NoDatabase. */
export async function openExisting(settings: Where): Promise<Database> {
  await requireThere(settings);
  return openDatabase(settings);
}

/** Throws NoDatabase where no server has been. */
export async function requireThere(settings: Where): Promise<void> {
  if (!(await isThere(settings))) {
    const place = settings.DATABASE_URL ? 'the database of DATABASE_URL' : settings.PLIMSOLL_DATA;
    throw new NoDatabase(
      `There is no Plimsoll data in ${place}: give this command the DATABASE_URL or ` +
        'PLIMSOLL_DATA of your server, or start the server first',
    );
  }
}

async function isThere({ DATABASE_URL, PLIMSOLL_DATA }: Where): Promise<boolean> {
  if (!DATABASE_URL) return existsSync(join(PLIMSOLL_DATA, 'plimsoll.db'));
  const database = openPostgres(DATABASE_URL, () => {}, 1);
  try {
    const sql = "select to_regclass('schema_migration')::text as name";
    return (await reach(database.get(sql)))?.name !== null;
  } finally {
    await database.close();
  }
}

/** A failure of the first question to a database names the setting that leads there. */
async function reach<T>(ask: Promise<T>): Promise<T> {
  try {
    return await ask;
  } catch (error) {
    if (error instanceof SharedSessions || !(error instanceof Error)) throw error;
    throw new Error(`DATABASE_URL leads to no database that can be used: ${error.message}`, {
      cause: error,
    });
  }
}

/** The same, telling which migrations ran. */
export async function openAndMigrate(
  settings: Where,
  onLost?: (error: Error) => void,
): Promise<{ database: Database; migrations: string[] }> {
  if (settings.DATABASE_URL) await reach(checkSessions(settings.DATABASE_URL));
  const database = settings.DATABASE_URL
    ? openPostgres(settings.DATABASE_URL, onLost)
    : openSqlite(settings.PLIMSOLL_DATA);
  try {
    return { database, migrations: await migrate(database) };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * Connections of the live side, which requests can then not use up; SQLite has one writer anyway.
 */
const ENGINE_CONNECTIONS = 6;

/** Opens the same database once more for the live side, or shares it where that is the same. */
export const openForEngine = (
  { DATABASE_URL }: Where,
  database: Database,
  onLost: (error: Error) => void,
  traced: (opened: Database) => Database,
): Database =>
  DATABASE_URL ? traced(openPostgres(DATABASE_URL, onLost, ENGINE_CONNECTIONS)) : database;

/** Opens it for one thread of this process that only reads. */
export const openForThread = ({ DATABASE_URL, PLIMSOLL_DATA }: Where): Database =>
  DATABASE_URL ? openPostgres(DATABASE_URL, () => {}, 1) : openSqlite(PLIMSOLL_DATA);
