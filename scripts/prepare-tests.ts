import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { PLATFORMS, terminalBinary } from '../test/bridge/terminal-build.ts';
import { PROGRAMS } from '../test/needs.ts';
import { fetchPromtool, promtool } from './promtool.ts';
import { fail, inWorkspace, ROOT, run } from './run-command.ts';

const DASHBOARD = ['web/src', 'web/index.html', 'web/vite.config.ts', 'package-lock.json'];

/** Prepares the needs that test files name in `needs(…)`, and nothing else. */
export async function prepare(needed: ReadonlySet<string>): Promise<void> {
  await install(needed);
  if (needed.has('promtool') && !promtool() && !fetchPromtool())
    console.log('promtool: not found, its tests are left out');
  // Clients are generated from the operations: it can't be known whether these changed.
  if (needed.has('client')) await run('npm', ['run', 'generate', '--silent']);
  await Promise.all([
    needed.has('server') && run(process.execPath, [join(ROOT, 'scripts/build-server.ts')]),
    needed.has('dashboard') && isDashboardOld() && inWorkspace('build', 'web'),
    // Otherwise each of the first files that need them builds its own.
    ...(needed.has('compiler') ? PLATFORMS.map(terminalBinary) : []),
  ]);
}

async function install(needed: ReadonlySet<string>): Promise<void> {
  const missing = Object.entries(PROGRAMS)
    .filter(([name, { find }]) => needed.has(name) && find() === undefined)
    .map(([, program]) => program.package);
  if (missing.length === 0) return;
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0)
    fail(`These tests need ${missing.join(', ')}: install them (so are they called in Debian)`);
  console.log(`Installing ${missing.join(', ')} for the tests …`);
  await run('apt-get', ['update', '-qq']);
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], {
    DEBIAN_FRONTEND: 'noninteractive',
  });
}

function isDashboardOld(): boolean {
  const args = [...DASHBOARD, '-newer', 'web/dist/index.html', '-print', '-quit'];
  const { status, stdout } = spawnSync('find', args, { cwd: ROOT, encoding: 'utf8' });
  return status !== 0 || stdout !== '';
}
