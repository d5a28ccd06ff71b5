import type { Database } from '../storage/database.ts';
import { migrate } from '../storage/migrate.ts';
import { openPostgres } from '../storage/postgres.ts';
import { openSqlite } from '../storage/sqlite.ts';
import type { Settings } from './settings.ts';

/** Opens the database of the settings and brings its schema up to date. */
export async function openDatabase(
  settings: Pick<Settings, 'DATABASE_URL' | 'PLIMSOLL_DATA'>,
  onLost?: (error: Error) => void,
): Promise<Database> {
  const database = settings.DATABASE_URL
    ? openPostgres(settings.DATABASE_URL, onLost)
    : openSqlite(settings.PLIMSOLL_DATA);
  try {
    await migrate(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
