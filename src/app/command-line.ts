import { randomUUID } from 'node:crypto';
import { Command, CommanderError } from 'commander';
import { addAuditCommand } from '../cli/audit.ts';
import { addMailCommands } from '../cli/mail.ts';
import { addQuotaCommands } from '../cli/quota.ts';
import type { WithContext } from '../cli/with-context.ts';
import { FolderInUse } from '../storage/sqlite.ts';
import { createLogger } from './logger.ts';
import { openDatabase } from './open-database.ts';
import { quotaSettings } from './quota-settings.ts';
import { describeSettings, readSettings, type Settings } from './settings.ts';
import { startPlimsoll } from './start.ts';

/** Exit codes: 0 done, 1 failed, 2 asked for wrongly (a bad setting or argument). */
const FAILED = 1;
const ASKED_WRONGLY = 2;
const STOP_WITHIN_MS = 10_000;

/** Runs one command and returns the exit code of the process. */
export async function runCommandLine(
  args: string[],
  environment: Record<string, string | undefined>,
): Promise<number> {
  const { settings, problems } = readSettings(environment);
  const program = new Command('plimsoll')
    .description(
      'Self-hosted statistics, risk trackers, margin and provisioning for trading accounts',
    )
    .exitOverride()
    .addHelpText('after', `\n${describeSettings()}`);
  const withSettings = (run: (settings: Settings) => Promise<void>) => async () => {
    if (problems.length > 0) throw new BadSettings(problems);
    await run(settings);
  };
  program
    .command('serve')
    .description('run the server')
    .addHelpText('after', `\n${describeSettings()}`)
    .action(withSettings(serve));
  const withContext: WithContext = (work) =>
    withSettings(async (settings) => {
      const database = await openDatabase(settings);
      const logger = createLogger(settings.LOG_LEVEL);
      const world = { database, logger, now: Date.now, newId: randomUUID };
      try {
        await work({ ...world, ...quotaSettings(settings) });
      } finally {
        await database.close();
      }
    })();
  addQuotaCommands(program, withContext);
  addMailCommands(program, withContext);
  addAuditCommand(program, withContext);
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

function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : ASKED_WRONGLY;
  if (error instanceof BadSettings || error instanceof FolderInUse) {
    console.error(error.message);
    return ASKED_WRONGLY;
  }
  console.error(error instanceof Error ? error.message : String(error));
  return FAILED;
}

async function serve(settings: Settings): Promise<void> {
  const plimsoll = await startPlimsoll(settings);
  console.log(`Plimsoll listens on ${plimsoll.address}`);
  await stopSignal();
  const forced = setTimeout(() => process.exit(FAILED), STOP_WITHIN_MS);
  forced.unref();
  await plimsoll.stop();
}

const stopSignal = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
