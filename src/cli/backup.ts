import type { Command } from 'commander';

/** Copies the database of the settings to a new file; returns its size in bytes. */
export type BackUp = (file: string) => Promise<number>;

/** Brings a copy into the place of the settings; the sentence that says what was done. */
export type Restore = (file: string | undefined) => Promise<string>;

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

/** `plimsoll restore [FILE]`. */
export function addRestoreCommand(program: Command, restore: Restore): void {
  program
    .command('restore')
    .description('bring a copy into an empty data folder, or end the restore of PostgreSQL')
    .argument('[file]', 'of plimsoll backup; none where pg_restore has filled the database')
    .option('--json', 'print JSON', false)
    .action(async (file: string | undefined, { json }: { json: boolean }) => {
      const done = await restore(file);
      console.log(json ? JSON.stringify({ restored: true }) : done);
    });
}
