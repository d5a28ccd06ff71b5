import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs } from '../../test/needs.ts';
import { FaultyDatabase } from '../../test/servers/faulty-database.ts';
import { testContext } from '../../test/servers/test-context.ts';
import { openTestDatabase, type TestDatabase } from '../../test/servers/test-databases.ts';
import { deal, gate, hold, newAccount } from '../../test/storage-contract/fixture.ts';
import { ClockViews } from '../domain/live/clock-views.ts';
import { insertNewDeals } from '../ingest/store-deals.ts';
import { type Account, updateAccountRow } from '../storage/account-store.ts';
import { type Database, DatabaseUnavailable, type Transaction } from '../storage/database.ts';
import { countUnsettled, historyLock, noteDealsChanged } from '../storage/history-store.ts';
import { foldSlice } from './fold-slice.ts';
import { type HistoryThread, TradeComputer } from './trade-computer.ts';

needs('postgres');

type Context = Awaited<ReturnType<typeof testContext>>;

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`computing trades on ${kind}`, () => {
    let opened: TestDatabase;
    let database: Database;
    let context: Context;
    before(async () => {
      opened = await openTestDatabase(kind);
      database = opened.database;
      context = await testContext(database);
    });
    after(() => opened.close());

    /** An account, by default a new one, with this many more balance operations. */
    async function withDeals(count: number, account?: Account): Promise<Account> {
      const own = account ?? (await newAccount(database));
      const deals = Array.from({ length: count }, (_, n) => deal(crypto.randomUUID(), n + 1));
      await database.transaction((tx) => insertNewDeals(tx, own.number, deals));
      return own;
    }

    it('is ready when every deal from before the call is in the trades', async () => {
      const trades = new TradeComputer(context);
      const account = await withDeals(3);
      assert.deepEqual(await trades.current(account), { ready: true, tradeVersion: 1 });
      await withDeals(2, account);
      assert.deepEqual(await trades.current(account), { ready: true, tradeVersion: 2 });
      const versions = { dealVersion: 2, tradeVersion: 2, isSettled: true };
      assert.deepEqual(await trades.versionsOf(account), versions);
    });

    it('is not ready with outdated trades while the most accounts are being computed', async (t) => {
      if (kind === 'sqlite') return t.skip('writers take turns on SQLite');
      const trades = new TradeComputer(context, { maxComputations: 1 });
      const [busy, victim] = [await withDeals(1), await withDeals(1)];
      const holding = gate();
      const done = gate();
      const holder = database.transaction(async (tx: Transaction) => {
        await tx.lock(historyLock(busy.number));
        holding.open();
        await hold(tx, done.opened);
      });
      await holding.opened;
      const computing = trades.current(busy);
      // Waits for running computations; no notification says that all is up to date.
      let outcome = await trades.current(victim);
      while (outcome.ready) {
        await withDeals(1, victim);
        outcome = await trades.current(victim);
      }
      assert.ok(outcome.retryAfterSeconds > 0);
      done.open();
      await holder;
      assert.equal((await computing).ready, true);
      assert.equal((await trades.current(victim)).ready, true);
    });

    it('leaves places for others when one user has the most allowed', async (t) => {
      if (kind === 'sqlite') return t.skip('writers take turns on SQLite');
      const trades = new TradeComputer(context, { maxComputations: 4 });
      const busy = await withDeals(1);
      const own = await withDeals(1, await newAccount(database, { userId: busy.userId }));
      const [holding, done] = [gate(), gate()];
      const holder = database.transaction(async (tx: Transaction) => {
        await tx.lock(historyLock(busy.number));
        holding.open();
        await hold(tx, done.opened);
      });
      await holding.opened;
      const computing = trades.current(busy);
      let outcome = await trades.current(own);
      while (outcome.ready) {
        await withDeals(1, own);
        outcome = await trades.current(own);
      }
      assert.equal((await trades.current(await withDeals(1))).ready, true);
      done.open();
      await holder;
      await computing;
      assert.equal((await trades.current(own)).ready, true);
    });

    it('goes on with the clock that an account was given meanwhile', async () => {
      const account = await withDeals(1);
      const brokerClock = { zone: 'Europe/Athens', shiftHours: 0 };
      const folded: string[] = [];
      const thread: HistoryThread = {
        fold: async (of) => {
          folded.push(of.brokerClock.zone);
          if (folded.length === 1) {
            await database.transaction(async (tx) => {
              await updateAccountRow(tx, { ...account, brokerClock });
              await noteDealsChanged(tx, account.number, true);
            });
          }
          return foldSlice(database, new ClockViews(), of);
        },
        positionsAt: () => Promise.reject(new Error('nobody asks')),
      };
      const trades = new TradeComputer(context, { thread, dealsWhileWaiting: 0 });
      await trades.current(account);
      await trades.settle();
      assert.deepEqual(folded, [account.brokerClock.zone, brokerClock.zone]);
      assert.equal((await trades.current(account)).ready, true);
    });

    it('does not keep callers waiting when deals make a computation long, and ends it', async () => {
      const account = await withDeals(1);
      const slow = new FaultyDatabase(database);
      const [folded, mayStore, mayGoOn] = [gate(), gate(), gate()];
      let inThread = 0;
      const thread: HistoryThread = {
        fold: async (of) => {
          inThread += 1;
          await mayGoOn.opened;
          return foldSlice(database, new ClockViews(), of);
        },
        positionsAt: () => Promise.reject(new Error('nobody asks')),
      };
      const trades = new TradeComputer(await testContext(slow), { thread });
      slow.faults.before = ({ sql }) => {
        if (sql !== 'begin') return undefined;
        folded.open();
        return mayStore.opened;
      };
      const waiting = trades.current(account);
      await folded.opened;
      await withDeals(30_000, account);
      mayStore.open();
      assert.equal((await waiting).ready, false);
      assert.equal(inThread, 1);
      assert.equal((await trades.current(account)).ready, false);
      mayGoOn.open();
      await trades.settle();
      assert.equal((await trades.current(account)).ready, true);
    });

    it('is never ready while an import is being stored or taken back', async () => {
      const trades = new TradeComputer(context);
      const account = await withDeals(1);
      const count = (change: 1 | -1) =>
        database.transaction((tx) => countUnsettled(tx, account.number, change));
      await count(1);
      assert.equal((await trades.current(account)).ready, false);
      await count(-1);
      assert.equal((await trades.current(account)).ready, true);
    });

    it('fails its callers, and nothing else, while the database is away', async () => {
      const account = await withDeals(1);
      const away = (): Promise<never> => Promise.reject(new DatabaseUnavailable('away'));
      // Both counting the deals and computing the trades meet the outage. An unhandled rejection
      // would end the process, and fails this test.
      const { all, run } = database;
      const trades = new TradeComputer({
        ...context,
        database: { kind, all: all.bind(database), run: run.bind(database), get: away },
      });
      await assert.rejects(trades.current(account), DatabaseUnavailable);
      await trades.settle();
      assert.equal((await new TradeComputer(context).current(account)).ready, true);
    });
  });
}
