import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { inParallel } from './in-parallel.ts';

test('all parts are worked on, never more at a time than allowed, quick ones first', async () => {
  let running = 0;
  let most = 0;
  const turns = [5, 1, 1, 9, 1, 1];
  const work = async (part: number): Promise<number> => {
    running += 1;
    most = Math.max(most, running);
    for (let turn = 0; turn < part; turn += 1) await setImmediate();
    running -= 1;
    return part;
  };
  const results = await Array.fromAsync(inParallel(turns, 3, work));
  assert.deepEqual(results.toSorted(), turns.toSorted());
  assert.equal(results[0], 1);
  assert.equal(results.at(-1), 9);
  assert.equal(most, 3);
});

test('a failure is thrown, and concurrent ones do no harm', async () => {
  let started = 0;
  const work = async (part: number): Promise<number> => {
    started += 1;
    await setImmediate();
    throw new Error(`part ${part}`);
  };
  const outcomes = inParallel([1, 2, 3, 4], 2, work);
  await assert.rejects(Array.fromAsync(outcomes), /part 1/);
  await setImmediate();
  assert.equal(started, 2);
});

test('starts no part for a reader who has left', async () => {
  let started = 0;
  const outcomes = inParallel([1, 2, 3, 4], 1, async () => {
    started += 1;
  });
  for await (const _ of outcomes) break;
  assert.equal(started, 1);
});
