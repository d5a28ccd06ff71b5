import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Database, Sql, Transaction } from '../storage/database.ts';
import { copyToPostgres } from '../storage/drivers/copy-database.ts';
import { findUsedTable } from '../storage/drivers/migrate.ts';
import { lockFolder } from '../storage/drivers/sqlite.ts';
import { aloneOn } from './alone-on-database.ts';
import { WrongCommand } from './asked-wrongly.ts';
import { openDatabase } from './open-database.ts';
import type { Settings } from './settings.ts';

/** How long one step of the copy may take. */
const STEP_MS = 60_000;

/**
 * `plimsoll migrate --from FOLDER`: copies all data of the embedded database in a folder to the
 * empty PostgreSQL database of the settings, in one transaction: all of it, or nothing. The folder
 * stays unchanged. Reports the number of rows of each table. Throws if a server runs on the folder,
 * its journal is not folded completely, or the target is in use or not empty.
 */
export async function migrateFrom(
  folder: string,
  settings: Pick<Settings, 'DATABASE_URL'>,
): Promise<Map<string, number>> {
  if (settings.DATABASE_URL === '')
    throw new WrongCommand('Set DATABASE_URL to the database to fill');
  if (!existsSync(join(folder, 'plimsoll.db'))) {
    throw new WrongCommand(
      `There is no database in ${folder}: pass the folder that PLIMSOLL_DATA pointed to`,
    );
  }
  const lock = lockFolder(folder);
  try {
    const from = { DATABASE_URL: '', PLIMSOLL_DATA: folder };
    const { database: source } = await openDatabase(from, { holdsFolder: true });
    try {
      const { database: target } = await openDatabase({ ...settings, PLIMSOLL_DATA: folder });
      try {
        return await copy(source, target);
      } finally {
        await target.close();
      }
    } finally {
      await source.close();
    }
  } finally {
    lock.release();
  }
}

/**
 * Within a transaction of the source, so that no command changes it, and under the lock for joining
 * the target.
 */
async function copy(source: Database, target: Database): Promise<Map<string, number>> {
  return source.transaction(async (from) => {
    await checkFolded(from);
    const inTarget = async (into: Transaction): Promise<Map<string, number>> => {
      await into.script(`set local idle_in_transaction_session_timeout = ${STEP_MS}`);
      const used = await findUsedTable(into);
      if (used) throw new Error(`The database of DATABASE_URL is not empty: see its table ${used}`);
      return copyToPostgres(from, into);
    };
    return aloneOn(target, inTarget, { statementMs: STEP_MS });
  });
}

async function checkFolded(source: Sql): Promise<void> {
  const row = await source.get<{ open: number; aside: number }>(
    `select
       (select count(*) from journal_entry where position is null or position >
         (select min(position) from journal_partition)) as open,
       (select count(*) from damaged_entry)
         + (select count(*) from live_account where park is not null) as aside`,
  );
  if (row && row.open > 0) {
    throw new Error(
      'Its journal has entries that are not folded yet: start the server on it once more, stop it with ' +
        'SIGTERM, and run this again',
    );
  }
  if (row && row.aside > 0) {
    throw new Error(
      'Entries of its journal are set aside: resolve them first, with "plimsoll journal list", ' +
        '"retry" and "skip"',
    );
  }
}
