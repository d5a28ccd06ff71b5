import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import type { Database } from '../../src/storage/database.ts';
import {
  type AccountSync,
  advanceSync,
  claimDueAccount,
  deleteSync,
  findSync,
  listBoundProfiles,
  listDueAccounts,
  noteSyncFailure,
  readSyncLag,
  saveSync,
  scheduleSync,
} from '../../src/storage/sync-store.ts';
import { newAccount, newNumber, useDatabase } from './fixture.ts';

const syncOf = (accountNumber: number, fields: Partial<AccountSync> = {}): AccountSync => ({
  ...{ accountNumber, profileId: 'profile', cursorMs: 0, reconciledAtMs: 0, nextAtMs: 0 },
  ...{ failures: 0, lastSuccessMs: null, lastError: null, ...fields },
});

export function registerSyncContract(kind: Database['kind']): void {
  describe('sync store', () => {
    const use = useDatabase(kind);
    const newProfile = (): string => randomUUID();
    const due = async (profileId: string, nowMs: number, readBefore: boolean, limit = 100) =>
      (await listDueAccounts(use.database, profileId, nowMs, { readBefore, limit })).map(
        ({ accountNumber, nextAtMs }) => [accountNumber, nextAtMs],
      );

    it('gives back every field as it was saved last', async () => {
      const number = newNumber();
      assert.equal(await findSync(use.database, number), undefined);
      await saveSync(use.database, syncOf(number));
      const full = syncOf(number, {
        ...{ profileId: 'other', cursorMs: -1, reconciledAtMs: 2, nextAtMs: 3, failures: 4 },
        ...{ lastSuccessMs: 5, lastError: 'é' },
      });
      await saveSync(use.database, full);
      assert.deepEqual(await findSync(use.database, number), full);
      await use.database.transaction((tx) => deleteSync(tx, number));
      assert.equal(await findSync(use.database, number), undefined);
    });

    it('lists deployed accounts that are due, the longest waiting first, new ones apart', async () => {
      const profileId = newProfile();
      const account = (fields = {}) => newAccount(use.database, { profileId, ...fields });
      const [late, early, fresh, later] = [
        await account(),
        await account(),
        await account(),
        await account(),
      ];
      await account({ deployed: false });
      await newAccount(use.database, { profileId: newProfile() });
      for (const [{ number }, nextAtMs] of [
        [late, 20],
        [early, 10],
        [later, 31],
      ] as const) {
        await saveSync(use.database, syncOf(number, { profileId, nextAtMs, lastSuccessMs: 1 }));
      }
      assert.deepEqual(await due(profileId, 30, true), [
        [early.number, 10],
        [late.number, 20],
      ]);
      assert.deepEqual(await due(profileId, 30, true, 1), [[early.number, 10]]);
      assert.deepEqual(await due(profileId, 30, false), [[fresh.number, 0]]);
      const profiles = await listBoundProfiles(use.database);
      assert.equal(profiles.filter((id) => id === profileId).length, 1);
    });

    it('gives a due account to one of those who claim it at once', async () => {
      const profileId = newProfile();
      const { number } = await newAccount(use.database, { profileId });
      for (const untilMs of [100, 200]) {
        const [account] = await listDueAccounts(use.database, profileId, 150, {
          ...{ readBefore: false, limit: 1 },
        });
        assert.ok(account);
        const claims = await Promise.all(
          Array.from({ length: 6 }, () => claimDueAccount(use.database, account, untilMs)),
        );
        assert.equal(claims.filter(Boolean).length, 1);
        assert.equal((await findSync(use.database, number))?.nextAtMs, untilMs);
      }
      assert.deepEqual(await due(profileId, 150, false), []);
    });

    it('notes progress and failures of accounts that are still there', async () => {
      const number = newNumber();
      await saveSync(use.database, syncOf(number, { failures: 2, lastError: 'away' }));
      await use.database.transaction((tx) =>
        advanceSync(tx, number, { cursorMs: 7, lastSuccessMs: 8 }),
      );
      const read = syncOf(number, { cursorMs: 7, lastSuccessMs: 8 });
      assert.deepEqual(await findSync(use.database, number), read);
      await scheduleSync(use.database, number, 9);
      await noteSyncFailure(use.database, number, { failures: 1, lastError: 'x', nextAtMs: 11 });
      const failed = { ...read, failures: 1, lastError: 'x', nextAtMs: 11 };
      assert.deepEqual(await findSync(use.database, number), failed);
      const gone = newNumber();
      await scheduleSync(use.database, gone, 9);
      assert.equal(await findSync(use.database, gone), undefined);
    });

    it('tells how far behind each profile is', async () => {
      const profileId = newProfile();
      const account = (createdAtMs: number) => newAccount(use.database, { profileId, createdAtMs });
      const [read, failing] = [await account(1), await account(2)];
      await account(40);
      await saveSync(use.database, syncOf(read.number, { profileId, lastSuccessMs: 50 }));
      await saveSync(
        use.database,
        syncOf(failing.number, { profileId, failures: 3, lastSuccessMs: 45 }),
      );
      const lag = (await readSyncLag(use.database)).find((one) => one.profileId === profileId);
      assert.deepEqual(lag, { profileId, accounts: 3, failing: 1, oldestSuccessMs: 40 });
    });
  });
}
