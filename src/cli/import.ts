import { readFile, stat } from 'node:fs/promises';
import type { SingleBar } from 'cli-progress';
import type { Command } from 'commander';
import { type ImportRecord, importFile } from '../services/imports/import-file.ts';
import { commandActor, type WithContext } from './with-context.ts';

const MAX_FILE_BYTES = 50 * 1024 * 1024;

type Options = { account: string; login?: string; force: boolean; json: boolean };

/** `plimsoll import FILE --account ID`. */
export function addImportCommand(program: Command, withContext: WithContext): void {
  program
    .command('import')
    .description('import a report file of a trading terminal into an account')
    .argument(
      '<file>',
      'statement, history or tester report (htm, html, xlsx), csv or json of deals',
    )
    .requiredOption('--account <id>', 'id of the account')
    .option('--login <login>', 'of a table with rows of several accounts, those of this one')
    .option('--force', 'import the report even if it states another login', false)
    .option('--json', 'print JSON', false)
    .action((file: string, { account, login, force, json }: Options) =>
      withContext(async (context) => {
        const { size } = await stat(file).catch(unreadable(file));
        if (size > MAX_FILE_BYTES) throw new Error(`${file} is larger than 50 MB`);
        const bar = process.stderr.isTTY ? await startBar() : undefined;
        try {
          const bytes = await readFile(file).catch(unreadable(file));
          const result = await importFile(context, commandActor(), account, bytes, {
            ...{ force, login, adopt: true },
            onProgress: (share) => bar?.update(Math.round(share * 100)),
          });
          bar?.update(100);
          bar?.stop();
          console.log(json ? JSON.stringify(result, undefined, 2) : describe(file, result));
        } finally {
          bar?.stop();
        }
      }),
    );
}

const WHY: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
};

const unreadable =
  (file: string) =>
  (error: NodeJS.ErrnoException): never => {
    const why = WHY[error.code ?? ''] ?? error.message;
    throw new Error(`${file} cannot be read: ${why}`, { cause: error });
  };

async function startBar(): Promise<SingleBar> {
  const { SingleBar } = await import('cli-progress');
  const bar = new SingleBar({ format: 'importing {bar} {percentage} %', stream: process.stderr });
  bar.start(100, 0);
  return bar;
}

function describe(file: string, result: ImportRecord): string {
  const { kind, deals, added, trades, netProfit, balance, currency, firstTime, lastTime } = result;
  return [
    `${file}: ${kind}, ${deals} deals (${added} new), ${trades} closed positions`,
    ...(firstTime ? [`${firstTime} to ${lastTime} broker time`] : []),
    `net profit ${netProfit} ${currency}, balance ${balance} ${currency}`,
    ...result.warnings.map((warning) => `warning: ${warning}`),
  ].join('\n');
}
