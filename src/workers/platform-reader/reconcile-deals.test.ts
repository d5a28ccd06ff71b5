import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs } from '../../../test/needs.ts';
import { fc } from '../../../test/properties.ts';
import { testContext } from '../../../test/servers/test-context.ts';
import { openTestDatabase, type TestDatabase } from '../../../test/servers/test-databases.ts';
import { newAccount } from '../../../test/storage-contract/fixture.ts';
import { compareDeals, type Deal } from '../../domain/deal.ts';
import { partitionOf } from '../../journal/entry.ts';
import { type Account, removeAccount } from '../../storage/account-store.ts';
import type { Database } from '../../storage/database.ts';
import { listDeals } from '../../storage/deal-store.ts';
import { readHistory } from '../../storage/history-store.ts';
import { type DealRange, reconcileDeals } from './reconcile-deals.ts';

needs('postgres');

const deal = (id: string, timeMs: number, profit = 1): Deal => ({
  id,
  type: 'DEAL_TYPE_BALANCE',
  volume: 0,
  profit,
  swap: 0,
  commission: 0,
  fee: 0,
  timeMs,
});
const EVER: DealRange = { fromMs: 0, toMs: 1e15 };
const RUNS = 60;

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`reconciling deals on ${kind}`, () => {
    let files: TestDatabase;
    let database: Database;
    let context: Awaited<ReturnType<typeof testContext>>;
    before(async () => {
      files = await openTestDatabase(kind);
      database = files.database;
      context = await testContext(database);
    });
    after(() => files.close());
    const reconcile = (account: Account, range: DealRange, deals: readonly Deal[]) =>
      context.changes.record((tx) => reconcileDeals(tx, account, range, deals));
    const stored = async ({ number }: Account): Promise<[string, number, number][]> =>
      (await listDeals(database, number, { timeMs: -1, id: '' }, 10_000))
        .sort(compareDeals)
        .map(({ id, timeMs, profit }) => [id, timeMs, profit]);

    it('adds, replaces and removes within the range and touches nothing outside', async () => {
      const account = await newAccount(database);
      await reconcile(account, EVER, [deal('1', 10), deal('2', 20), deal('3', 30), deal('4', 40)]);
      const result = await reconcile(account, { fromMs: 20, toMs: 40 }, [
        deal('3', 30, 7),
        deal('5', 35),
      ]);
      assert.deepEqual(
        { ...result, added: result.added.map(({ id }) => id) },
        { added: ['5'], changed: 1, removed: 1 },
      );
      assert.deepEqual(await stored(account), [
        ['1', 10, 1],
        ['3', 30, 7],
        ['5', 35, 1],
        ['4', 40, 1],
      ]);
    });

    it('adopts a deal that moved into the range from elsewhere', async () => {
      const account = await newAccount(database);
      await reconcile(account, EVER, [deal('1', 10), deal('2', 90)]);
      const result = await reconcile(account, { fromMs: 50, toMs: 80 }, [deal('1', 60)]);
      assert.equal(result.changed, 1);
      assert.deepEqual(await stored(account), [
        ['1', 60, 1],
        ['2', 90, 1],
      ]);
    });

    it('adopts a deal from outside of the range that came with one inside, once', async () => {
      const account = await newAccount(database);
      const range = { fromMs: 50, toMs: 80 };
      const closed = [deal('9-in', 10), deal('9-out', 60)];
      const first = await reconcile(account, range, closed);
      assert.equal(first.added.length, 2);
      const again = await reconcile(account, range, closed);
      assert.deepEqual(again, { added: [], changed: 0, removed: 0 });
      const edited = await reconcile(account, range, [deal('9-in', 10, 5), deal('9-out', 60)]);
      assert.equal(edited.changed, 1);
      assert.deepEqual(await stored(account), [
        ['9-in', 10, 5],
        ['9-out', 60, 1],
      ]);
    });

    it('leaves the trades unchanged if nothing changed', async () => {
      const account = await newAccount(database);
      await reconcile(account, EVER, [deal('1', 10), deal('2', 20)]);
      const { dealVersion } = await readHistory(database, account.number);
      await reconcile(account, EVER, [deal('2', 20), deal('1', 10)]);
      assert.equal((await readHistory(database, account.number)).dealVersion, dealVersion);
    });

    it('sends new deals to the live side, in the same transaction', async () => {
      const account = await newAccount(database);
      const { journal } = context;
      const after = await journal.head();
      await reconcile(account, EVER, [deal('1', 10), deal('2', 20)]);
      await reconcile(account, EVER, [deal('1', 10), deal('2', 20, 7), deal('3', 30)]);
      await journal.head();
      const told = (await journal.read(after)).map((commit) => {
        const entry = commit.entryOf(partitionOf(account.number, journal.partitions));
        return entry?.deals.map(([, , id]) => id);
      });
      assert.deepEqual(told, [['1', '2'], ['3']]);
    });

    it('stores nothing for an account that has been deleted', async () => {
      const account = await newAccount(database);
      await database.transaction((tx) => removeAccount(tx, account.number, 1));
      const head = await context.journal.head();
      await assert.rejects(reconcile(account, EVER, [deal('1', 10)]), { code: 'notFound' });
      assert.deepEqual(await stored(account), []);
      assert.equal(await context.journal.head(), head);
    });

    it("ends with the platform's deals, whatever happened there", async () => {
      const deals = fc.uniqueArray(
        fc.record({
          id: fc.integer({ min: 1, max: 12 }),
          timeMs: fc.integer({ min: 0, max: 99 }),
          profit: fc.integer({ min: -2, max: 2 }),
        }),
        { selector: ({ id }) => id, maxLength: 12 },
      );
      await fc.assert(
        fc.asyncProperty(fc.array(deals, { minLength: 1, maxLength: 4 }), async (worlds) => {
          const account = await newAccount(database);
          for (const world of worlds) {
            const seen = world.map(({ id, timeMs, profit }) => deal(String(id), timeMs, profit));
            await reconcile(account, EVER, seen);
            assert.deepEqual(
              await stored(account),
              seen.sort(compareDeals).map(({ id, timeMs, profit }) => [id, timeMs, profit]),
            );
          }
        }),
        { numRuns: RUNS },
      );
    });
  });
}
