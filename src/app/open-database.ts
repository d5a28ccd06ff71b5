import type { Database } from '../storage/database.ts';
import { migrate } from '../storage/migrate.ts';
import { openPostgres } from '../storage/postgres.ts';
import { openSqlite } from '../storage/sqlite.ts';
import type { Settings } from './settings.ts';

type Where = Pick<Settings, 'DATABASE_URL' | 'PLIMSOLL_DATA'>;

/** Opens the database of the settings and brings its schema up to date. */
export async function openDatabase(
  settings: Where,
  onLost?: (error: Error) => void,
): Promise<Database> {
  return (await openAndMigrate(settings, onLost)).database;
}

/** The same, telling which migrations ran. */
export async function openAndMigrate(
  settings: Where,
  onLost?: (error: Error) => void,
): Promise<{ database: Database; migrations: string[] }> {
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
