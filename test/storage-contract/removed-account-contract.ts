import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemTime } from '../../src/app/system-time.ts';
import { type Account, removeAccount } from '../../src/storage/account-store.ts';
import type { Database } from '../../src/storage/database.ts';
import { insertDeals } from '../../src/storage/deal-store.ts';
import { noteDealsChanged } from '../../src/storage/history-store.ts';
import { countHolding, readHolding } from '../../src/storage/holding-store.ts';
import { writeHours } from '../../src/storage/hour-store.ts';
import { addIncidentEntry, INCIDENT_ENTRY_BYTES } from '../../src/storage/incident-store.ts';
import { writeLiveAccounts } from '../../src/storage/live-store.ts';
import { saveMarket } from '../../src/storage/market-store.ts';
import { writeMinutes } from '../../src/storage/minute-store.ts';
import { PartitionLost } from '../../src/storage/partition-store.ts';
import { replaceQuotes } from '../../src/storage/quote-store.ts';
import {
  AccountSweep,
  listSweepable,
  noteFolded,
} from '../../src/storage/removed-account-store.ts';
import { insertSeal, listSeals, type StoredSeal } from '../../src/storage/seal-store.ts';
import { saveSync } from '../../src/storage/sync-store.ts';
import { insertTracker } from '../../src/storage/tracker-store.ts';
import { deal, newAccount, useDatabase } from './fixture.ts';
import { hourOf, liveAccountOf, ownPartition } from './live-fixture.ts';
import { minuteOf } from './minute-contract.ts';

const DEALS = 1200;
/** More than are rewritten at a time. */
const SEALS = 250;

const sealOf = (userId: string, place: number, accountNumber: number): StoredSeal => ({
  ...{ userId, place, accountNumber },
  sequenceNumber: accountNumber * 1000 + place,
  ...{ hashes: Buffer.alloc(32), statement: '{}' },
});

