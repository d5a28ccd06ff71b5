import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  deleteAccount,
  findAccount,
  findAccounts,
  listAccounts,
  updateAccount,
} from '../../src/storage/account-store.ts';
import { type Database, UniqueViolation } from '../../src/storage/database.ts';
import {
  readJournalAccounts,
  readNumberedAccounts,
} from '../../src/storage/journal-account-store.ts';
import { newAccount, newUser, useDatabase } from './fixture.ts';

export function registerAccountContract(kind: Database['kind']): void {
  describe('account store', () => {
    const use = useDatabase(kind);

    it('gives back every field as it was stored', async () => {
      const account = await newAccount(use.database, {
        login: '999999999999999999',
        leverage: 33.3,
        brokerClock: { zone: 'Asia/Kathmandu', shiftHours: -0.25 },
        tier: 'g2',
        copy: true,
        dedicatedIpv4: true,
        deployed: false,
        statisticsEnabled: false,
        profileId: 'profile',
      });
      assert.deepEqual(await findAccount(use.database, account.id), account);
    });

    it('refuses an id that is taken, by whomever', async () => {
      const { id } = await newAccount(use.database);
      await assert.rejects(newAccount(use.database, { id }), UniqueViolation);
    });

    it('changes everything but the id, the user and the time of creation', async () => {
      const account = await newAccount(use.database);
      const changed = {
        ...account,
        name: 'New',
        currency: 'EUR',
        brokerClock: { zone: 'UTC', shiftHours: 0 },
        copy: true,
        deployed: false,
        profileId: 'p',
      };
      await use.database.transaction((tx) => updateAccount(tx, changed));
      assert.deepEqual(await findAccount(use.database, account.id), changed);
    });

    it('does not change an account that took the id since, nor one of another user', async () => {
      const account = await newAccount(use.database, { createdAtMs: 5 });
      const userId = await newUser(use.database);
      await use.database.transaction(async (tx) => {
        await updateAccount(tx, { ...account, name: 'Stolen', createdAtMs: 4 });
        await updateAccount(tx, { ...account, name: 'Stolen', userId });
      });
      assert.deepEqual(await findAccount(use.database, account.id), account);
    });

    it('lists a page of the accounts of one user, in order of their ids', async () => {
      const userId = await newUser(use.database);
      const prefix = randomUUID();
      const ids = ['10', '2', 'B', 'a'].map((id) => `${prefix}-${id}`);
      for (const id of ids.toReversed()) await newAccount(use.database, { id, userId });
      await newAccount(use.database);
      const page = async (limit: number, offset: number): Promise<string[]> =>
        (await listAccounts(use.database, userId, limit, offset)).map(({ id }) => id);
      const all = await page(1000, 0);
      assert.deepEqual(new Set(all), new Set(ids));
      assert.deepEqual([...(await page(3, 0)), ...(await page(3, 3))], all);
      assert.deepEqual(await page(3, 4), []);
    });

    it('finds those of many ids that exist', async () => {
      const { id } = await newAccount(use.database);
      const ids = Array.from({ length: 251 }, () => randomUUID());
      const found = await findAccounts(use.database, [...ids, id]);
      assert.deepEqual(
        found.map((account) => account.id),
        [id],
      );
      assert.deepEqual(await findAccounts(use.database, []), []);
    });

    it('deletes one account only', async () => {
      const userId = await newUser(use.database);
      const one = await newAccount(use.database, { userId });
      const two = await newAccount(use.database, { userId });
      await use.database.transaction((tx) => deleteAccount(tx, one.id));
      assert.deepEqual(await listAccounts(use.database, userId, 10, 0), [two]);
    });

    it('has a number in the journal that no later account gets, and keeps it when deleted', async () => {
      const { database } = use;
      const first = await newAccount(database, { createdAtMs: 5 });
      const { id } = first;
      const numberOf = async () => (await readJournalAccounts(database, [id])).get(id)?.number ?? 0;
      const before = await numberOf();
      await database.transaction((tx) => deleteAccount(tx, id));
      assert.equal((await readJournalAccounts(database, [id])).size, 0);
      await newAccount(database, { ...first, createdAtMs: 6 });
      const after = await numberOf();
      assert.ok(after > before);
      const found = await readNumberedAccounts(database, [after, before, 0]);
      assert.deepEqual(
        found.toSorted((a, b) => a.number - b.number),
        [
          { number: before, id, createdAtMs: 5 },
          { number: after, id, createdAtMs: 6 },
        ],
      );
    });
  });
}
