import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FairQueue } from './fair-queue.ts';

function all(queue: FairQueue<string>): string[] {
  const taken: string[] = [];
  for (let item = queue.take(); item !== undefined; item = queue.take()) taken.push(item);
  return taken;
}

describe('a fair queue', () => {
  it('gives each user a turn, and keeps the order of each', () => {
    const queue = new FairQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.add(item[0] ?? '', item);
    assert.deepEqual(all(queue), ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    assert.ok(queue.isEmpty);
  });

  it('takes the item that was put back first in its user’s next turn', () => {
    const queue = new FairQueue<string>();
    for (const item of ['a1', 'a2', 'b1']) queue.add(item[0] ?? '', item);
    assert.equal(queue.take(), 'a1');
    queue.putBack('a', 'a1');
    assert.deepEqual(all(queue), ['b1', 'a1', 'a2']);
  });

  it('drops only the item that was put back', () => {
    const queue = new FairQueue<string>();
    for (const item of ['a1', 'a2']) queue.add('a', item);
    queue.take();
    queue.putBack('a', 'a1');
    queue.drop('a', 'a2');
    queue.drop('a', 'a1');
    assert.deepEqual(all(queue), ['a2']);
    queue.add('a', 'a3');
    queue.drop('a', 'a3');
    assert.ok(queue.isEmpty);
  });
});
