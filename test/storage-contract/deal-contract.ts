import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Deal } from '../../src/domain/deal.ts';
import type { Database } from '../../src/storage/database.ts';
import {
  deleteDeal,
  deleteDealsFrom,
  findDeals,
  insertDeals,
  listDeals,
  sumMoneyBefore,
} from '../../src/storage/deal-store.ts';
import { deal, newNumber, useDatabase } from './fixture.ts';

const BEFORE_ALL = { timeMs: Number.MIN_SAFE_INTEGER, id: '' };

const full = deal('full', 5, {
  positionId: 'p',
  type: 'DEAL_TYPE_SELL',
  entry: 'DEAL_ENTRY_INOUT',
  symbol: 'EURUSD.x',
  volume: 3,
  volumeClosed: 1,
  price: 1.10235,
  positionPrice: 1.1,
  positionTimeMs: -5,
  profit: Number.MAX_SAFE_INTEGER,
  swap: -1,
  commission: -2,
  fee: -3,
  comment: "O'Neil\u00a0€",
  digits: 5,
  contractSize: 0.1,
});

export function registerDealContract(kind: Database['kind']): void {
  describe('deal store', () => {
    const use = useDatabase(kind);
    const add = (accountNumber: number, deals: Deal[]): Promise<Set<string>> =>
      use.database.transaction((tx) => insertDeals(tx, accountNumber, deals));

    it('gives back every field as it was stored', async () => {
      const accountNumber = newNumber();
      const plain = deal('plain', -62_167_219_200_000);
      await add(accountNumber, [full, plain]);
      assert.deepEqual(await listDeals(use.database, accountNumber, BEFORE_ALL, 10), [plain, full]);
    });

    it('tells which deals were new: a known id changes nothing, in any account but its own', async () => {
      const [one, two] = [newNumber(), newNumber()];
      const deals = Array.from({ length: 101 }, (_, n) => deal(`${n}`, n));
      assert.equal((await add(one, deals)).size, 101);
      const again = await add(one, [deal('7', 1000, { profit: 9 }), deal('new', 7)]);
      assert.deepEqual([...again], ['new']);
      assert.deepEqual(await findDeals(use.database, one, ['7']), [deals[7]]);
      assert.equal((await add(two, deals)).size, 101);
    });

    it('pages in order of time and id, and leaves none out among equal times', async () => {
      const accountNumber = newNumber();
      const deals = Array.from({ length: 25 }, (_, n) => deal(`${n}`, Math.floor(n / 10)));
      await add(accountNumber, deals.toReversed());
      const read: Deal[] = [];
      for (let place = BEFORE_ALL; ; ) {
        const page = await listDeals(use.database, accountNumber, place, 4);
        read.push(...page);
        const last = page.at(-1);
        if (!last) break;
        place = { timeMs: last.timeMs, id: last.id };
      }
      const ids = (some: Deal[]): string[] => some.map(({ id }) => id).sort();
      assert.deepEqual(ids(read), ids(deals));
      assert.deepEqual(
        read.map(({ timeMs }) => timeMs),
        deals.map(({ timeMs }) => timeMs).sort((a, b) => a - b),
      );
    });

    it('finds those of many ids that the account has', async () => {
      const accountNumber = newNumber();
      await add(accountNumber, [deal('a', 1), deal('b', 2)]);
      await add(newNumber(), [deal('c', 1)]);
      const ids = ['a', 'c', ...Array.from({ length: 120 }, (_, n) => `none-${n}`), 'b'];
      const found = await findDeals(use.database, accountNumber, ids);
      assert.deepEqual(found.map(({ id }) => id).sort(), ['a', 'b']);
    });

    it('deletes one, or those of a prefix from a time on, of one account only', async () => {
      const [one, two] = [newNumber(), newNumber()];
      const deals = [deal('s-1', 1), deal('s-2', 2), deal('t-3', 3)];
      for (const accountNumber of [one, two]) await add(accountNumber, deals);
      assert.equal(await deleteDealsFrom(use.database, one, 's-', 2), 1);
      assert.equal(await deleteDeal(use.database, one, 's-1'), true);
      assert.equal(await deleteDeal(use.database, one, 's-1'), false);
      assert.deepEqual(await listDeals(use.database, one, BEFORE_ALL, 10), [deals[2]]);
      assert.deepEqual(await listDeals(use.database, two, BEFORE_ALL, 10), deals);
    });

    it('sums the money before a time, credit left out', async () => {
      const accountNumber = newNumber();
      assert.equal(await sumMoneyBefore(use.database, accountNumber, 10), 0);
      await add(accountNumber, [
        deal('1', 1, { profit: 100, swap: -1, commission: -2, fee: -3 }),
        deal('2', 2, { type: 'DEAL_TYPE_CREDIT', profit: 1000 }),
        deal('3', 3, { profit: 7 }),
      ]);
      assert.equal(await sumMoneyBefore(use.database, accountNumber, 3), 94);
      assert.equal(await sumMoneyBefore(use.database, accountNumber, 4), 101);
    });

    it('tells a sum beyond exact amounts as no safe integer', async () => {
      const accountNumber = newNumber();
      const profit = Number.MAX_SAFE_INTEGER;
      const deals = Array.from({ length: 1500 }, (_, n) => deal(`${n}`, 1, { profit }));
      await add(accountNumber, deals.slice(0, 1));
      assert.equal(await sumMoneyBefore(use.database, accountNumber, 2), profit);
      await add(accountNumber, deals);
      const sum = await sumMoneyBefore(use.database, accountNumber, 2);
      assert.ok(sum > 1e19 && !Number.isSafeInteger(sum));
    });
  });
}
