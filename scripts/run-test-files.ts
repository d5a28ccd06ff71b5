import { globSync } from 'node:fs';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

/**
 * Runs the test files that match, in the order of their patterns; `node --test` sorts them by name.
 * `npm test` starts it as a process of its own.
 */
const [concurrency, timeout, ...patterns] = process.argv.slice(2);
const files = patterns.flatMap((pattern) => globSync(pattern).sort());
const stopped = new AbortController();
process.once('SIGTERM', () => stopped.abort());

if (files.length === 0) {
  console.error(`No test file matches ${patterns.join(', ')}`);
  process.exit(1);
}
run({
  files: [...new Set(files)],
  concurrency: Number(concurrency),
  timeout: Number(timeout),
  execArgv: ['--import', import.meta.resolve('./before-test-file.ts')],
  signal: stopped.signal,
})
  .on('test:fail', () => {
    process.exitCode = 1;
  })
  .compose(spec)
  .pipe(process.stdout);
