import type { Command } from 'commander';

/** Copies the database of the settings to a new file; how many bytes that has. */
export type BackUp = (file: string) => Promise<number>;

/** `plimsoll backup FILE`. */
export function addBackupCommand(program: Command, backUp: BackUp): void {
  program
    .command('backup')
    .description('copy the SQLite database to a new file, while the server runs')
    .argument('<file>', 'does not exist yet')
    .option('--json', 'print JSON', false)
    .action(async (file: string, { json }: { json: boolean }) => {
      const bytes = await backUp(file);
      const size = `${(bytes / 2 ** 20).toFixed(1)} MB`;
      console.log(json ? JSON.stringify({ file, bytes }) : `${file} is complete: ${size}`);
    });
}
