import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { needs } from '../needs.ts';
import { newAccount } from '../storage-contract/fixture.ts';
import { EngineWorld } from './engine-world.ts';

needs('postgres');

const START_MS = Date.UTC(2026, 2, 1, 10);
const COMMITS = 8;
/** In each commit: one of each partition. */
const ACCOUNTS = 16;
/** After accounts were loaded for folding: whether they are still the owner's. */
const HAS_LOADED = /^select 1 as owned from claim where fence = \$1$/;

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`a successor with ${kind}`, () => {
    it('loads the accounts of earlier commits together, not commit by commit', async (t) => {
      const world = await EngineWorld.open(t, kind);
      const accounts = [await newAccount(world.database)];
      const userId = accounts[0]?.userId ?? '';
      while (accounts.length < COMMITS * ACCOUNTS) {
        accounts.push(await newAccount(world.database, { userId }));
      }
      const successor = await world.open();
      for (let place = 0; place < accounts.length; place += ACCOUNTS) {
        const some = accounts.slice(place, place + ACCOUNTS);
        const row = { timeMs: START_MS, balance: 10_000, equity: 9000 };
        await successor.live.send(
          userId,
          some.map((account) => ({ account, ...row })),
        );
      }
      let loads = 0;
      successor.network.faults = {
        before: ({ sql }) => {
          if (HAS_LOADED.test(sql)) loads += 1;
        },
      };
      await successor.live.engine.start();
      await successor.settle();
      for (const account of accounts) {
        assert.equal(await successor.live.read(account, (view) => view.equity), 9000_0000);
      }
      const { partitions } = successor.live.journal;
      assert.ok(loads > 0 && loads <= partitions, `${loads} loads in ${partitions} partitions`);
    });
  });
}
