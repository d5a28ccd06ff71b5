import { Command, CommanderError } from 'commander';
import type { WithContext } from '../cli/with-context.ts';
import { describeSettings, readSettings, type Settings } from './settings.ts';
import { VERSION } from './version.ts';

/** Exit codes: 0 done, 1 failed, 2 wrong use (a bad setting or argument). */
const FAILED = 1;
const ASKED_WRONGLY = 2;

type Environment = Record<string, string | undefined>;

/** How commands get the settings, which must be valid by then, and everything else. */
type Runs = {
  withSettings(run: (settings: Settings) => Promise<unknown>): Promise<void>;
  withContext: WithContext;
};

/**
 * By name, in the order of the help. A command's code is loaded when it runs: a server loads some
 * hundred files, other commands some dozen, and `--version` none.
 */
const COMMANDS: Record<string, (program: Command, runs: Runs) => unknown> = {
  serve: addServe,
  demo: addDemo,
  migrate: addMigrate,
  openapi: addOpenApi,
  user: async (program, { withContext }) =>
    (await import('../cli/user.ts')).addUserCommands(program, withContext),
  token: async (program, { withContext }) =>
    (await import('../cli/token.ts')).addTokenCommands(program, withContext),
  person: async (program, { withContext }) =>
    (await import('../cli/person.ts')).addPersonCommands(program, withContext),
  import: async (program, { withContext }) =>
    (await import('../cli/import.ts')).addImportCommand(program, withContext),
  adopt: async (program, { withContext }) =>
    (await import('../cli/adopt/adopt.ts')).addAdoptCommand(program, withContext),
  cluster: async (program, { withContext }) =>
    (await import('../cli/cluster.ts')).addClusterCommand(program, withContext),
  key: async (program, { withContext }) =>
    (await import('../cli/key.ts')).addKeyCommands(program, withContext),
  quota: async (program, { withContext }) =>
    (await import('../cli/quota.ts')).addQuotaCommands(program, withContext),
  journal: addJournal,
  mail: async (program, { withContext }) =>
    (await import('../cli/mail.ts')).addMailCommands(program, withContext),
  audit: async (program, { withContext }) =>
    (await import('../cli/audit.ts')).addAuditCommand(program, withContext),
  stamp: addStamp,
  verify: async (program) => (await import('../cli/verify.ts')).addVerifyCommand(program),
  check: async (program, { withSettings }) =>
    (await import('./check/check.ts')).addCheckCommand(program, withSettings),
  'check-bridge': async (program) => (await import('./check-platform.ts')).addCheckBridge(program),
  'check-platform': async (program, { withSettings }) =>
    (await import('./check-platform.ts')).addCheckPlatform(program, withSettings),
  backup: addBackup,
  restore: addRestore,
};

/** Which of them to add: the one being run; all, if the help lists them or none fits. */
function commandsFor([first = '']: string[]): string[] {
  if (first === '--version' || first === '-V') return [];
  return Object.hasOwn(COMMANDS, first) ? [first] : Object.keys(COMMANDS);
}

/** Runs one command and returns the exit code of the process. */
export async function runCommandLine(args: string[], environment: Environment): Promise<number> {
  const { settings, problems } = readSettings(environment);
  const program = new Command('plimsoll')
    .description(
      'Self-hosted statistics, risk trackers, margin and provisioning for trading accounts',
    )
    .version(VERSION)
    .exitOverride()
    .addHelpText('after', settingsHelp);
  const withSettings: Runs['withSettings'] = async (run) => {
    if (problems.length > 0) throw new BadSettings(problems);
    await run(settings);
  };
  const withContext: WithContext = (work) =>
    withSettings(async () => {
      const { withCommandContext } = await import('./command-context.ts');
      await withCommandContext(settings, work);
    });
  try {
    for (const name of commandsFor(args)) {
      await COMMANDS[name]?.(program, { withSettings, withContext });
    }
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    return await explain(error);
  }
}

const settingsHelp = (): string => `\n${describeSettings()}`;

function addServe(program: Command, { withSettings }: Runs): void {
  program
    .command('serve')
    .description('run the server')
    .option('--quiet-jobs', 'the same as PLIMSOLL_QUIET_JOBS=on: for a restored copy', false)
    .option('--allow-missing-keys', 'the same as PLIMSOLL_ALLOW_MISSING_KEYS=on', false)
    .addHelpText('after', settingsHelp)
    .action((flags: { quietJobs: boolean; allowMissingKeys: boolean }) =>
      withSettings(async (settings) => {
        const { serve } = await import('./serve.ts');
        await serve({
          ...settings,
          PLIMSOLL_QUIET_JOBS: flags.quietJobs || settings.PLIMSOLL_QUIET_JOBS,
          PLIMSOLL_ALLOW_MISSING_KEYS:
            flags.allowMissingKeys || settings.PLIMSOLL_ALLOW_MISSING_KEYS,
        });
      }),
    );
}

async function addStamp(program: Command, { withContext, withSettings }: Runs): Promise<void> {
  const { addStampCommand } = await import('../cli/stamp.ts');
  addStampCommand(program, withContext, (run) =>
    withSettings(async ({ PLIMSOLL_TSA_URL: url }) => {
      const { askForStamp } = await import('../network/time-stamp-authority.ts');
      await run(url === '' ? undefined : (...of) => askForStamp(url, ...of));
    }),
  );
}

