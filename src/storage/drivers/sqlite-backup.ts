import { existsSync } from 'node:fs';
import { chmod, copyFile, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { NUMBERS_AHEAD } from '../event-number-store.ts';

/** A process that makes the database, or is the last to close it, locks it briefly. */
const BUSY_MS = 15_000;

/**
 * Copies the database of a folder to a new file, as of one moment, while others write: it reads in
 * one transaction, which the log allows. The file appears under its name when all of it is on disk.
 * Returns its size in bytes. It blocks the thread.
 *
 * The copy numbers its next events above all numbers that the original gives out until the copy is
 * used: clients that saw those would take new events of equal numbers for known ones.
 */
export async function backUpSqlite(folder: string, file: string): Promise<number> {
  const source = join(folder, 'plimsoll.db');
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

/**
 * Puts such a copy into a folder without a database, all of it or nothing. Whoever calls it has
 * locked the folder. Throws where the file is no whole database of Plimsoll.
 */
export async function restoreSqlite(folder: string, file: string): Promise<void> {
  const target = join(folder, 'plimsoll.db');
  for (const name of [target, `${target}-wal`]) {
    if (existsSync(name)) throw new Error(`${name} exists: restore into an empty data folder`);
  }
  if (!existsSync(file)) throw new Error(`There is no file ${file}`);
  const unfinished = `${target}.unfinished`;
  try {
    await copyFile(file, unfinished);
    await chmod(unfinished, 0o600);
    requireWhole(unfinished, file);
    await synchronise(unfinished);
    await rename(unfinished, target);
    await synchronise(folder);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

function requireWhole(copy: string, file: string): void {
  try {
    using database = new DatabaseSync(copy, { readOnly: true });
    const [fault] = database.prepare('pragma quick_check(1)').all();
    database.prepare('select last_number from event_head').get();
    if (fault?.quick_check === 'ok') return;
  } catch (cause) {
    throw new Error(`${file} is no backup of Plimsoll: name another`, { cause });
  }
  throw new Error(`${file} is damaged: name another backup`);
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
