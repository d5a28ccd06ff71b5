import { lockFolder } from '../storage/drivers/sqlite.ts';
import { restoreSqlite } from '../storage/drivers/sqlite-backup.ts';
import { skipEventNumbers } from '../storage/event-number-store.ts';
import { aloneOn } from './alone-on-database.ts';
import { WrongCommand } from './asked-wrongly.ts';
import { openExisting } from './open-database.ts';
import type { Settings } from './settings.ts';

const QUIETLY = 'start it with plimsoll serve --quiet-jobs, and see what waits';

/**
 * `plimsoll restore`: puts a copy of `plimsoll backup` into the data folder; on PostgreSQL, whose
 * own tools have filled the database, what they leave to do. Nobody may work there meanwhile.
 * Returns what was done, in words.
 */
export async function restore(
  settings: Pick<Settings, 'DATABASE_URL' | 'PLIMSOLL_DATA'>,
  file: string | undefined,
): Promise<string> {
  const { DATABASE_URL: url, PLIMSOLL_DATA: folder } = settings;
  if (url && file !== undefined)
    throw new WrongCommand(
      'The database is PostgreSQL: fill an empty one with pg_restore, then run this without a file',
    );
  if (url) {
    const { database } = await openExisting(settings);
    try {
      await aloneOn(database, skipEventNumbers);
    } finally {
      await database.close();
    }
    return `The numbers of events go on above those that clients have seen: ${QUIETLY}`;
  }
  if (file === undefined) throw new WrongCommand('Name the file that plimsoll backup has made');
  const lock = lockFolder(folder);
  try {
    await restoreSqlite(folder, file);
  } finally {
    lock.release();
  }
  return `${folder} has what ${file} has: ${QUIETLY}`;
}
