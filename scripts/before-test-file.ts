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

// Not in the file's threads, which load this, too.
if (isMainThread) {
  keepThreadPoolAwake();
  after(endLate);
}
