import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { heapLimits } from './thread.ts';

const MEGABYTE = 2 ** 20;
/** Makes 400 MB of arrays, keeps the newest 8 MB of them, and says how much room new ones have. */
const BUSY = `
  const { getHeapSpaceStatistics } = require('node:v8');
  const { parentPort } = require('node:worker_threads');
  const newest = [];
  for (let n = 0; n < 400_000; n += 1) newest[n % 8000] = new Array(125).fill(n);
  const spaces = getHeapSpaceStatistics().filter(({ space_name }) => space_name === 'new_space');
  parentPort.postMessage(spaces[0].physical_space_size);
`;

test('what is new in a thread has 12 MB, however much of it there is', async () => {
  const thread = new Worker(BUSY, { eval: true, resourceLimits: heapLimits() });
  const [bytes] = await once(thread, 'message');
  await thread.terminate();
  assert.ok(bytes <= 12 * MEGABYTE, `${Math.round(bytes / MEGABYTE)} MB`);
});
