import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { inSlices } from '../storage/sql-text.ts';
import { firstTurn, nextTurn } from './loop-turns.ts';

test('of all tasks in slices one gets each turn of the event loop, in order of arrival', async () => {
  const log: string[] = [];
  const work = async (name: string): Promise<void> => {
    for (let slice = 0; slice < 3; slice += 1) {
      await nextTurn();
      log.push(name);
    }
  };
  let isOver = false;
  const all = Promise.all(['a', 'b', 'c'].map(work)).then(() => {
    isOver = true;
  });
  const seen = [0];
  while (!isOver) {
    await turn();
    seen.push(log.length);
  }
  await all;
  const perTurn = seen.slice(1).map((count, index) => count - (seen[index] ?? 0));
  assert.ok(Math.max(...perTurn) === 1, perTurn.join());
  assert.equal(log.join(''), 'abcabcabc');
});

test('a transaction waits for one slice of other work at most, whatever there is', async () => {
  let slices = 0;
  let isOver = false;
  const others = Array.from({ length: 50 }, async () => {
    while (!isOver) {
      await nextTurn();
      slices += 1;
    }
  });
  await turn();
  const rows = Array.from({ length: 2500 }, (_, row) => row);
  const before = slices;
  let statements = 0;
  await inSlices(rows, async () => {
    statements += 1;
  });
  assert.equal(statements, 5);
  assert.ok(slices - before <= statements, `${slices - before} slices of others`);
  const small = slices;
  await inSlices(rows.slice(0, 499), async () => {});
  assert.equal(slices, small);
  isOver = true;
  await Promise.all(others);
});

test('transactions without end leave every eighth turn to other work', async () => {
  let isOver = false;
  let turns = 0;
  const transactions = Array.from({ length: 5 }, async () => {
    while (!isOver && turns < 1000) {
      await firstTurn();
      turns += 1;
    }
  });
  await turn();
  const before = turns;
  for (let slice = 0; slice < 10; slice += 1) await nextTurn();
  isOver = true;
  await Promise.all(transactions);
  assert.ok(turns - before < 100, `${turns - before} turns of transactions`);
});
