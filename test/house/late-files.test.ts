import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';

const RUNNER = join(import.meta.dirname, '../../scripts/run-test-files.ts');
const TIMEOUT_MS = 2000;

/** Runs a test file of that text in a run of its own. */
async function runOf(t: TestContext, name: string, text: string) {
  const folder = await mkdtemp(join(tmpdir(), 'plimsoll-late-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, name);
  await writeFile(file, text);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const args = [RUNNER, '1', `${TIMEOUT_MS}`, file];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

it('a test file that is kept alive when its tests are over fails, and holds no run up', async (t) => {
  const { status, output } = await runOf(
    t,
    'late.test.mjs',
    `import { test } from 'node:test';
     import { createServer } from 'node:net';
     test('is over at once', () => void createServer().listen(0));`,
  );
  assert.equal(status, 1, output);
  assert.match(output, /Not at its end after 2200 ms: .*late\.test\.mjs, kept alive by .*TCP/);
});

it('a thread of a test file that has no environment goes on until it has answered', async (t) => {
  const { status, output } = await runOf(
    t,
    'thread.test.mjs',
    `import { once } from 'node:events';
     import { test } from 'node:test';
     import { Worker } from 'node:worker_threads';
     const answer =
       "import { parentPort } from 'node:worker_threads'; setTimeout(() => parentPort.postMessage(1), 99);";
     test('is answered', async () => {
       const thread = new Worker(new URL('data:text/javascript,' + answer), { env: {} });
       await Promise.race([
         once(thread, 'message'),
         once(thread, 'exit').then(() => Promise.reject(new Error('The thread ended'))),
       ]);
     });`,
  );
  assert.equal(status, 0, output);
});
