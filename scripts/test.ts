import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { PLATFORMS, terminalBinary } from '../test/bridge/terminal-build.ts';
import { endWithUs } from '../test/servers/end-with-us.ts';
import { startTestPostgres } from '../test/servers/test-databases.ts';
import { fetchPromtool, promtool } from './promtool.ts';

/**
 * `npm test`: installs what the tests need from Debian's packages where it is missing, checks
 * format, types, layers, licences and known faults of dependencies, and runs every test against one
 * real PostgreSQL server.
 * `npm test -- PATTERN…` runs only the test files that match, without the checks.
 */
const ROOT = resolve(import.meta.dirname, '..');
/** What the servers of tests run; the tests of the package run what `npm pack` packs. */
const BUILT = join(ROOT, 'dist-checkout/app/main.js');
/** Of Node: each test file is a process of its own, which loads the same files. */
const COMPILED = join(ROOT, 'node_modules/.cache/plimsoll');
/**
 * In this order. Files that start servers and wait come first, those that take minutes before all;
 * the many short ones of src/ keep every core busy to the end.
 */
const PATTERNS = [
  'test/{simulator,cluster,faults}/*.test.ts',
  'test/**/*.test.ts',
  'src/**/*.test.ts',
  'web/src/**/*.test.ts',
];
/** Of Node's runner, which can't be told an order on its command line. */
const RUNNER = join(ROOT, 'scripts/run-test-files.ts');
/**
 * Test files that run side by side: more than two cores are for, because most of them wait a lot.
 */
const CONCURRENCY = 6;
/**
 * A file that hangs fails, and does not hold the run up; one that is told to go on takes longer.
 */
const TIMEOUT_MS = 600_000 + Number(process.env.PLIMSOLL_TEST_MINUTES ?? 0) * 180_000;

const NEEDED = [
  { package: 'postgresql', found: () => hasPostgres() },
  {
    package: 'chromium-headless-shell',
    found: () => existsSync('/usr/bin/chromium-headless-shell'),
  },
  { package: 'openssl', found: () => existsSync('/usr/bin/openssl') },
  { package: 'curl', found: () => existsSync('/usr/bin/curl') },
  { package: 'jq', found: () => existsSync('/usr/bin/jq') },
  { package: 'faketime', found: () => existsSync('/usr/bin/faketime') },
  { package: 'pgbouncer', found: () => existsSync('/usr/sbin/pgbouncer') },
  { package: 'g++', found: () => existsSync('/usr/bin/g++') },
  { package: 'nginx-light', found: () => existsSync('/usr/sbin/nginx') },
  { package: 'systemd', found: () => existsSync('/usr/bin/systemd-analyze') },
];

function hasPostgres(): boolean {
  const debian = '/usr/lib/postgresql';
  const folders = existsSync(debian)
    ? readdirSync(debian).map((name) => join(debian, name, 'bin'))
    : [];
  const path = (process.env.PATH ?? '').split(':');
  return [...folders, ...path].some((folder) => existsSync(join(folder, 'initdb')));
}

async function install(): Promise<void> {
  const missing = NEEDED.filter(({ found }) => !found()).map((need) => need.package);
  if (missing.length === 0) return;
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || !existsSync('/usr/bin/apt-get')) {
    fail(`The tests need ${missing.join(', ')}: install them, for example with apt-get`);
  }
  console.log(`Installing ${missing.join(', ')} for the tests …`);
  await run('apt-get', ['update', '-qq']);
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], {
    DEBIAN_FRONTEND: 'noninteractive',
  });
}

/** Side by side: most of them use one core. */
async function check(): Promise<void> {
  const bin = join(ROOT, 'node_modules/.bin');
  const inWorkspace = (script: string, workspace: string): Promise<void> =>
    run('npm', ['run', script, '--workspace', workspace, '--silent']);
  // First: the others read what it writes.
  await inWorkspace('generate', 'clients/typescript');
  await Promise.all([
    run(join(bin, 'tsc'), []),
    run(join(bin, 'biome'), ['check', '--error-on-warnings', '.']),
    run(process.execPath, [join(ROOT, 'scripts/check-layers.ts')]),
    run(process.execPath, [join(ROOT, 'scripts/check-licences.ts')]),
    audit(),
    inWorkspace('check', 'clients/typescript'),
    inWorkspace('check', 'web').then(() => inWorkspace('build', 'web')),
    // Else each of the first files that need them builds its own.
    ...PLATFORMS.map(terminalBinary),
  ]);
}

/** Known faults of the packages that are shipped, where the registry can be asked for them. */
async function audit(): Promise<void> {
  const args = ['audit', '--omit=dev', '--audit-level=high', '--json', '--fetch-retries=0'];
  const npm = spawn('npm', args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'] });
  endWithUs(npm);
  const exited = exitOf(npm);
  const [stdout, status] = [await text(npm.stdout), await exited];
  const isReport = stdout.trimStart().startsWith('{');
  const report = JSON.parse(isReport ? stdout : '{}') as {
    vulnerabilities?: Record<string, unknown>;
  };
  if (!report.vulnerabilities) {
    console.log('audit: left out, the registry does not answer it');
    return;
  }
  if (status !== 0)
    fail(`audit: known faults in ${Object.keys(report.vulnerabilities).join(', ')}`);
  console.log('audit: no known fault of a shipped package is high or critical');
}

async function run(
  command: string,
  args: string[],
  environment: Record<string, string> = {},
): Promise<void> {
  const child = spawn(command, args, {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...environment },
  });
  endWithUs(child);
  const status = await exitOf(child);
  if (status !== 0) fail(`${command} ${args.join(' ')} failed`);
}

/** Its exit code; null where a signal ended it. Rejects where it can't be started. */
function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('exit', resolve);
  });
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

async function test(patterns: string[]): Promise<number> {
  const postgres = await startTestPostgres();
  try {
    const args = [RUNNER, CONCURRENCY, TIMEOUT_MS, ...patterns].map(String);
    const runner = spawn(process.execPath, args, {
      cwd: ROOT,
      stdio: 'inherit',
      env: {
        NODE_COMPILE_CACHE: COMPILED,
        PLIMSOLL_TEST_BIN: BUILT,
        ...process.env,
        PLIMSOLL_TEST_DATABASE_URL: postgres.url,
      },
    });
    endWithUs(runner, 'SIGTERM');
    return (await exitOf(runner)) ?? 1;
  } finally {
    await postgres.stop();
  }
}

const chosen = process.argv.slice(2);
await install();
if (!promtool() && !fetchPromtool()) console.log('promtool: not found, its tests are left out');
if (chosen.length === 0) await check();
await run(process.execPath, [join(ROOT, 'scripts/build-server.ts')]);
process.exitCode = await test(chosen.length > 0 ? chosen : PATTERNS);
