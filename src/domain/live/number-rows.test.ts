import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NumberRows, rowClass } from './number-rows.ts';

const Pair = rowClass(['first', 'second']);

describe('rows of numbers', () => {
  it('keep the numbers of each object separate, over the ends of blocks', () => {
    const rows = new NumberRows(2, 3);
    const pairs = Array.from({ length: 8 }, () => new Pair(rows.take()));
    pairs.forEach((pair, index) => {
      pair.first = index;
      pair.second += 1;
    });
    assert.deepEqual(
      pairs.map(({ first }) => first),
      [0, 1, 2, 3, 4, 5, 6, 7],
    );
    assert.ok(pairs.every(({ second }) => Number.isNaN(second)));
  });

  it('are reused as new', () => {
    const rows = new NumberRows(2, 3);
    const [one, other] = [new Pair(rows.take()), new Pair(rows.take())];
    one.first = 1;
    other.first = 2;
    rows.giveBack(one);
    const next = new Pair(rows.take());
    assert.equal(next.block, one.block);
    assert.equal(next.at, one.at);
    assert.deepEqual([next.first, next.second, other.first], [Number.NaN, Number.NaN, 2]);
  });

  it('give up a block of which no row is taken any more', () => {
    const rows = new NumberRows(2, 3);
    const [first, second, third] = [rows.take(), rows.take(), rows.take()];
    const kept = rows.take();
    for (const row of [first, second, third]) rows.giveBack(row);
    const blocks = new Set([rows.take(), rows.take(), rows.take()].map(({ block }) => block));
    assert.ok(!blocks.has(first.block));
    assert.ok(blocks.has(kept.block));
  });
});
