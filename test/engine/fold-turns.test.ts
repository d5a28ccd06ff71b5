import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FoldTurns } from '../../src/engine/fold-entry.ts';
import { newAccount } from '../storage-contract/fixture.ts';
import { appendHours } from './append-hours.ts';
import { EngineWorld } from './engine-world.ts';

const MANY_ROWS = 6000;

it('rests after much folding in one turn of the event loop, and continues in the next', async () => {
  const turns = new FoldTurns();
  turns.took(10);
  assert.equal(turns.isOver, false);
  turns.took(MANY_ROWS);
  assert.equal(turns.isOver, true);
  await nextTurn();
  assert.equal(turns.isOver, false);
});

it('lets one partition fold in a turn when each has much to fold', async () => {
  const turns = new FoldTurns();
  let turn = 0;
  let isOver = false;
  const count = (): void => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  const foldedIn: number[] = [];
  const partition = async (): Promise<void> => {
    for (let entry = 0; entry < 3; entry += 1) {
      while (turns.isOver) await turns.next();
      foldedIn.push(turn);
      turns.took(MANY_ROWS);
    }
  };
  setImmediate(count);
  await Promise.all([partition(), partition()]);
  isOver = true;
  assert.equal(new Set(foldedIn).size, foldedIn.length, foldedIn.join(' '));
});

it('folds at most one large entry per turn, from a log that it is behind', async (t) => {
  const world = await EngineWorld.open(t, 'sqlite');
  const account = await newAccount(world.database);
  const { live } = await world.open();
  await appendHours(live, account, 4, MANY_ROWS);
  const before = await live.journal.head();
  const seen: number[] = [];
  let isOver = false;
  const look = (): void => {
    seen.push(live.engine.ownerOf(account.number)?.backlog.position ?? 0);
    if (!isOver) setImmediate(look);
  };
  look();
  await live.engine.start();
  await live.engine.settle();
  isOver = true;
  seen.push(before);
  const most = Math.max(...seen.slice(1).map((at, index) => at - (seen[index] ?? 0)));
  assert.ok(most <= 1, `${most} entries in one turn`);
  assert.equal(await live.read(account, (view) => view.equity), 10_000_0000 + MANY_ROWS - 1);
});
