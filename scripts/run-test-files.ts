import { run } from 'node:test';
import { spec } from 'node:test/reporters';

/**
 * Runs test files in the order of its arguments; `node --test` sorts them by name. `npm test`
 * starts it as a process of its own, and receives how many tests passed and failed.
 */
const [concurrency, timeout, ...files] = process.argv.slice(2);
const stopped = new AbortController();
process.once('SIGTERM', () => stopped.abort());

const counts = { passed: 0, failed: 0 };
const count = (end: 'passed' | 'failed', { details }: { details: { type?: string } }): void => {
  if (details.type !== 'suite') counts[end] += 1;
};

run({
  files,
  concurrency: Number(concurrency),
  timeout: Number(timeout),
  execArgv: ['--import', import.meta.resolve('./before-test-file.ts')],
  signal: stopped.signal,
})
  .on('test:pass', (test) => count('passed', test))
  .on('test:fail', (test) => {
    count('failed', test);
    process.exitCode = 1;
  })
  .once('end', () => process.send?.(counts))
  .compose(spec)
  .pipe(process.stdout);
