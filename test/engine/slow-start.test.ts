import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Account } from '../../src/storage/account-store.ts';
import { needs } from '../needs.ts';
import { newAccount } from '../storage-contract/fixture.ts';
import { EngineWorld } from './engine-world.ts';

needs('postgres');

const START_MS = Date.UTC(2026, 2, 1, 10);
/** More than are read at a time. */
const ASKERS = 7;
/** Whether what was loaded for folding is the owner's. */
const IS_OWNER = /^select 1 as owned from claim where fence = \$1$/;

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`a start after a kill with ${kind}`, () => {
    it('gives current answers for each account before all are loaded and folded', async (t) => {
      const world = await EngineWorld.open(t, kind);
      const account = await newAccount(world.database);
      const send = (live: Awaited<ReturnType<typeof world.start>>['live'], second: number) =>
        live.send(account.userId, [
          { account, timeMs: START_MS + second * 1000, balance: 10_000, equity: 10_000 - second },
        ]);
      const first = await world.start();
      await send(first.live, 1);
      await first.store();
      await send(first.live, 2);
      await first.settle();
      await first.kill();
      const second = await world.open();
      const mayLoad = Promise.withResolvers<void>();
      t.after(() => mayLoad.resolve());
      second.network.faults = {
        before: ({ sql }) => (IS_OWNER.test(sql) ? mayLoad.promise : undefined),
      };
      await second.live.engine.start();
      await second.untilPassed(() => second.live.owned.length > 0, 'the takeover');
      const equity = () => second.live.read(account, (view) => view.equity);
      assert.equal(await equity(), 9998_0000);
      await send(second.live, 3);
      assert.equal(await equity(), 9997_0000);
      mayLoad.resolve();
      await second.settle();
      assert.equal(await equity(), 9997_0000);
    });

    it('gives current answers, to any number of requests, while later accounts are loaded', async (t) => {
      const world = await EngineWorld.open(t, kind);
      const accounts: Account[] = [];
      for (let n = 0; n < ASKERS; n += 1) accounts.push(await newAccount(world.database));
      const { live, network } = await world.start();
      const mayLoad = Promise.withResolvers<void>();
      t.after(() => mayLoad.resolve());
      network.faults = {
        before: ({ sql }) => (IS_OWNER.test(sql) ? mayLoad.promise : undefined),
      };
      const found = async () =>
        Promise.all(accounts.map((account) => live.read(account, (view) => view.equity)));
      for (const second of [1, 2]) {
        for (const [place, account] of accounts.entries()) {
          const equity = 9000 + second * 100 + place;
          const timeMs = START_MS + second * 1000;
          await live.send(account.userId, [{ account, timeMs, balance: 10_000, equity }]);
        }
        const expected = accounts.map((_, place) => (9000 + second * 100 + place) * 10_000);
        assert.deepEqual(await found(), expected);
      }
      mayLoad.resolve();
      await live.engine.settle();
      assert.deepEqual(
        await found(),
        accounts.map((_, place) => (9200 + place) * 10_000),
      );
    });
  });
}
