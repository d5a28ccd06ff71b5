import { randomUUID } from 'node:crypto';
import { Command, CommanderError } from 'commander';
import { addAuditCommand } from '../cli/audit.ts';
import { addBackupCommand } from '../cli/backup.ts';
import { addClusterCommand } from '../cli/cluster.ts';
import { addImportCommand } from '../cli/import.ts';
import { addJournalCommands } from '../cli/journal.ts';
import { addMailCommands } from '../cli/mail.ts';
import { addQuotaCommands } from '../cli/quota.ts';
import { addTokenCommands } from '../cli/token.ts';
import { addUserCommands } from '../cli/user.ts';
import { addVerifyCommand } from '../cli/verify.ts';
import type { WithContext } from '../cli/with-context.ts';
import { openApiDocument } from '../contract/openapi/document.ts';
import { WrongJournal } from '../journal/journal.ts';
import { Changes } from '../services/changes.ts';
import type { Context } from '../services/context.ts';
import { Catalogue } from '../storage/catalogue.ts';
import { SharedSessions } from '../storage/drivers/postgres-pooler.ts';
import { FolderInUse } from '../storage/drivers/sqlite.ts';
import { backUpSqlite } from '../storage/drivers/sqlite-backup.ts';
import { readPartitions } from '../storage/partition-store.ts';
import { prepareDemo } from './demo.ts';
import { LazyJournal } from './lazy-journal.ts';
import { createLogger } from './logger.ts';
import { migrateFrom } from './migrate-from.ts';
import { moveJournal } from './move-journal.ts';
import { NoDatabase, openAndMigrate, openExisting } from './open-database.ts';
import { openJournal } from './open-journal.ts';
import { quotaSettings } from './quota-settings.ts';
import { referenceSettings } from './reference-settings.ts';
import { describeSettings, readSettings, type Settings } from './settings.ts';
import { type Plimsoll, startPlimsoll } from './start.ts';
import { systemTime } from './system-time.ts';
import { VERSION } from './version.ts';

/** Exit codes: 0 done, 1 failed, 2 asked for wrongly (a bad setting or argument). */
const FAILED = 1;
const ASKED_WRONGLY = 2;
const STOP_WITHIN_MS = 10_000;

type Environment = Record<string, string | undefined>;

/** Runs one command and returns the exit code of the process. */
export async function runCommandLine(args: string[], environment: Environment): Promise<number> {
  const { settings, problems } = readSettings(environment);
  const program = new Command('plimsoll')
    .description(
      'Self-hosted statistics, risk trackers, margin and provisioning for trading accounts',
    )
    .version(VERSION)
    .exitOverride()
    .addHelpText('after', `\n${describeSettings()}`);
  const withSettings = (run: (settings: Settings) => Promise<void>) => async () => {
    if (problems.length > 0) throw new BadSettings(problems);
    await run(settings);
  };
  program
    .command('serve')
    .description('run the server')
    .option('--quiet-jobs', 'the same as PLIMSOLL_QUIET_JOBS=on: for a restored copy', false)
    .addHelpText('after', `\n${describeSettings()}`)
    .action(({ quietJobs }: { quietJobs: boolean }) =>
      withSettings((settings) =>
        serve(quietJobs ? { ...settings, PLIMSOLL_QUIET_JOBS: true } : settings),
      )(),
    );
  const withContext: WithContext = (work) =>
    withSettings(async (settings) => {
      const database = await openExisting(settings);
      const logger = createLogger(settings.LOG_LEVEL);
      try {
        const { now } = systemTime;
        const { length: partitions } = await readPartitions(database);
        const journal = new LazyJournal(
          partitions,
          async () => (await openJournal(settings, database, randomUUID(), logger)).journal,
        );
        const context: Context = {
          ...{ database, logger, now, newId: randomUUID },
          catalogue: new Catalogue(database),
          changes: new Changes(database, journal, now),
        };
        try {
          await work({ ...context, ...quotaSettings(settings) });
        } finally {
          await journal.close();
        }
      } finally {
        await database.close();
      }
    })();
  program
    .command('demo')
    .description('run the server with a demo user, sample accounts and simulated platforms')
    .addHelpText('after', `\n${describeSettings()}`)
    .action(withSettings(demo));
  program
    .command('migrate')
    .description('bring the schema of the database up to date')
    .option('--from <folder>', 'then fill it with the embedded database in a folder')
    .option('--json', 'print JSON', false)
    .action((options: { from?: string; json: boolean }) =>
      withSettings((settings) => runMigrations(settings, options))(),
    );
  program
    .command('openapi')
    .description('print the description of all operations, OpenAPI 3.1')
    .option('--json', 'it always is JSON', true)
    .action(withSettings(printOpenApi));
  addUserCommands(program, withContext);
  addTokenCommands(program, withContext);
  addImportCommand(program, withContext);
  addClusterCommand(program, withContext);
  addQuotaCommands(program, withContext);
  addJournalCommands(program, withContext)
    .command('move')
    .description('bring the journal from the database to the stream of NATS_URL')
    .option('--json', 'print JSON', false)
    .action(({ json }: { json: boolean }) =>
      withSettings((settings) => moveJournal(settings, json))(),
    );
  addMailCommands(program, withContext);
  addAuditCommand(program, withContext);
  addVerifyCommand(program);
  addBackupCommand(program, async (file) => {
    if (problems.length > 0) throw new BadSettings(problems);
    return backUp(settings, file);
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    return explain(error);
  }
}

class BadSettings extends Error {
  override readonly name = 'BadSettings';
  constructor(problems: string[]) {
    super(problems.join('\n'));
  }
}

/** What only other settings or another command can mend. */
const ASKED_WRONGLY_ERRORS = [BadSettings, FolderInUse, NoDatabase, SharedSessions, WrongJournal];

function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : ASKED_WRONGLY;
  console.error(error instanceof Error ? error.message : String(error));
  return ASKED_WRONGLY_ERRORS.some((kind) => error instanceof kind) ? ASKED_WRONGLY : FAILED;
}

