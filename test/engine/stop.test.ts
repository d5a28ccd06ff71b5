import assert from 'node:assert/strict';
import { it } from 'node:test';
import { needs } from '../needs.ts';
import { newAccount } from '../storage-contract/fixture.ts';
import { EngineWorld } from './engine-world.ts';

needs('postgres');

const START_MS = Date.UTC(2026, 2, 1, 10);

it('a partition that cannot finish does not keep a stop from handing over the others', async (t) => {
  const world = await EngineWorld.open(t, 'postgres');
  const account = await newAccount(world.database);
  const process = await world.start();
  const { live } = process;
  await live.send(account.userId, [{ account, timeMs: START_MS, balance: 10_000, equity: 9_999 }]);
  await process.settle();
  const stuck = live.engine.ownerOf(account.number);
  assert.ok(stuck);
  stuck.release = () => new Promise(() => {});
  let isStopped = false;
  void live.engine.stop().then(() => {
    isStopped = true;
  });
  await process.untilPassed(() => isStopped, 'the stop');
  const left = await world.database.all<{ key: string }>(
    "select key from claim where kind = 'partition'",
  );
  assert.deepEqual(
    left.map(({ key }) => key),
    [String(stuck.number)],
  );
  await live.claims.stop();
  const next = await world.start();
  assert.equal(await next.live.read(account, (view) => view.equity), 9_999_0000);
});
