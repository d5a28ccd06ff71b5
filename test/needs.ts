import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

/** A program that tests run: where it is on this machine, and which package of Debian brings it. */
type Program = { package: string; find: () => string | undefined };

/** Folders that a user's path may not include. */
const PLACES = ['/usr/local/sbin', '/usr/sbin', '/sbin'];

/** The path of a program, be it in the path, where administrators have theirs, or in `places`. */
export function findProgram(name: string, ...places: string[]): string | undefined {
  return [...(process.env.PATH ?? '').split(delimiter), ...PLACES, ...places]
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

const program = (debianPackage: string, name = debianPackage, ...places: string[]): Program => ({
  package: debianPackage,
  find: () => findProgram(name, ...places),
});

/** First the one without windows: it draws the same pages with half the processor's time. */
const BROWSERS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** Programs needed on the machine; `npm test` installs them where it may. */
export const PROGRAMS = {
  postgres: program('postgresql', 'initdb', ...globSync('/usr/lib/postgresql/*/bin')),
  browser: { package: 'chromium-headless-shell', find: findChromium },
  compiler: program('g++'),
  cryptography: { package: 'python3-cryptography', find: findCryptography },
  curl: program('curl'),
  faketime: { package: 'faketime', find: findFaketime },
  jq: program('jq'),
  mypy: program('mypy'),
  nginx: program('nginx-light', 'nginx'),
  openssl: program('openssl'),
  pgbouncer: program('pgbouncer'),
  python: { package: 'python3-venv', find: findPython },
  systemd: program('systemd', 'systemd-analyze'),
} satisfies Record<string, Program>;

/** Things that the test run makes before the first file that needs them. */
export const BUILDS = ['client', 'dashboard', 'server'] as const;

/** Things that tests fetch themselves, or skip if they are unavailable. */
export const FETCHED = ['nats', 'promtool'] as const;

export type Need =
  | keyof typeof PROGRAMS
  | (typeof BUILDS)[number]
  | (typeof FETCHED)[number]
  /** More of it than a run before each commit has: only `npm run test:all` runs the file. */
  | 'time';

const declared = new Set<Need>();

/**
 * Names all needs of a file's tests beyond `npm ci`, once, in a statement of its own: the test run
 * reads it before it starts the file. A file without it needs nothing.
 */
export function needs(...names: Need[]): void {
  for (const name of names) declared.add(name);
}

/** How often, or how long: `npm test` does with less, `npm run test:all` has time for more. */
export const often = (usual: number, withTime: number): number =>
  process.env.PLIMSOLL_TEST_ALL === 'on' ? withTime : usual;

/**
 * The databases on which a file's promises are tested. `npm test` takes one of them, by the file's
 * name, and `npm run test:all` the other afterwards; a file that is started by its name takes both.
 */
export function testedOn(): readonly ('sqlite' | 'postgres')[] {
  const both = ['sqlite', 'postgres'] as const;
  const turn = process.env.PLIMSOLL_TEST_TURN;
  if (turn === undefined) return both;
  const letters = [...basename(process.argv[1] ?? '')];
  const sum = letters.reduce((total, letter) => total + letter.charCodeAt(0), Number(turn));
  return [sum % 2 === 0 ? both[0] : both[1]];
}

/** The statement of a test file about itself. */
export function needsOf(source: string): string[] {
  const [, list = ''] = /^needs\(([^)]*)\);$/m.exec(source) ?? [];
  return [...list.matchAll(/'([a-z]+)'/g)].map(([, name = '']) => name);
}

/** Called by providers for tests: a file that does not name the need would not find it. */
export function given(name: Need): void {
  const isTestFile = isMainThread && /\.test\.ts$/.test(process.argv[1] ?? '');
  if (isTestFile && !declared.has(name))
    throw new Error(`These tests use what they do not name: write needs('${name}')`);
}

/** Why tests of a file that was started alone are left out; false where they need not be. */
export function lacks(name: keyof typeof PROGRAMS): string | false {
  return PROGRAMS[name].find() === undefined && `${PROGRAMS[name].package} is not installed`;
}

/** The one of PLIMSOLL_CHROMIUM, else that of the system. */
function findChromium(): string | undefined {
  const named = process.env.PLIMSOLL_CHROMIUM;
  if (named) return existsSync(named) ? named : undefined;
  return BROWSERS.map((name) => findProgram(name)).find((path) => path !== undefined);
}

/** One that makes environments of its own, of a version that the client supports. */
function findPython(): string | undefined {
  const python = findProgram('python3');
  const probe = 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))';
  return python && spawnSync(python, ['-c', probe]).status === 0 ? python : undefined;
}

/** A Python with the package: the system's own, if the usual one is another. */
function findCryptography(): string | undefined {
  const probe = 'from cryptography.hazmat.primitives.asymmetric import ed25519';
  return [findPython(), '/usr/bin/python3'].find(
    (python) => python !== undefined && spawnSync(python, ['-c', probe]).status === 0,
  );
}

/** A clock that can be set while a program runs on it. */
function findFaketime(): string | undefined {
  return globSync('/usr/lib{,64}/{,*/}faketime/libfaketime.so.1')[0];
}
