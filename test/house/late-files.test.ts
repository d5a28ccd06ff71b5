import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';

const RUNNER = join(import.meta.dirname, '../../scripts/run-test-files.ts');

it('a test file kept alive after its tests fails, and does not block the run', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'plimsoll-late-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'late.test.mjs');
  await writeFile(
    file,
    `import { test } from 'node:test';
     import { createServer } from 'node:net';
     test('ends at once', () => void createServer().listen(0));`,
  );
  const { NODE_TEST_CONTEXT: _, ...own } = process.env;
  const env = { ...own, PLIMSOLL_TEST_LATE_MS: '500' };
  const args = [RUNNER, '1', '60000', file];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  const output = stdout + stderr;
  assert.equal(status, 1, output);
  assert.match(output, /Not at its end 500 ms after its tests: kept alive by .*TCP/);
});
