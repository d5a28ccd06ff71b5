import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  findAccount,
  findAccounts,
  findAccountsById,
  findNumbered,
  findSenders,
  holdAccount,
  listAccountRows,
  lockAccount,
  removeAccount,
  updateAccountRow,
} from '../../src/storage/account-store.ts';
import { type Database, UniqueViolation } from '../../src/storage/database.ts';
import { writeLiveAccounts } from '../../src/storage/live-store.ts';
import { until } from '../servers/until.ts';
import { gate, hold, newAccount, newUser, useDatabase } from './fixture.ts';
import { liveAccountOf } from './live-fixture.ts';

export function registerAccountContract(kind: Database['kind']): void {
  describe('account store', () => {
    const use = useDatabase(kind);
    const remove = (number: number) =>
      use.database.transaction((tx) => removeAccount(tx, number, 1));
    /** On SQLite one transaction begins when the other has ended. */
    const waitsForRow = async (): Promise<boolean> =>
      kind === 'sqlite' ||
      (await use.database.get(
        `select 1 from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      )) !== undefined;

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
      assert.deepEqual(await findAccount(use.database, account.userId, account.id), account);
      assert.deepEqual(await findNumbered(use.database, [account.number]), [account]);
    });

    it('refuses an id that the user has, and takes it from another user', async () => {
      const { id, userId } = await newAccount(use.database);
      await assert.rejects(newAccount(use.database, { id, userId }), UniqueViolation);
      const other = await newAccount(use.database, { id });
      assert.deepEqual(await findAccount(use.database, other.userId, id), other);
      const all = await findAccountsById(use.database, id);
      assert.deepEqual(
        new Set(all.map((account) => account.userId)),
        new Set([userId, other.userId]),
      );
    });

    it('gives numbers that are never used again, not even that of the last one', async () => {
      const first = await newAccount(use.database);
      await remove(first.number);
      const again = await newAccount(use.database, { id: first.id, userId: first.userId });
      assert.ok(again.number > first.number);
      assert.deepEqual(await findNumbered(use.database, [first.number]), []);
    });

    it('changes everything but the number, the id, the user and the time of creation', async () => {
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
      const fixed = { id: 'other', userId: 'other', createdAtMs: 77 };
      await use.database.transaction((tx) => updateAccountRow(tx, { ...changed, ...fixed }));
      assert.deepEqual(await findNumbered(use.database, [account.number]), [changed]);
    });

    it('does not change the account that took the id of a deleted one', async () => {
      const gone = await newAccount(use.database);
      await remove(gone.number);
      const { id, userId } = gone;
      const heir = await newAccount(use.database, { id, userId });
      await use.database.transaction((tx) => updateAccountRow(tx, { ...gone, name: 'Stolen' }));
      await assert.rejects(remove(gone.number), UniqueViolation);
      assert.deepEqual(await findAccount(use.database, userId, id), heir);
    });

    it('lists a page of the accounts of one user, in order of their ids', async () => {
      const userId = await newUser(use.database);
      const prefix = randomUUID();
      const ids = ['10', '2', 'B', 'a'].map((id) => `${prefix}-${id}`);
      for (const id of ids.toReversed()) await newAccount(use.database, { id, userId });
      await newAccount(use.database);
      const page = async (limit: number, offset: number): Promise<string[]> =>
        (await listAccountRows(use.database, userId, limit, offset)).map(({ id }) => id);
      const all = await page(1000, 0);
      assert.deepEqual(new Set(all), new Set(ids));
      assert.deepEqual([...(await page(3, 0)), ...(await page(3, 3))], all);
      assert.deepEqual(await page(3, 4), []);
    });

    it('finds those of many ids that the user has', async () => {
      const { id, userId } = await newAccount(use.database);
      const other = await newAccount(use.database);
      const ids = Array.from({ length: 1100 }, () => randomUUID());
      const found = await findAccounts(use.database, userId, [...ids, other.id, id]);
      assert.deepEqual(
        found.map((account) => account.id),
        [id],
      );
      assert.deepEqual(await findAccounts(use.database, userId, []), []);
    });

    it('finds senders with the moment of the newest snapshot that is stored', async () => {
      const { brokerClock, currency, ...seen } = await newAccount(use.database);
      const { userId } = seen;
      const unseen = await newAccount(use.database, { userId });
      const other = await newAccount(use.database);
      const live = liveAccountOf(seen.number, { lastUtcMs: 1_700_000_000_123 });
      await use.database.transaction((tx) => writeLiveAccounts(tx, [live]));
      const found = await findSenders(use.database, userId, [seen.id, unseen.id, other.id]);
      const facts = { brokerClock, currency };
      assert.deepEqual(
        found.toSorted((a, b) => a.number - b.number),
        [
          { number: seen.number, id: seen.id, ...facts, lastUtcMs: 1_700_000_000_123 },
          { number: unseen.number, id: unseen.id, ...facts, lastUtcMs: undefined },
        ],
      );
    });

    it('deletes one account only', async () => {
      const userId = await newUser(use.database);
      const one = await newAccount(use.database, { userId });
      const two = await newAccount(use.database, { userId });
      await remove(one.number);
      assert.deepEqual(await listAccountRows(use.database, userId, 10, 0), [two]);
    });

    it('holds an account as it is until the end of the transaction', async () => {
      const account = await newAccount(use.database);
      const holding = gate();
      const done = gate();
      let isRemoved = false;
      // Looks before the commit: the removal may be told first of what the database did after it.
      const held = use.database.transaction(async (tx) => {
        const found = await holdAccount(tx, account.number);
        holding.open();
        await hold(tx, done.opened);
        return [found, await holdAccount(tx, account.number), isRemoved];
      });
      await holding.opened;
      const removing = remove(account.number).then(() => {
        isRemoved = true;
      });
      await until(async () => isRemoved || (await waitsForRow()), 'the removal to wait');
      const found = await findNumbered(use.database, [account.number]);
      done.open();
      assert.deepEqual(await held, [account, account, false]);
      assert.deepEqual(found, [account]);
      await removing;
      await use.database.transaction(async (tx) => {
        assert.equal(await holdAccount(tx, account.number), undefined);
        assert.equal(await lockAccount(tx, account.number), undefined);
      });
    });

    it('lets several hold an account at once, and one lock it for a change', async () => {
      const { number } = await newAccount(use.database);
      let locked = 0;
      let most = 0;
      await Promise.all(
        Array.from({ length: 8 }, () =>
          use.database.transaction(async (tx) => {
            const account = await lockAccount(tx, number);
            locked += 1;
            most = Math.max(most, locked);
            if (account) await updateAccountRow(tx, { ...account, leverage: account.leverage + 1 });
            locked -= 1;
          }),
        ),
      );
      assert.equal(most, 1);
      assert.equal((await findNumbered(use.database, [number]))[0]?.leverage, 108);
      if (kind === 'sqlite') return;
      const both = [gate(), gate()];
      await Promise.all(
        both.map((own, index) =>
          use.database.transaction(async (tx) => {
            await holdAccount(tx, number);
            own.open();
            await both[1 - index]?.opened;
          }),
        ),
      );
    });
  });
}
