import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { endWithUs } from '../test/servers/end-with-us.ts';
import { startPostgres } from '../test/servers/postgres-process.ts';
import { fetchPromtool, promtool } from './promtool.ts';

/**
 * `npm test`: installs what the tests need from Debian's packages where it is missing, checks
 * format, types, layers, licences and known faults of dependencies, and runs every test against one
 * real PostgreSQL server.
 * `npm test -- PATTERN…` runs only the test files that match, without the checks.
 */
const ROOT = resolve(import.meta.dirname, '..');
/** What the servers of tests run: what `npm pack` packs. */
const BUILT = join(ROOT, 'dist/app/main.js');
/** Of Node: each test file is a process of its own, which loads the same files. */
const COMPILED = join(ROOT, 'node_modules/.cache/plimsoll');
const PATTERNS = ['src/**/*.test.ts', 'test/**/*.test.ts', 'web/src/**/*.test.ts'];
/** Test files that run side by side. */
const CONCURRENCY = 4;
/** A file that hangs fails, and does not hold the run up; one that is told to go on takes longer. */
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

function install(): void {
  const missing = NEEDED.filter(({ found }) => !found()).map((need) => need.package);
  if (missing.length === 0) return;
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || !existsSync('/usr/bin/apt-get')) {
    fail(`The tests need ${missing.join(', ')}: install them, for example with apt-get`);
  }
  console.log(`Installing ${missing.join(', ')} for the tests …`);
  run('apt-get', ['update', '-qq']);
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], {
    DEBIAN_FRONTEND: 'noninteractive',
  });
}

function check(): void {
  const bin = join(ROOT, 'node_modules/.bin');
  run('npm', ['run', 'generate', '--workspace', 'clients/typescript', '--silent']);
  run(join(bin, 'biome'), ['check', '--error-on-warnings', '.']);
  run(join(bin, 'tsc'), []);
  for (const script of ['check-layers', 'check-licences']) {
    run(process.execPath, [join(ROOT, `scripts/${script}.ts`)]);
  }
  audit();
  run('npm', ['run', 'check', '--workspace', 'clients/typescript', '--silent']);
  for (const script of ['check', 'build']) {
    run('npm', ['run', script, '--workspace', 'web', '--silent']);
  }
}

/** Known faults of the packages that are shipped, where the registry can be asked for them. */
function audit(): void {
  const args = ['audit', '--omit=dev', '--audit-level=high', '--json', '--fetch-retries=0'];
  const { status, stdout } = spawnSync('npm', args, { cwd: ROOT, encoding: 'utf8' });
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

function run(command: string, args: string[], environment: Record<string, string> = {}): void {
  const { status, error } = spawnSync(command, args, {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...environment },
  });
  if (status !== 0) fail(`${command} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}`);
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

async function test(patterns: string[]): Promise<number> {
  const postgres = await startPostgres();
  try {
    const limits = [`--test-concurrency=${CONCURRENCY}`, `--test-timeout=${TIMEOUT_MS}`];
    const args = ['--test', ...limits, ...patterns];
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
    return await new Promise((done) => runner.on('exit', (code) => done(code ?? 1)));
  } finally {
    await postgres.stop();
  }
}

const chosen = process.argv.slice(2);
install();
if (!promtool() && !fetchPromtool()) console.log('promtool: not found, its tests are left out');
if (chosen.length === 0) check();
run(process.execPath, [join(ROOT, 'scripts/build-server.ts')]);
process.exitCode = await test(chosen.length > 0 ? chosen : PATTERNS);
