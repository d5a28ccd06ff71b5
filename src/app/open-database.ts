import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { awaitAlone } from '../claims/await-alone.ts';
import type { ProcessRow } from '../storage/claim-store.ts';
import type { Database } from '../storage/database.ts';
import { ofFolder } from '../storage/drivers/make-folder.ts';
import {
  type Migrated,
  migrate,
  type Prepared,
  SchemaInUse,
  whereOf,
} from '../storage/drivers/migrate.ts';
import { openPostgres } from '../storage/drivers/postgres.ts';
import { type Fitness, requireFit } from '../storage/drivers/postgres-fitness.ts';
import { codeOf } from '../storage/drivers/postgres-pool.ts';
import { checkSessions, SharedSessions } from '../storage/drivers/postgres-pooler.ts';
import { lockFolder, openSqlite } from '../storage/drivers/sqlite.ts';
import { linuxProcesses } from './linux-processes.ts';
import type { Settings } from './settings.ts';
import { systemTime } from './system-time.ts';

type Where = Pick<Settings, 'DATABASE_URL' | 'PLIMSOLL_DATA'>;

/** How to open a database whose schema this version may have to change. */
export type Opening = {
  onLost?: (error: Error) => void;
  /** This process already keeps other servers out of the folder. */
  holdsFolder?: boolean;
  /**
   * Called with the reason why the schema cannot be changed yet; without it, opening is refused:
   * see SchemaInUse.
   */
  onWaiting?: (why: string) => void;
  signal?: AbortSignal;
};

export type Opened = { database: Database } & Migrated;

/** Opens the database of the settings and brings its schema up to date. Throws SchemaInUse. */
export async function openDatabase(settings: Where, opening: Opening = {}): Promise<Opened> {
  if (settings.DATABASE_URL) requireFit(await askFitness(settings.DATABASE_URL));
  const database = settings.DATABASE_URL
    ? openPostgres(settings.DATABASE_URL, opening.onLost)
    : openSqlite(settings.PLIMSOLL_DATA);
  try {
    const prepare = (oldest: number) => prepareFor(oldest, database, settings, opening);
    return { database, ...(await migrate(database, { prepare })) };
  } catch (error) {
    await database.close();
    throw settings.DATABASE_URL ? error : ofFolder(settings.PLIMSOLL_DATA, error);
  }
}

/** Ensures that no process at work is too old for the coming schema. */
async function prepareFor(
  oldest: number,
  database: Database,
  { DATABASE_URL, PLIMSOLL_DATA }: Where,
  { holdsFolder = false, onWaiting, signal }: Opening,
): Promise<Prepared> {
  const folder = DATABASE_URL || holdsFolder ? undefined : lockFolder(PLIMSOLL_DATA);
  try {
    const waiting = {
      ...{ database, time: systemTime, localProcesses: linuxProcesses() },
      ...(signal ? { signal } : {}),
      waitFor: (processes: readonly ProcessRow[]): void => {
        const inUse = new SchemaInUse(whereOf(processes));
        if (!onWaiting) throw inUse;
        onWaiting(inUse.message);
      },
    };
    const isSilent = await awaitAlone(waiting, ({ schemaVersion }) => schemaVersion < oldest);
    return { isSilent, release: () => folder?.release() };
  } catch (error) {
    folder?.release();
    throw error;
  }
}

/** The settings point to no database of a server. */
export class NoDatabase extends Error {
  override readonly name = 'NoDatabase';
}

/** Opens the existing database of a server. Throws NoDatabase. */
export async function openExisting(settings: Where): Promise<Opened> {
  await requireThere(settings);
  return openDatabase(settings);
}

/** Throws NoDatabase if no server has ever used it. */
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

/** A failure of the first question to a database names the setting that points to it. */
async function reach<T>(ask: Promise<T>): Promise<T> {
  try {
    return await ask;
  } catch (error) {
    if (error instanceof SharedSessions || !(error instanceof Error)) throw error;
    const words = WORDS[codeOf(error)] ?? WORDS[codeOf(error.cause)] ?? error.message;
    throw new Error(`DATABASE_URL leads to no database that can be used: ${words}`, {
      cause: error,
    });
  }
}

/** Instead of messages that repeat a part of the URL, which may be part of a password. */
const NO_HOST =
  'there is no such host; in its password, write @ as %40, : as %3A, / as %2F, # as %23, ? as %3F';
const WORDS: Record<string, string> = {
  ENOTFOUND: NO_HOST,
  EAI_AGAIN: NO_HOST,
  '28P01': 'its user or its password is refused',
  '28000': 'its user may not log in from here: see pg_hba.conf',
  '3D000': 'its database is not there: make it, with createdb -O USER NAME',
};

/**
 * Properties of the database of DATABASE_URL. Throws SharedSessions, or a readable error if it is
 * unreachable.
 */
export const askFitness = (url: string): Promise<Fitness> =>
  reach(checkSessions(url, systemTime.now));

/** Connections of the live side, which requests cannot use up; SQLite has one writer anyway. */
const ENGINE_CONNECTIONS = 6;

/** Opens the database a second time for the live side, or shares it if that makes no difference. */
export const openForEngine = (
  { DATABASE_URL }: Where,
  database: Database,
  onLost: (error: Error) => void,
  traced: (opened: Database) => Database,
): Database =>
  DATABASE_URL ? traced(openPostgres(DATABASE_URL, onLost, ENGINE_CONNECTIONS)) : database;

/** Opens it for one read-only thread of this process. */
export const openForThread = ({ DATABASE_URL, PLIMSOLL_DATA }: Where): Database =>
  DATABASE_URL ? openPostgres(DATABASE_URL, () => {}, 1) : openSqlite(PLIMSOLL_DATA);
