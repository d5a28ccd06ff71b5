import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { after } from 'node:test';
import { isMainThread } from 'node:worker_threads';
import { keepThreadPoolAwake } from '../src/app/thread-pool.ts';

/** How long the things started by a file may take to end, however busy the machine is. */
const WITHIN_MS = Number(process.env.PLIMSOLL_TEST_LATE_MS ?? 120_000);

/**
 * Node's runner ends a test that takes too long, but waits without end for a file kept alive after
 * its tests.
 */
function endLate(): void {
  setTimeout(() => {
    const held = process.getActiveResourcesInfo().join(', ');
    console.error(`Not at its end ${WITHIN_MS} ms after its tests: kept alive by ${held}`);
    process.exit(1);
  }, WITHIN_MS).unref();
}

/**
 * With PLIMSOLL_TEST_TIMES a file of this name gets a line for each test file: how long it took,
 * and the processor's time of it and of what it started, in seconds. Linux counts in hundredths.
 */
function noteTimes(path: string): void {
  const ticks = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ').slice(11, 15);
  const processor = (ticks ?? []).reduce((sum, value) => sum + Number(value), 0) / 100;
  const file = relative(process.cwd(), process.argv[1] ?? '');
  appendFileSync(path, `${performance.now() / 1000} ${processor} ${file}\n`);
}

// Not in the file's threads, which load this, too.
if (isMainThread) {
  keepThreadPoolAwake();
  after(endLate);
  const times = process.env.PLIMSOLL_TEST_TIMES;
  if (times) process.once('exit', () => noteTimes(times));
}
