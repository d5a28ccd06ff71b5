import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { deleteClaim, insertClaims } from '../../src/storage/claim-store.ts';
import type { Database } from '../../src/storage/database.ts';
import { insertDeals, listStoredDeals } from '../../src/storage/deal-store.ts';
import { countUnsettled, readHistoryVersions } from '../../src/storage/history-store.ts';
import {
  findImport,
  findImportOf,
  holdImport,
  importIds,
  insertImport,
  leaveImport,
  listCarriedIn,
  listImports,
  listLeft,
  noteListed,
  type StatementImport,
  sweepImport,
  updateImport,
} from '../../src/storage/import-store.ts';
import type { ImportState } from '../../src/words/service.ts';
import { fc } from '../properties.ts';
import { deal, newNumber, useDatabase } from './fixture.ts';

const RUNS = 15;
const BEFORE_ALL = { timeMs: Number.MIN_SAFE_INTEGER, id: '' };

export function registerImportContract(kind: Database['kind']): void {
  describe('import store', () => {
    const use = useDatabase(kind);
    const add = async (fields: Partial<StatementImport> = {}): Promise<StatementImport> => {
      const fresh = {
        accountNumber: newNumber(),
        id: randomUUID(),
        contentHash: randomUUID(),
        state: 'stored' as const,
        createdAtMs: 1,
        carriedIn: undefined,
        carriedInTimeMs: undefined,
        record: {},
        ...fields,
      };
      const number = await use.database.transaction((tx) => insertImport(tx, fresh));
      return { ...fresh, number };
    };

    it('notes no deals for an import that was taken back', async () => {
      const accountNumber = newNumber();
      const there = await add({ accountNumber });
      const gone = { accountNumber, number: there.number + 1000 };
      await use.database.transaction(async (tx) => {
        await insertDeals(tx, accountNumber, [deal('a', 1)], there.number);
        await noteListed(tx, gone, ['a']);
      });
      const listed = 'select * from listed_deal where account_number = $1';
      assert.deepEqual(await use.database.all(listed, [accountNumber]), []);
    });

    it('gives an import back by id, by content, and newest first', async () => {
      const accountNumber = newNumber();
      const first = await add({ accountNumber, record: { kind: 'a', warnings: ['é'] } });
      const second = await add({ accountNumber, carriedIn: -5 });
      await add();
      assert.deepEqual(await findImport(use.database, accountNumber, first.id), first);
      assert.equal(await findImport(use.database, newNumber(), first.id), undefined);
      assert.deepEqual(await findImportOf(use.database, accountNumber, second.contentHash), second);
      assert.deepEqual(await listImports(use.database, accountNumber, 9, 0), [second, first]);
      assert.deepEqual(await listImports(use.database, accountNumber, 1, 1), [first]);
      const ids = await importIds(use.database, [first.number, -1]);
      assert.deepEqual([...ids], [[first.number, first.id]]);
    });

    it('tells balances carried in of what is stored, in the order of time', async () => {
      const accountNumber = newNumber();
      const late = await add({
        accountNumber,
        carriedIn: 9,
        carriedInTimeMs: 20,
        state: 'storing',
      });
      await add({ accountNumber, carriedIn: 5, carriedInTimeMs: 10 });
      await add({ accountNumber, carriedIn: 1, carriedInTimeMs: 5, state: 'leaving' });
      const early = { timeMs: 10, balance: 5 };
      assert.deepEqual(await listCarriedIn(use.database, accountNumber), [early]);
      await use.database.transaction((tx) => updateImport(tx, { ...late, state: 'stored' }));
      const both = [early, { timeMs: 20, balance: 9 }];
      assert.deepEqual(await listCarriedIn(use.database, accountNumber), both);
    });

    it('finds what leaves, and what is in storing though nobody stores it', async () => {
      const leaving = await add({ state: 'leaving' });
      const storing = await add({ state: 'storing' });
      const stored = await add({ state: 'stored' });
      const own = [leaving, storing, stored].map(({ number }) => number);
      const found = async () =>
        (await listLeft(use.database, 100))
          .map(({ number }) => number)
          .filter((number) => own.includes(number));
      const [claim] = await use.database.transaction((tx) =>
        insertClaims(tx, 'import', [String(storing.number)], 'process'),
      );
      assert.ok(claim);
      assert.deepEqual(await found(), [leaving.number]);
      await deleteClaim(use.database, claim.fence);
      assert.deepEqual(await found(), [leaving.number, storing.number]);
      const isIn = (state: ImportState) =>
        use.database.transaction((tx) => holdImport(tx, storing.number, state));
      assert.deepEqual([await isIn('storing'), await isIn('stored')], [true, false]);
    });

    it('takes back nothing of one that has been stored since it was seen to stand still', async () => {
      const accountNumber = newNumber();
      const made = await importOf(accountNumber, ['1']);
      assert.equal(await sweepImport(use.database, { ...made, state: 'storing' }), false);
      assert.deepEqual(await dealsOf(accountNumber), ['1']);
      const left = use.database.transaction((tx) => leaveImport(tx, made.number, 'storing'));
      assert.equal(await left, false);
    });

    it('takes back what no other import lists, whatever the order of imports', async () => {
      const id = fc.integer({ min: 0, max: 12 }).map(String);
      const step = fc.oneof(
        fc.uniqueArray(id, { maxLength: 8 }).map((ids) => ({ ids })),
        fc.nat({ max: 5 }).map((leaves) => ({ leaves })),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
          const accountNumber = newNumber();
          await use.database.transaction((tx) =>
            insertDeals(tx, accountNumber, [deal('pushed', 1), deal('3', 1)]),
          );
          const here: { made: StatementImport; ids: string[] }[] = [];
          for (const each of steps) {
            if ('ids' in each)
              here.push({ made: await importOf(accountNumber, each.ids), ...each });
            else if (here.length > 0) {
              const [gone] = here.splice(each.leaves % here.length, 1);
              if (gone) await takeBack(gone.made);
            }
          }
          const wanted = new Set(['pushed', '3', ...here.flatMap(({ ids }) => ids)]);
          assert.deepEqual((await dealsOf(accountNumber)).sort(), [...wanted].sort());
          for (const { made } of here) await takeBack(made);
          assert.deepEqual((await dealsOf(accountNumber)).sort(), ['3', 'pushed']);
          const left = await use.database.get(
            'select 1 as one from listed_deal where account_number = $1',
            [accountNumber],
          );
          assert.equal(left, undefined);
        }),
        { numRuns: RUNS },
      );
    });

    it('takes back many deals some at a time, and is unsettled to the last of them', async () => {
      const accountNumber = newNumber();
      const ids = Array.from({ length: 450 }, (_, n) => `${n}`);
      const made = await importOf(accountNumber, ids);
      await use.database.transaction((tx) => countUnsettled(tx, accountNumber, 1));
      const versions = async () =>
        (await readHistoryVersions(use.database, [accountNumber])).get(accountNumber);
      const before = await versions();
      let rounds = 0;
      while (await sweepImport(use.database, { ...made, state: 'leaving' })) {
        rounds += 1;
        assert.equal((await versions())?.isSettled, false);
      }
      assert.ok(rounds > 1);
      const after = await versions();
      assert.equal(after?.isSettled, true);
      assert.ok(Number(after?.dealVersion) > Number(before?.dealVersion));
      assert.equal(await sweepImport(use.database, made), false);
      assert.deepEqual(await versions(), after);
    });

    const importOf = async (accountNumber: number, ids: string[]): Promise<StatementImport> => {
      const made = await add({ accountNumber });
      await use.database.transaction(async (tx) => {
        const deals = ids.map((id) => deal(id, Number(id)));
        const stored = await insertDeals(tx, accountNumber, deals, made.number);
        const known = ids.filter((id) => !stored.has(id));
        await noteListed(tx, made, known);
      });
      return made;
    };
    const takeBack = async (made: StatementImport): Promise<void> => {
      const { accountNumber, number } = made;
      await use.database.transaction(async (tx) => {
        await leaveImport(tx, number, 'stored');
        await countUnsettled(tx, accountNumber, 1);
      });
      while (await sweepImport(use.database, { ...made, state: 'leaving' }));
    };
    const dealsOf = async (accountNumber: number): Promise<string[]> => {
      const to = Number.MAX_SAFE_INTEGER;
      const deals = await listStoredDeals(use.database, accountNumber, BEFORE_ALL, to, 100);
      return deals.map(({ id }) => id);
    };
  });
}
