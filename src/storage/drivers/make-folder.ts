import { closeSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, resolve } from 'node:path';

/** The data folder cannot be created or used. */
export class NoFolder extends Error {
  override readonly name = 'NoFolder';
  constructor(folder: string, cause: Error) {
    const words = `${cause.message}. ${remedyOf(cause.message)}`;
    super(`The data folder ${resolve(folder)} cannot be used by the user ${user()}: ${words}`, {
      cause,
    });
  }
}

const REMEDIES: readonly [RegExp, string][] = [
  [/not a database/, 'Its plimsoll.db is something else: move it away, or restore a backup'],
  [/malformed/, 'Its plimsoll.db is damaged: restore a backup'],
  [/EROFS|read-only file system/i, 'The file system can only be read: mount it for writing'],
  [
    /unable to open|readonly|read-only|EACCES|EPERM|denied/i,
    'Give it and its files to that user (chown -R), or set PLIMSOLL_DATA to another folder',
  ],
];

const remedyOf = (message: string): string =>
  REMEDIES.find(([words]) => words.test(message))?.[1] ?? 'Set PLIMSOLL_DATA to another folder';

function user(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}

/** Works on files of the folder. Throws NoFolder if the folder or a file is at fault. */
export function inFolder<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw ofFolder(folder, error);
  }
}

/** NoFolder if the folder or a file in it is the cause of an error; else the error itself. */
export const ofFolder = (folder: string, error: unknown): unknown =>
  error instanceof Error && isAtFault(error) ? new NoFolder(folder, error) : error;

/** SQLite's CANTOPEN, READONLY, NOTADB, CORRUPT, PERM and AUTH; the machine's own. */
const FAULTS = new Set([14, 8, 26, 11, 3, 23]);

function isAtFault(error: Error): boolean {
  const cause = error.cause instanceof Error ? error.cause : error;
  if ('errcode' in cause) return FAULTS.has(Number(cause.errcode) & 0xff);
  return 'code' in cause && ['EACCES', 'EROFS', 'EPERM'].includes(String(cause.code));
}

/**
 * Makes a folder that only its owner may enter, and missing ones above it. A power cut must not
 * lose it with everything acknowledged in it, so the parent of a new folder is synchronised, too.
 * Throws NoFolder.
 */
export function makeFolder(folder: string, synchronise = synchroniseFolder): void {
  try {
    makeFolders(resolve(folder), synchronise);
  } catch (error) {
    throw new NoFolder(folder, error as Error);
  }
}

/** Node's own way never ends if an existing folder accepts no new ones, such as /proc. */
function makeFolders(folder: string, synchronise: (folder: string) => void): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolders(parent, synchronise);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have just made it, without having synchronised it yet.
    if (!isFolder(folder)) throw error;
  }
  synchronise(parent);
}

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

function synchroniseFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
