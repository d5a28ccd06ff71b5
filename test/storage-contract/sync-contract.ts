import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { insertClaims } from '../../src/storage/claim-store.ts';
import type { Database } from '../../src/storage/database.ts';
import { listReadings, noteReading } from '../../src/storage/profile-reading-store.ts';
import {
  insertProfile,
  noteProfileError,
  noteProfileSuccess,
} from '../../src/storage/profile-store.ts';
import {
  type AccountSync,
  advanceSyncs,
  findSync,
  findSyncs,
  listBoundAccounts,
  notePlatformSettings,
  noteProof,
  noteSyncFailure,
  readSyncLag,
  saveSync,
} from '../../src/storage/sync-store.ts';
import { newAccount, newNumber, newUser, useDatabase } from './fixture.ts';
import { profileOf } from './profile-contract.ts';

type Used = ReturnType<typeof useDatabase>;

const syncOf = (accountNumber: number, fields: Partial<AccountSync> = {}): AccountSync => ({
  ...{ accountNumber, profileId: 'profile', version: 1, cursorMs: 0, provenAtMs: null },
  ...{ failures: 0, lastError: null, readAtMs: null },
  ...{ platformCurrency: null, platformLeverage: null, ...fields },
});

export function registerSyncContract(kind: Database['kind']): void {
  describe('sync store', () => registerSyncs(useDatabase(kind)));
  describe('readings of profiles', () => registerReadings(useDatabase(kind)));
}

