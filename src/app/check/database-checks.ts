import { existsSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { APART_MS } from '../../claims/clock-watch.ts';
import { missingKeys } from '../../services/keys/check-keys.ts';
import type { Database } from '../../storage/database.ts';
import { readOpenMigrations } from '../../storage/drivers/migrate.ts';
import { type Fitness, unfitness } from '../../storage/drivers/postgres-fitness.ts';
import { KeyRing } from '../../storage/key-ring.ts';
import { askFitness, openForThread } from '../open-database.ts';
import type { Settings } from '../settings.ts';
import { systemTime } from '../system-time.ts';
import { bad, type Check, type Finding, good, unused, warning } from './finding.ts';

/** Of one process; during an upgrade two of them run for a while. */
const OF_A_PROCESS = 20;

type Where = Pick<Settings, 'DATABASE_URL' | 'PLIMSOLL_DATA' | 'PLIMSOLL_SECRET_KEY'>;

/** Checks of the database of the settings, without changing it. */
export function databaseChecks(settings: Where): Check[] {
  const { DATABASE_URL: url, PLIMSOLL_DATA: folder } = settings;
  let asked: Promise<Fitness> | undefined;
  const fitness = (): Promise<Fitness> => {
    asked ??= askFitness(url);
    return asked;
  };
  const first: Check = url
    ? { name: 'database', run: async () => fitDatabase(await fitness()) }
    : { name: 'data folder', run: () => folderOf(folder) };
  const isThere = async (): Promise<boolean> => {
    if (!url) return existsSync(join(folder, 'plimsoll.db'));
    return unfitness(await fitness()).length === 0;
  };
  const stored = (name: string, run: (database: Database) => Promise<Omit<Finding, 'check'>>) => ({
    name,
    run: async () => {
      if (!(await isThere())) return unused('nothing is stored yet');
      const database = openForThread(settings);
      try {
        return await run(database);
      } finally {
        await database.close();
      }
    },
  });
  const ofServer: Check[] = [
    { name: 'connections', run: async () => connectionsOf(await fitness()) },
    { name: 'clock', run: async () => compareClock('the database', await fitness()) },
  ];
  return [
    first,
    stored('schema', checkSchema),
    stored('key', (database) => checkKey(database, settings.PLIMSOLL_SECRET_KEY)),
    ...(url ? ofServer : []),
  ];
}

function fitDatabase(fitness: Fitness): Omit<Finding, 'check'> {
  const faults = unfitness(fitness);
  const { version, encoding, role } = fitness;
  if (faults.length === 0) return good(`PostgreSQL ${version}, ${encoding}, writable by ${role}`);
  const [found = '', ...toDo] = faults.join('; ').split(': ');
  return bad(found, toDo.join(': '));
}

async function folderOf(folder: string): Promise<Omit<Finding, 'check'>> {
  const path = resolve(folder);
  let there = path;
  while (!existsSync(there)) there = dirname(there);
  try {
    await access(there, constants.W_OK | constants.R_OK);
    const file = join(path, 'plimsoll.db');
    if (existsSync(file)) await access(file, constants.W_OK | constants.R_OK);
    return good(`${path} is writable`);
  } catch {
    const { username } = userInfo();
    return bad(
      `${path} is not readable and writable by ${username}`,
      `chown -R ${username} ${there}`,
    );
  }
}

async function checkSchema(database: Database): Promise<Omit<Finding, 'check'>> {
  const { missing, isNewer, isNew } = await readOpenMigrations(database);
  if (isNew) return unused('nothing is stored yet');
  if (isNewer) return bad('it is that of a newer version', 'install that version');
  if (missing.length === 0) return good('up to date');
  const toDo = 'stop all servers and run plimsoll migrate, or start the new version';
  return warning(`older: ${missing.join(', ')} will run`, toDo);
}

async function checkKey(database: Database, keys: readonly Buffer[]) {
  const { isNew, missing } = await readOpenMigrations(database);
  if (isNew || missing.length > 0) return unused('the schema is not up to date');
  const lacking = await missingKeys(database, new KeyRing(database, keys, systemTime.now));
  if (lacking !== undefined) return bad(lacking, 'set PLIMSOLL_SECRET_KEY to all of these keys');
  if (keys.length > 0) return good('all that is stored can be decrypted');
  return warning(
    'PLIMSOLL_SECRET_KEY is not set: anyone who reads the database can read the secrets of webhooks',
    'openssl rand -base64 32',
  );
}

function connectionsOf({ connections, taken }: Fitness): Omit<Finding, 'check'> {
  const left = connections - taken;
  const found = `${taken} of ${connections} are taken`;
  if (left >= OF_A_PROCESS) return good(found);
  return warning(`${found}; a process takes up to ${OF_A_PROCESS}`, 'raise max_connections');
}

/** Compares a clock with this machine's. */
export function compareClock(
  whose: string,
  { clockMs, askedMs }: Pick<Fitness, 'clockMs' | 'askedMs'>,
): Omit<Finding, 'check'> {
  const aheadMs = askedMs - clockMs;
  const seconds = Math.abs(aheadMs / 1000).toFixed(1);
  if (Math.abs(aheadMs) <= APART_MS) return good(`within ${seconds} s of that of ${whose}`);
  const word = aheadMs > 0 ? 'ahead of' : 'behind';
  return bad(`this machine is ${seconds} s ${word} ${whose}`, 'set the clocks by NTP');
}
