import assert from 'node:assert/strict';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { it } from 'node:test';
import { Worker } from 'node:worker_threads';

const THREAD = `
  const { getPriority } = require('node:os');
  const { parentPort } = require('node:worker_threads');
  import(${JSON.stringify(new URL('./step-back.ts', import.meta.url).href)}).then(({ stepBack }) => {
    stepBack();
    parentPort.postMessage(getPriority());
  });
`;

it("lowers a thread's priority, and leaves the process unchanged", async (t) => {
  if (process.platform !== 'linux') return t.skip('threads have priorities on Linux only');
  const before = getPriority();
  const thread = new Worker(THREAD, { eval: true });
  const [priority] = await once(thread, 'message');
  assert.equal(priority, Math.max(before, 10));
  assert.equal(getPriority(), before);
  await thread.terminate();
});