function addDemo(program: Command, { withSettings }: Runs): void {
  program
    .command('demo')
    .description('run the server with a demo user, sample accounts and simulated platforms')
    .addHelpText('after', settingsHelp)
    .action(() => withSettings(async (settings) => (await import('./serve.ts')).demo(settings)));
}

function addMigrate(program: Command, { withSettings }: Runs): void {
  program
    .command('migrate')
    .description('bring the schema of the database up to date')
    .option('--create', 'in a new data folder, too', false)
    .option('--from <folder>', 'then copy the embedded database of a folder into it')
    .option('--json', 'print JSON', false)
    .action((options: { from?: string; json: boolean; create: boolean }) =>
      withSettings((settings) => runMigrations(settings, options)),
    );
}

function addOpenApi(program: Command, { withSettings }: Runs): void {
  program
    .command('openapi')
    .description('print the OpenAPI 3.1 description of all operations')
    .option('--json', 'the output is always JSON', true)
    .action(() => withSettings(printOpenApi));
}

async function addJournal(program: Command, runs: Runs): Promise<void> {
  const { addJournalCommands } = await import('../cli/journal.ts');
  addJournalCommands(program, runs.withContext)
    .command('move')
    .description('move the journal from the database to the stream of NATS_URL')
    .option('--json', 'print JSON', false)
    .action(({ json }: { json: boolean }) =>
      runs.withSettings(async (settings) =>
        (await import('./move-journal.ts')).moveJournal(settings, json),
      ),
    );
}

async function addBackup(program: Command, { withSettings }: Runs): Promise<void> {
  const { addBackupCommand } = await import('../cli/backup.ts');
  addBackupCommand(program, async (file) => {
    let bytes = 0;
    await withSettings(async (settings) => {
      bytes = await backUp(settings, file);
    });
    return bytes;
  });
}

async function addRestore(program: Command, { withSettings }: Runs): Promise<void> {
  const { addRestoreCommand } = await import('../cli/backup.ts');
  addRestoreCommand(program, async (file) => {
    const { restore } = await import('./restore.ts');
    let done = '';
    await withSettings(async (settings) => {
      done = await restore(settings, file);
    });
    return done;
  });
}

class BadSettings extends Error {
  override readonly name = 'BadSettings';
  constructor(problems: string[]) {
    super(problems.join('\n'));
  }
}

async function explain(error: unknown): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : ASKED_WRONGLY;
  console.error(error instanceof Error ? error.message : String(error));
  for (const fault of detailsOf(error)) console.error(`  ${fault}`);
  if (error instanceof BadSettings) return ASKED_WRONGLY;
  const { isAskedWrongly } = await import('./asked-wrongly.ts');
  return isAskedWrongly(error) ? ASKED_WRONGLY : FAILED;
}

/** Every fault of the input, like the answer to a request. */
function detailsOf(error: unknown): string[] {
  const details: unknown = error instanceof Error && 'details' in error ? error.details : undefined;
  if (!Array.isArray(details)) return [];
  return details.flatMap((detail: { parameter?: unknown; message?: unknown }) =>
    detail.parameter === undefined ? [] : [`${detail.parameter}: ${detail.message}`],
  );
}

async function runMigrations(
  settings: Settings,
  { from, json, create }: { from?: string; json: boolean; create: boolean },
): Promise<void> {
  if (from !== undefined) {
    const { migrateFrom } = await import('./migrate-from.ts');
    const copied = await migrateFrom(from, settings);
    const rows = [...copied.values()].reduce((sum, count) => sum + count, 0);
    const text = `Copied ${rows} rows of ${copied.size} tables; ${from} is unchanged`;
    console.log(json ? JSON.stringify({ copied: Object.fromEntries(copied) }) : text);
    return;
  }
  const { openDatabase, requireThere } = await import('./open-database.ts');
  if (!create && !settings.DATABASE_URL) await requireThere(settings);
  const { database, ran: migrations } = await openDatabase(settings);
  await database.close();
  const done =
    migrations.length === 0 ? 'The schema is up to date' : `Ran ${migrations.join(', ')}`;
  console.log(json ? JSON.stringify({ migrations }) : done);
}

/** PostgreSQL has its own tools, which also cover its roles, servers and archives. */
async function backUp(settings: Settings, file: string): Promise<number> {
  if (!settings.DATABASE_URL) {
    const { requireThere } = await import('./open-database.ts');
    await requireThere(settings);
    const { backUpSqlite } = await import('../storage/drivers/sqlite-backup.ts');
    return backUpSqlite(settings.PLIMSOLL_DATA, file);
  }
  const { WrongCommand } = await import('./asked-wrongly.ts');
  throw new WrongCommand(
    'The database is PostgreSQL: back it up with pg_dump, see docs/operations.md',
  );
}

async function printOpenApi(settings: Settings): Promise<void> {
  const [{ openApiDocument }, { referenceSettings }] = await Promise.all([
    import('../contract/openapi/document.ts'),
    import('./reference-settings.ts'),
  ]);
  const document = openApiDocument(referenceSettings(settings));
  console.log(JSON.stringify(document, undefined, 2));
}
