import { existsSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A process that makes the database, or is the last to close it, has it alone for a moment. */
const BUSY_MS = 15_000;
/** More events than any original has after its backup; clients may hold numbers in 32 bits. */
const NUMBERS_AHEAD = 10_000_000;

/**
 * Copies the database of a folder to a new file, as of one moment, while others write: it reads in
 * one go, which the log allows beside them. The file appears under its name when all of it is on
 * disk. Returns its size in bytes. It blocks the thread.
 *
 * The copy numbers its next events above all that the original gives out until the copy is used:
 * clients that have seen those would take new events of the same numbers for known ones.
 */
export async function backUpSqlite(folder: string, file: string): Promise<number> {
  const source = join(folder, 'plimsoll.db');
  if (!existsSync(source)) throw new Error(`There is no database in ${folder}`);
  if (existsSync(file)) throw new Error(`${file} exists: name a new file`);
  const unfinished = `${file}.unfinished`;
  await rm(unfinished, { force: true });
  try {
    using database = new DatabaseSync(source, { readOnly: true, timeout: BUSY_MS });
    database.prepare('vacuum into ?').run(unfinished);
    skipNumbers(unfinished);
    await synchronise(unfinished);
    await rename(unfinished, file);
    await synchronise(dirname(file));
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  return (await stat(file)).size;
}

function skipNumbers(file: string): void {
  using copy = new DatabaseSync(file);
  copy.prepare('update event_head set last_number = last_number + ?').run(NUMBERS_AHEAD);
}

async function synchronise(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync();
  await handle.close();
}
