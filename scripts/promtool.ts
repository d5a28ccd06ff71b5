import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const FOLDER = resolve(import.meta.dirname, '../node_modules/.cache/promtool');
const PATHS = ['/usr/bin/promtool', join(FOLDER, 'usr/bin/promtool')];

/** The checker of Prometheus' rules, if it is there. */
export const promtool = (): string | undefined => PATHS.find((path) => existsSync(path));

/**
 * Takes promtool out of Debian's package. Installing that would start a Prometheus. Tells whether
 * it worked.
 */
export function fetchPromtool(): boolean {
  mkdirSync(FOLDER, { recursive: true });
  const run = (command: string, args: string[]): boolean =>
    spawnSync(command, args, { cwd: FOLDER, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
  if (!run('apt-get', ['download', '-qq', 'prometheus'])) return false;
  const [archive = ''] = globSync('prometheus_*.deb', { cwd: FOLDER });
  return run('dpkg', ['-x', archive, '.']) && promtool() !== undefined;
}
