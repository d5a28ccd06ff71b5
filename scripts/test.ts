import { type StdioOptions, spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { needsOf } from '../test/needs.ts';
import { endWithUs } from '../test/servers/end-with-us.ts';
import { startTestPostgres } from '../test/servers/test-databases.ts';
import { audit, check } from './checks.ts';
import { prepare } from './prepare-tests.ts';
import { exitOf, fail, ROOT } from './run-command.ts';

/**
 * `npm test`: the checks, and every test file but those that need `time`.
 * `npm run test:all`: then these too, those that repeat something more `often` with time, and those
 * that tested their promises on one database on the other.
 * `npm run check`: the checks, the test files beside the code that need nothing, and those of the
 * rules of the house.
 * `npm test -- PATTERN…`: the test files that match, without the checks.
 *
 * Gets ready what these files need (test/needs.ts), and starts PostgreSQL if one of them does.
 */

/** Built for the servers of tests; the tests of the package run the result of `npm pack`. */
const BUILT = join(ROOT, 'dist-checkout/app/main.js');
/** Of Node: each test file is a process of its own, which loads the same files. */
const COMPILED = join(ROOT, 'node_modules/.cache/plimsoll');
const BESIDE_THE_CODE = ['src/**/*.test.ts', 'web/src/**/*.test.ts'];
/** Of the code and the documents. */
const RULES = ['test/docs.test.ts', 'test/{docs,house}/*.test.ts'];
/**
 * In this order. Files that start servers and wait come first, those that take minutes before all;
 * the many short ones of src/ keep every core busy to the end.
 */
const PATTERNS = [
  'test/{simulator,cluster,faults}/*.test.ts',
  'test/**/*.test.ts',
  ...BESIDE_THE_CODE,
];
/** Of Node's runner, which can't be told an order on its command line. */
const RUNNER = join(ROOT, 'scripts/run-test-files.ts');
/**
 * Test files that run side by side: more than two cores are for, because most of them wait a lot.
 */
const CONCURRENCY = 6;
/**
 * A file that hangs fails, and does not block the run; one that is told to continue takes longer.
 */
const TIMEOUT_MS = 600_000 + Number(process.env.PLIMSOLL_TEST_MINUTES ?? 0) * 180_000;

/** Of all test files so far; a check that fails is one, too. */
const counts = { passed: 0, failed: 0 };
process.once('exit', (code) => {
  const failed = Math.max(counts.failed, code === 0 ? 0 : 1);
  console.log(`${counts.passed} passed, ${failed} failed`);
});

type TestFile = { path: string; needs: string[]; comesAgain: boolean };

function filesOf(patterns: string[]): TestFile[] {
  const paths = patterns.flatMap((pattern) => globSync(pattern, { cwd: ROOT }).sort());
  return [...new Set(paths)].map((path) => {
    const source = readFileSync(join(ROOT, path), 'utf8');
    return { path, needs: needsOf(source), comesAgain: /\b(?:often|testedOn)\(/.test(source) };
  });
}

/** Whether all of them pass. */
async function test(files: TestFile[], environment: Record<string, string> = {}): Promise<boolean> {
  const needed = new Set(files.flatMap((file) => file.needs));
  await prepare(needed);
  await using stack = new AsyncDisposableStack();
  const env: NodeJS.ProcessEnv = { NODE_COMPILE_CACHE: COMPILED, ...process.env, ...environment };
  if (needed.has('server')) env.PLIMSOLL_TEST_BIN ??= BUILT;
  if (needed.has('postgres')) {
    const postgres = await startTestPostgres();
    stack.defer(() => postgres.stop());
    env.PLIMSOLL_TEST_DATABASE_URL = postgres.url;
  }
  const args = [RUNNER, CONCURRENCY, TIMEOUT_MS, ...files.map(({ path }) => path)].map(String);
  const stdio: StdioOptions = ['inherit', 'inherit', 'inherit', 'ipc'];
  const runner = spawn(process.execPath, args, { cwd: ROOT, stdio, env });
  endWithUs(runner, 'SIGTERM');
  runner.on('message', ({ passed, failed }: typeof counts) => {
    counts.passed += passed;
    counts.failed += failed;
  });
  return (await exitOf(runner)) === 0;
}

const [chosen = '', ...others] = process.argv.slice(2);
const all = filesOf(PATTERNS);
const takesTime = ({ needs }: TestFile): boolean => needs.includes('time');
let isGood: boolean;
if (chosen === '--check') {
  await check();
  isGood = await test(
    filesOf([...RULES, ...BESIDE_THE_CODE]).filter(({ needs }) => needs.length === 0),
  );
} else if (chosen === '' || chosen === '--all') {
  await Promise.all([check(), audit()]);
  isGood = await test(
    all.filter((file) => !takesTime(file)),
    { PLIMSOLL_TEST_TURN: '0' },
  );
  if (chosen === '--all') {
    const rest = all.filter((file) => takesTime(file) || file.comesAgain);
    const again = { PLIMSOLL_TEST_ALL: 'on', PLIMSOLL_TEST_TURN: '1' };
    isGood = (await test(rest, again)) && isGood;
  }
} else {
  const files = filesOf([chosen, ...others]);
  if (files.length === 0) fail(`No test file matches ${[chosen, ...others].join(', ')}`);
  isGood = await test(files);
}
process.exitCode = isGood ? 0 : 1;
