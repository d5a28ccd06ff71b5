import { closeSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** The data folder cannot be made or used. */
export class NoFolder extends Error {
  override readonly name = 'NoFolder';
  constructor(folder: string, cause: Error) {
    super(`The data folder ${folder} cannot be used: ${cause.message}`, { cause });
  }
}

/**
 * Makes a folder that only its owner may enter, and missing ones above it. A power cut must not
 * lose it with everything acknowledged in it, so the folder that names a new one is synchronised
 * too. Throws NoFolder.
 */
export function makeFolder(folder: string, synchronise = synchroniseFolder): void {
  try {
    makeFolders(resolve(folder), synchronise);
  } catch (error) {
    throw new NoFolder(folder, error as Error);
  }
}

/** Node's own way never ends if an existing folder takes no new ones, such as /proc. */
function makeFolders(folder: string, synchronise: (folder: string) => void): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolders(parent, synchronise);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // A process that started together with this one may have made it, and not synchronised it yet.
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
