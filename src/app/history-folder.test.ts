import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { needs } from '../../test/needs.ts';
import { openTestDatabase, type TestDatabase } from '../../test/servers/test-databases.ts';
import { deal, newAccount } from '../../test/storage-contract/fixture.ts';
import { ClockViews } from '../domain/live/clock-views.ts';
import { foldSlice, type Slice } from '../histories/fold-slice.ts';
import { readPositionsAt } from '../histories/positions-at.ts';
import { insertNewDeals } from '../ingest/store-deals.ts';
import type { Account } from '../storage/account-store.ts';
import { Thread } from '../threads/thread.ts';
import { HistoryFolder } from './history-folder.ts';

needs('postgres');

type Asked = { account: { currency: string } };

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`folding histories in a thread on ${kind}`, () => {
    let opened: TestDatabase;
    let folder: HistoryFolder;
    let account: Account;
    before(async () => {
      opened = await openTestDatabase(kind);
      const { DATABASE_URL = '', PLIMSOLL_DATA = '' } = opened.environment;
      folder = new HistoryFolder({ DATABASE_URL, PLIMSOLL_DATA });
      account = await newAccount(opened.database);
      const deals = Array.from({ length: 1000 }, (_, index) =>
        deal(`${index}`, index * 60_000, { profit: index }),
      );
      await opened.database.transaction((tx) => insertNewDeals(tx, account.number, deals));
    });
    after(async () => {
      await folder.stop();
      await opened.close();
    });

    const plain = ({ chunks, ...slice }: Slice) => ({
      ...slice,
      chunks: chunks.map((chunk) => [chunk.chunkNumber, chunk.items()]),
    });

    it('gives the same slice as folding here, byte by byte', async () => {
      const here = await foldSlice(opened.database, new ClockViews(), account);
      assert.equal(here.fold.tradeCount, 1000);
      assert.deepEqual(plain(await folder.fold(account)), plain(here));
    });

    it('folds several at a time, and again after it was stopped', async () => {
      const both = [folder.fold(account), folder.fold(account)];
      const [first, second] = await Promise.all(both);
      assert.deepEqual(first && plain(first), second && plain(second));
      await folder.stop();
      assert.equal((await folder.fold(account)).isLast, true);
    });

    it('has two in memory at a time, of users in turns', async (test) => {
      const ask = Thread.prototype.ask;
      const begun: string[] = [];
      let running = 0;
      let most = 0;
      test.mock.method(
        Thread.prototype,
        'ask',
        async function (this: Thread<unknown, unknown>, one: Asked) {
          begun.push(one.account.currency);
          running += 1;
          most = Math.max(most, running);
          return ask.call(this, one).finally(() => {
            running -= 1;
          });
        },
      );
      const foldOf = (userId: string) => folder.fold({ ...account, userId, currency: userId });
      await Promise.all(['AED', 'AED', 'AED', 'AED', 'BHD'].map(foldOf));
      assert.equal(most, 2);
      assert.deepEqual(begun, ['AED', 'AED', 'BHD', 'AED', 'AED']);
    });

    it('finds the same open positions as here', async () => {
      const trading = await newAccount(opened.database);
      const deals = Array.from({ length: 9 }, (_, index) =>
        deal(`${index}`, index, { type: 'DEAL_TYPE_BUY', symbol: 'EURUSD', volume: 1, price: 1 }),
      );
      await opened.database.transaction((tx) => insertNewDeals(tx, trading.number, deals));
      const here = await readPositionsAt(opened.database, new ClockViews(), trading, 5, 3);
      assert.equal(here.count, 1);
      assert.deepEqual(await folder.positionsAt(trading, 5, 3), here);
    });

    it('rejects waiting callers when stopped', async () => {
      const waiting = assert.rejects(folder.fold(account), /stopping/);
      await folder.stop();
      await waiting;
    });
  });
}
