import assert from 'node:assert/strict';
import { it } from 'node:test';
import { newAccount } from '../storage-contract/fixture.ts';
import { EngineWorld } from './engine-world.ts';

const START_MS = Date.UTC(2026, 2, 1, 10);

it('shows everything acknowledged although the partition was lost in between', async (t) => {
  const world = await EngineWorld.open(t, 'sqlite');
  const account = await newAccount(world.database);
  const { live } = await world.start();
  const send = (second: number, equity: number) =>
    live.send(account.userId, [
      { account, timeMs: START_MS + second * 1000, balance: 10_000, equity },
    ]);
  await send(0, 9_999);
  await live.engine.settle();
  await send(1, 9_998);
  await live.engine.settle();
  // The newest folded data are not stored, and no process has noticed the loss yet.
  live.engine.ownerOf(account.number)?.abandon();
  assert.equal(await live.read(account, (view) => view.equity), 9_998_0000);
});