async function serve(settings: Settings): Promise<void> {
  const signal = stopSignal();
  const plimsoll = await startPlimsoll(settings);
  console.log(`Plimsoll listens on ${plimsoll.address}`);
  await stopOn(signal, plimsoll);
}

async function demo(settings: Settings): Promise<void> {
  const signal = stopSignal();
  const plimsoll = await startPlimsoll(settings);
  console.log(`Plimsoll listens on ${plimsoll.address}`);
  const { token, stopFeed } = await prepareDemo(plimsoll).catch(async (error: unknown) => {
    await plimsoll.stop();
    throw error;
  });
  const address = settings.PLIMSOLL_PUBLIC_URL || plimsoll.address;
  console.log(`Dashboard: ${address}/#token=${token}`);
  console.log(`Demo token, for the auth-token header: ${token}`);
  await signal;
  stopFeed();
  await stopOn(signal, plimsoll);
}

async function runMigrations(
  settings: Settings,
  { from, json }: { from?: string; json: boolean },
): Promise<void> {
  if (from !== undefined) {
    const copied = await migrateFrom(from, settings);
    const rows = [...copied.values()].reduce((sum, count) => sum + count, 0);
    const text = `Copied ${rows} rows of ${copied.size} tables; ${from} is as it was`;
    console.log(json ? JSON.stringify({ copied: Object.fromEntries(copied) }) : text);
    return;
  }
  const { database, migrations } = await openAndMigrate(settings);
  await database.close();
  const done =
    migrations.length === 0 ? 'The schema is up to date' : `Ran ${migrations.join(', ')}`;
  console.log(json ? JSON.stringify({ migrations }) : done);
}

/** PostgreSQL has tools of its own, which also know its roles, servers and archives. */
function backUp({ DATABASE_URL, PLIMSOLL_DATA }: Settings, file: string): Promise<number> {
  if (!DATABASE_URL) return backUpSqlite(PLIMSOLL_DATA, file);
  throw new Error('The database is PostgreSQL: back it up with pg_dump, see docs/operations.md');
}

async function printOpenApi(settings: Settings): Promise<void> {
  const document = openApiDocument(referenceSettings(settings));
  console.log(JSON.stringify(document, undefined, 2));
}

async function stopOn(signal: Promise<void>, plimsoll: Plimsoll): Promise<void> {
  await signal;
  const forced = setTimeout(() => process.exit(FAILED), STOP_WITHIN_MS);
  forced.unref();
  await plimsoll.stop();
}

/** Listens from the call on: a signal that comes while the server starts stops it when it has. */
const stopSignal = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
