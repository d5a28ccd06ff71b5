import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { inTurns } from './turns.ts';

function* steps(count: number, name: string, log: string[]): Generator<undefined, string> {
  for (let step = 0; step < count; step += 1) {
    log.push(name);
    yield;
  }
  return name;
}

test('work that fits into a slice is done at once', async () => {
  let isDone = false;
  function* quick(): Generator<undefined, void> {
    yield;
    isDone = true;
  }
  const running = inTurns(quick(), 60_000);
  assert.ok(isDone);
  await running;
});

test('concurrent work takes turns, one slice per turn of the loop', async () => {
  const log: string[] = [];
  const works = ['a', 'b', 'c'].map((name) => inTurns(steps(4, name, log), 0));
  let isOver = false;
  const all = Promise.all(works).then(() => {
    isOver = true;
  });
  const seen: number[] = [];
  while (!isOver) {
    await turn();
    seen.push(log.length);
  }
  await all;
  assert.equal(log.length, 12);
  const most = Math.max(...seen.slice(1).map((count, index) => count - (seen[index] ?? 0)));
  assert.ok(most <= 2, `${most} slices in one turn: ${seen.join()}`);
  for (const name of ['a', 'b', 'c']) assert.ok(log.indexOf(name) < 3, log.join(''));
});