export function registerRemovedAccountContract(kind: Database['kind']): void {
  describe('removed accounts', () => {
    const use = useDatabase(kind);

    /** An account with rows in most tables. */
    async function usedAccount(): Promise<Account> {
      const account = await newAccount(use.database);
      const { number } = account;
      await use.database.transaction(async (tx) => {
        await insertDeals(
          tx,
          number,
          Array.from({ length: DEALS }, (_, n) => deal(`${n}`, n)),
        );
        await noteDealsChanged(tx, number, false);
        await saveMarket(tx, number, { symbols: [], quotes: [] }, 1);
        await replaceQuotes(tx, account, [
          { base: 'EUR', profit: 'USD', symbol: 'EURUSD', bid: 1, ask: 1, quotedAtMs: 1 },
        ]);
        await insertTracker(tx, number, { id: 't', name: 't', period: 'day' }, 1);
        await writeHours(tx, [hourOf(number, 0)]);
        await writeMinutes(tx, [minuteOf(number, 0)]);
        await writeLiveAccounts(tx, [liveAccountOf(number, { position: 1 })]);
        await saveSync(tx, {
          ...{ accountNumber: number, profileId: 'p', version: 1, cursorMs: 0 },
          ...{ provenAtMs: null, failures: 0, lastError: null, readAtMs: null },
          ...{ platformCurrency: null, platformLeverage: null },
        });
      });
      return account;
    }
    const remove = ({ number }: Account) =>
      use.database.transaction((tx) => removeAccount(tx, number, 1));
    const sweepOf = ({ number }: Account) => new AccountSweep(use.database, systemTime, number);
    async function dealsOf({ number }: Account): Promise<number> {
      const sql = 'select count(*) as count from deal where account_number = $1';
      const row = await use.database.get<{ count: number }>(sql, [number]);
      return Number(row?.count);
    }
    /** Tables that have rows of the account. */
    async function rowsOf({ number }: Account): Promise<string[]> {
      const tables = ['deal', 'account_history', 'account_market', 'tracker', 'equity_bucket'];
      const found: string[] = [];
      for (const table of [
        ...tables,
        'equity_minutes',
        'pair_quote',
        'live_account',
        'account_sync',
      ]) {
        const sql = `select 1 as one from ${table} where account_number = $1 limit 1`;
        if (await use.database.get(sql, [number])) found.push(table);
      }
      return found;
    }

    it('are swept once their removal is folded, some rows at a time, and no others', async () => {
      const [gone, stays] = [await usedAccount(), await usedAccount()];
      const { partition, epoch } = await ownPartition(use.database);
      const before = await rowsOf(gone);
      await remove(gone);
      assert.deepEqual(await listSweepable(use.database, 10), []);
      assert.deepEqual(await rowsOf(gone), before);
      await noteFolded(use.database, partition, epoch, [gone.number, stays.number]);
      assert.deepEqual(await listSweepable(use.database, 10), [gone.number]);
      const sweep = sweepOf(gone);
      let slices = 0;
      while (await sweep.removeSome()) slices += 1;
      assert.ok(slices >= before.length, `${slices} slices`);
      assert.deepEqual(await rowsOf(gone), []);
      assert.deepEqual(await rowsOf(stays), before);
      assert.deepEqual(await listSweepable(use.database, 10), []);
      assert.equal(await sweep.removeSome(), false);
    });

    it('give back what was counted of the notes on their incidents', async () => {
      const gone = await newAccount(use.database);
      const noted = { accountNumber: gone.number, timeMs: 1, atMs: 1, author: 'user' } as const;
      await use.database.transaction(async (tx) => {
        for (const words of ['phoned him', null])
          await addIncidentEntry(tx, { ...noted, kind: 'noted', words });
        const bytes = 2 * INCIDENT_ENTRY_BYTES + 'phoned him'.length;
        await countHolding(tx, gone.userId, 'note', { items: 2, bytes });
      });
      await remove(gone);
      const sweep = sweepOf(gone);
      while (await sweep.removeSome());
      assert.deepEqual(
        { ...(await readHolding(use.database, gone.userId, 'note')) },
        { items: 0, bytes: 0 },
      );
    });

    it('are removed by fewer rows at a time where these take long', async () => {
      for (const [slowMs, isFew] of [
        [1000, true],
        [0, false],
      ] as const) {
        const gone = await usedAccount();
        await remove(gone);
        let elapsedMs = 0;
        const slow = { ...systemTime, elapsed: () => (elapsedMs += slowMs) };
        const sweep = new AccountSweep(use.database, slow, gone.number);
        let most = 0;
        for (let before = DEALS; await sweep.removeSome(); ) {
          const left = await dealsOf(gone);
          most = Math.max(most, before - left);
          before = left;
        }
        assert.equal(await dealsOf(gone), 0);
        assert.equal(most <= 100, isFew, `${most} rows at a time`);
      }
    });

    it('lose what came to a table after its turn', async () => {
      const gone = await usedAccount();
      await remove(gone);
      const sweep = sweepOf(gone);
      while (await sweep.removeSome()) {
        if ((await dealsOf(gone)) > 0) continue;
        const tracker = { id: 'late', name: 'late', period: 'day' } as const;
        await use.database.transaction((tx) => insertTracker(tx, gone.number, tracker, 1));
        break;
      }
      while (await sweep.removeSome());
      assert.deepEqual(await rowsOf(gone), []);
    });

    it('keep their seals, and nothing that these said of their events', async () => {
      const [gone, stays] = [await newAccount(use.database), await newAccount(use.database)];
      const places = Array.from({ length: SEALS }, (_, index) => index + 1);
      await use.database.transaction(async (tx) => {
        for (const place of places) {
          await insertSeal(tx, sealOf('gone', place, gone.number));
          await insertSeal(tx, sealOf('stays', place, stays.number));
        }
      });
      await remove(gone);
      const sweep = sweepOf(gone);
      let slices = 0;
      while (await sweep.removeSome()) slices += 1;
      assert.ok(slices > 1, `${slices} slices`);
      const sealsOf = (userId: string) => listSeals(use.database, userId, 1, SEALS + 1);
      assert.deepEqual(
        await sealsOf('gone'),
        places.map((place) => ({ ...sealOf('gone', place, gone.number), statement: undefined })),
      );
      assert.deepEqual(
        await sealsOf('stays'),
        places.map((place) => sealOf('stays', place, stays.number)),
      );
    });

    it('are noted as folded by the owner of their partition only', async () => {
      const gone = await usedAccount();
      const { partition, epoch } = await ownPartition(use.database);
      await remove(gone);
      await assert.rejects(
        noteFolded(use.database, partition, epoch - 1, [gone.number]),
        PartitionLost,
      );
      assert.deepEqual(await listSweepable(use.database, 10), []);
      await noteFolded(use.database, partition, epoch, [gone.number]);
      assert.deepEqual(await listSweepable(use.database, 10), [gone.number]);
      const sweep = sweepOf(gone);
      while (await sweep.removeSome());
    });
  });
}
