import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { lacks } from '../needs.ts';

export type Platform = 'p4' | 'p5';
export const PLATFORMS: readonly Platform[] = ['p4', 'p5'];

const SHIM = join(import.meta.dirname, 'shim');
export const ADVISORS = resolve(import.meta.dirname, '../../bridge/Plimsoll');
const BUILDS = resolve(import.meta.dirname, '../../node_modules/.cache/plimsoll-terminals');
const FLAGS = [
  ...['-std=c++17', '-O1', '-fsanitize=undefined', '-fno-sanitize-recover=all'],
  ...['-Wall', '-Wextra', '-Wshadow', '-Werror', '-Wno-unused-parameter'],
];

/** Why nothing can be built here; false when it can. */
export const whyNoCompiler = lacks('compiler');

const builds = new Map<Platform, Promise<string>>();

/**
 * The path of a scripted terminal with the Expert Advisor in it, built when its sources changed.
 */
export function terminalBinary(platform: Platform): Promise<string> {
  const known = builds.get(platform) ?? build(platform);
  builds.set(platform, known);
  return known;
}

async function build(platform: Platform): Promise<string> {
  const path = join(BUILDS, `${platform}-${await digestOfSources()}`);
  if (existsSync(path)) return path;
  await mkdir(BUILDS, { recursive: true });
  // Test files run side by side: a later one replaces it with the same.
  const own = `${path}.${process.pid}`;
  await promisify(execFile)('g++', [...FLAGS, '-o', own, join(SHIM, `${platform}.cpp`)]);
  await rename(own, path);
  return path;
}

async function digestOfSources(): Promise<string> {
  const hash = createHash('sha256').update(FLAGS.join(' '));
  for (const folder of [ADVISORS, SHIM]) {
    for (const name of (await readdir(folder)).sort()) {
      hash.update(name).update(await readFile(join(folder, name)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}