function registerSyncs(use: Used): void {
  it('gives back every field as it was saved last', async () => {
    const number = newNumber();
    assert.equal(await findSync(use.database, number), undefined);
    await saveSync(use.database, syncOf(number));
    const full = syncOf(number, {
      ...{ profileId: 'other', version: 2, cursorMs: -1, provenAtMs: 3, failures: 4 },
      ...{ lastError: 'é', readAtMs: 5, platformCurrency: 'EUR', platformLeverage: 33.3 },
    });
    await saveSync(use.database, full);
    assert.deepEqual(await findSync(use.database, number), full);
    const another = syncOf(newNumber());
    await saveSync(use.database, another);
    const both = await findSyncs(use.database, [number, another.accountNumber, newNumber()]);
    assert.equal(both.length, 2);
  });

  it('lists deployed accounts of a profile, page by page', async () => {
    const profileId = randomUUID();
    const numbers: number[] = [];
    for (let n = 0; n < 3; n += 1)
      numbers.push((await newAccount(use.database, { profileId })).number);
    await newAccount(use.database, { profileId, deployed: false });
    await newAccount(use.database, { profileId: randomUUID() });
    const page = (after: number) => listBoundAccounts(use.database, profileId, after, 2);
    assert.deepEqual(await page(0), numbers.slice(0, 2));
    assert.deepEqual(await page(numbers[1] ?? 0), numbers.slice(2));
  });

  it('moves cursors on, never back, of those that do not fail and are read through it', async () => {
    const profileId = randomUUID();
    const save = async (fields: Partial<AccountSync>) => {
      const sync = syncOf(newNumber(), { profileId, ...fields });
      await saveSync(use.database, sync);
      return sync;
    };
    const behind = await save({ cursorMs: 5 });
    const still = [
      await save({ cursorMs: 9 }),
      await save({ cursorMs: 5, failures: 1 }),
      await save({ cursorMs: 5, profileId: 'other' }),
    ];
    const numbers = [behind, ...still].map(({ accountNumber }) => accountNumber);
    await use.database.transaction((tx) => advanceSyncs(tx, profileId, numbers, 7));
    assert.deepEqual(await findSync(use.database, behind.accountNumber), {
      ...behind,
      cursorMs: 7,
    });
    for (const each of still)
      assert.deepEqual(await findSync(use.database, each.accountNumber), each);
  });

  it('notes failures, their end and proofs, not of an account that is bound elsewhere now', async () => {
    const sync = syncOf(newNumber(), { cursorMs: 3 });
    const elsewhere = { ...sync, profileId: 'elsewhere' };
    const note = (
      of: AccountSync,
      failures: number,
      lastError: string | null,
      readAtMs: number | null = null,
    ) =>
      use.database.transaction((tx) => noteSyncFailure(tx, of, { failures, lastError, readAtMs }));
    const prove = (of: AccountSync, atMs: number) =>
      use.database.transaction((tx) => noteProof(tx, of, atMs));
    await note(sync, 1, 'away');
    const first = { ...sync, version: 0, cursorMs: 0, failures: 1, lastError: 'away' };
    assert.deepEqual(await findSync(use.database, sync.accountNumber), first);
    await saveSync(use.database, sync);
    await note(elsewhere, 1, 'not mine');
    await prove(elsewhere, 8);
    assert.deepEqual(await findSync(use.database, sync.accountNumber), sync);
    await note(sync, 1, 'x', 7);
    await note(sync, 2, 'x');
    await prove(sync, 9);
    const noted = { ...sync, failures: 2, lastError: 'x', provenAtMs: 9, readAtMs: 7 };
    assert.deepEqual(await findSync(use.database, sync.accountNumber), noted);
    const settings = { platformCurrency: 'EUR', platformLeverage: 50 };
    const compare = (of: AccountSync) =>
      use.database.transaction((tx) => notePlatformSettings(tx, of, settings));
    await compare(elsewhere);
    assert.deepEqual(await findSync(use.database, sync.accountNumber), noted);
    await compare(sync);
    assert.deepEqual(await findSync(use.database, sync.accountNumber), { ...noted, ...settings });
    await note(sync, 0, null);
    assert.equal((await findSync(use.database, sync.accountNumber))?.failures, 0);
  });

  it('tells how far behind each profile is', async () => {
    const profileId = randomUUID();
    const account = (createdAtMs: number) => newAccount(use.database, { profileId, createdAtMs });
    const [proven, failing] = [await account(2), await account(1)];
    await account(40);
    const same = { platformCurrency: 'USD', platformLeverage: 100 };
    const other = { platformCurrency: 'USD', platformLeverage: 200 };
    await saveSync(use.database, syncOf(proven.number, { profileId, provenAtMs: 5, ...same }));
    await saveSync(use.database, syncOf(failing.number, { profileId, failures: 3, ...other }));
    const lag = async () =>
      (await readSyncLag(use.database, 2)).find((one) => one.profileId === profileId);
    const counts = { profileId, accounts: 3, failing: 1, unproven: 2, differing: 1 };
    assert.deepEqual(await lag(), { ...counts, readAtMs: 1 });
    const note = (readAtMs: number | undefined) =>
      use.database.transaction((tx) => noteReading(tx, profileId, { accounts: 3, readAtMs }));
    await note(77);
    await note(undefined);
    assert.deepEqual(await lag(), { ...counts, readAtMs: 77 });
    await insertProfile(use.database, {
      ...profileOf(await newUser(use.database)),
      ...{ id: profileId, lastSuccessMs: 5 },
    });
    await noteProfileError(use.database, profileId, 6, 'away');
    assert.deepEqual(await lag(), { ...counts, failing: 3, readAtMs: 77 });
    await noteProfileSuccess(use.database, profileId, 7);
    assert.deepEqual(await lag(), { ...counts, readAtMs: 77 });
  });
}

function registerReadings(use: Used): void {
  const readingOf = async (profileId: string) =>
    (await listReadings(use.database)).find((each) => each.profileId === profileId);
  const newProfile = async (deployed: boolean): Promise<string> => {
    const profile = profileOf(await newUser(use.database));
    await insertProfile(use.database, profile);
    await newAccount(use.database, { profileId: profile.id, deployed });
    return profile.id;
  };

  it('are of the process that has claimed the profile', async () => {
    const profileId = await newProfile(true);
    const none = { profileId, reader: undefined, accounts: 0 };
    assert.deepEqual(await readingOf(profileId), none);
    await use.database.transaction(async (tx) => {
      await insertClaims(tx, 'profile', [profileId], 'a');
      await noteReading(tx, profileId, { accounts: 7, readAtMs: 1 });
    });
    assert.deepEqual(await readingOf(profileId), { profileId, reader: 'a', accounts: 7 });
  });

  it('are for profiles with deployed accounts only', async () => {
    assert.equal(await readingOf(await newProfile(false)), undefined);
  });
}
