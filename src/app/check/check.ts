import type { Command } from 'commander';
import { printRecords } from '../../cli/print.ts';
import type { Logger } from '../../services/context.ts';
import type { Settings } from '../settings.ts';
import { databaseChecks } from './database-checks.ts';
import { type Finding, runChecks } from './finding.ts';
import { surroundingsChecks } from './surroundings-checks.ts';

type WithSettings = (run: (settings: Settings) => Promise<unknown>) => Promise<void>;

/** `plimsoll check`: changes nothing; whether or not the server runs. */
export function addCheckCommand(program: Command, withSettings: WithSettings): void {
  program
    .command('check')
    .description('check database, keys, clocks, disk, mail server, journal and public address')
    .option('--json', 'print JSON', false)
    .action(({ json }: { json: boolean }) =>
      withSettings(async (settings) => {
        const checks = [...databaseChecks(settings), ...surroundingsChecks(settings)];
        const findings = await runChecks(checks);
        const columns = {
          CHECK: ({ check }: Finding) => check,
          STATE: ({ state }: Finding) => state,
          FOUND: ({ found }: Finding) => found,
          'WHAT TO DO': ({ toDo }: Finding) => toDo,
        };
        printRecords(findings, columns, json);
        const count = findings.filter(({ state }) => state === 'bad').length;
        if (count > 0) throw new Error(`${count} of ${findings.length} checks failed`);
      }),
    );
}

/** The other checks of the database were made before the server could start. */
const OF_A_SERVER = new Set(['connections', 'clock']);

/** For a server that has just started: a line for each bad finding. */
export async function checkAfterStart(settings: Settings, logger: Logger): Promise<void> {
  const checks = databaseChecks(settings).filter(({ name }) => OF_A_SERVER.has(name));
  const findings = await runChecks([...checks, ...surroundingsChecks(settings)]);
  for (const { check, state, found, toDo } of findings) {
    if (state === 'bad') logger.error({ check, toDo }, `check of the ${check}: ${found}`);
    if (state === 'warning') logger.warn({ check, toDo }, `check of the ${check}: ${found}`);
  }
  const failed = findings.filter(({ state }) => state === 'bad' || state === 'warning').length;
  logger.info({ checks: findings.length, failed }, 'checked the surroundings');
}
