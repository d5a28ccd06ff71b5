import { isMainThread } from 'node:worker_threads';

/**
 * Loaded before each test file. Node's runner ends a test that takes too long, but waits without
 * end for a file that something keeps alive when its tests are over.
 */
const withinMs = Number(process.env.PLIMSOLL_TEST_FILE_MS);

// The file's threads load this as well, but must not end by it: most have no environment.
if (isMainThread)
  setTimeout(() => {
    const held = process.getActiveResourcesInfo().join(', ');
    console.error(`Not at its end after ${withinMs} ms: ${process.argv[1]}, kept alive by ${held}`);
    process.exit(1);
  }, withinMs).unref();
