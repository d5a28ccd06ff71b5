import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');
export const DEPLOY = join(ROOT, 'deploy');

export const deployFile = (name: string): string => readFileSync(join(DEPLOY, name), 'utf8');

/** Every setting that docs/settings.md describes. */
export function knownSettings(): Set<string> {
  const text = readFileSync(join(ROOT, 'docs/settings.md'), 'utf8');
  return new Set([...text.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name = '']) => name));
}
