import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { it } from 'node:test';
import { keepThreadPoolAwake } from './thread-pool.ts';

it('the thread pool gets a job each second, and at most ten without an answer', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let jobs = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'FSREQCALLBACK') jobs += 1;
    },
  });
  hook.enable();
  t.after(() => hook.disable());
  keepThreadPoolAwake();
  t.mock.timers.tick(3000);
  assert.equal(jobs, 3);
  // No job is answered before this turn of the event loop ends.
  t.mock.timers.tick(60_000);
  assert.equal(jobs, 10);
});
