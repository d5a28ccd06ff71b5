import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Deal } from '../../src/domain/deal.ts';
import type { Database } from '../../src/storage/database.ts';
import {
  deleteDealRow,
  findDeals,
  insertDeals,
  listDeals,
  listStoredDeals,
  replaceDeal,
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
  magic: Number.MIN_SAFE_INTEGER,
  stopLoss: 1.11,
  takeProfit: 1.05,
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
      const stored = { ...deals[7], importNumber: undefined };
      assert.deepEqual(await findDeals(use.database, one, ['7']), [stored]);
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

    it('pages as stored up to a time, and tells which import brought a deal', async () => {
      const accountNumber = newNumber();
      await add(accountNumber, [deal('a', 1), full]);
      const [b, c] = [deal('b', 1), deal('c', 9)];
      await use.database.transaction((tx) => insertDeals(tx, accountNumber, [b, c], 7));
      const page = (place: { timeMs: number; id: string }, toMs: number, limit: number) =>
        listStoredDeals(use.database, accountNumber, place, toMs, limit);
      const all = [
        { ...deal('a', 1), importNumber: undefined },
        { ...b, importNumber: 7 },
        { ...full, importNumber: undefined },
        { ...c, importNumber: 7 },
      ];
      assert.deepEqual(await page(BEFORE_ALL, 10, 10), all);
      assert.deepEqual(await page(BEFORE_ALL, 9, 2), all.slice(0, 2));
      assert.deepEqual(await page({ timeMs: 1, id: 'a' }, 9, 10), all.slice(1, 3));
    });

    it('replaces what a deal says, and leaves the import that brought it', async () => {
      const accountNumber = newNumber();
      const known = deal('x', 1);
      await use.database.transaction((tx) => insertDeals(tx, accountNumber, [known], 7));
      const corrected = { ...full, id: 'x' };
      assert.equal(await replaceDeal(use.database, accountNumber, corrected), true);
      assert.equal(await replaceDeal(use.database, accountNumber, { ...full, id: 'y' }), false);
      const [stored] = await listStoredDeals(use.database, accountNumber, BEFORE_ALL, 10, 10);
      assert.deepEqual(stored, { ...corrected, importNumber: 7 });
    });

    it('deletes one, of one account only', async () => {
      const [one, two] = [newNumber(), newNumber()];
      const deals = [deal('s-1', 1), deal('t-3', 3)];
      for (const accountNumber of [one, two]) await add(accountNumber, deals);
      assert.equal(await use.database.transaction((tx) => deleteDealRow(tx, one, 's-1')), true);
      assert.equal(await use.database.transaction((tx) => deleteDealRow(tx, one, 's-1')), false);
      assert.deepEqual(await listDeals(use.database, one, BEFORE_ALL, 10), [deals[1]]);
      assert.deepEqual(await listDeals(use.database, two, BEFORE_ALL, 10), deals);
    });
  });
}
