import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needs } from '../../test/needs.ts';
import { openTestDatabase } from '../../test/servers/test-databases.ts';
import { readClockDifference } from './database-clock.ts';

needs('postgres');

test('the clock of a process is compared with that of its database', async () => {
  await using stack = new AsyncDisposableStack();
  const opened = await openTestDatabase('postgres');
  stack.defer(() => opened.close());
  const ahead = await readClockDifference(opened.database, () => Date.now() + 7_200_000);
  assert.equal(Math.round(ahead / 3600), 2);
  const behind = await readClockDifference(opened.database, () => Date.now() - 3_600_000);
  assert.equal(Math.round(behind / 3600), -1);
});
