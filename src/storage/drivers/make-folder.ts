import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder that only its owner may enter, with those above it that are missing. A power cut
 * must not take it with all that was acknowledged in it: what names a new folder is on disk, too.
 */
export function makeFolder(folder: string, synchronise = synchroniseFolder): void {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  const topmost = resolve(first);
  for (let made = resolve(folder); ; made = dirname(made)) {
    synchronise(dirname(made));
    if (made === topmost) return;
  }
}

function synchroniseFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
