import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  deleteOpening,
  deleteOpeningsBefore,
  findOpening,
  insertOpening,
  markOpening,
} from '../../src/storage/account-opening-store.ts';
import { findNumbered } from '../../src/storage/account-store.ts';
import { readChanges, readChangeVersion } from '../../src/storage/change-store.ts';
import { type Database, UniqueViolation } from '../../src/storage/database.ts';
import {
  countProfiles,
  deleteProfile,
  findProfile,
  insertProfile,
  listProfiles,
  noteProfileError,
  noteProfileSuccess,
  type Profile,
} from '../../src/storage/profile-store.ts';
import { createSimulatedStateStore } from '../../src/storage/simulated-state-store.ts';
import { newAccount, newUser, useDatabase } from './fixture.ts';

type Used = ReturnType<typeof useDatabase>;

export function registerProfileContract(kind: Database['kind']): void {
  describe('profile store', () => registerProfiles(useDatabase(kind)));
  describe('account opening store', () => registerOpenings(useDatabase(kind)));
  describe('state of simulated platforms', () => {
    const use = useDatabase(kind);
    it('is a text for each family, as it was saved last', async () => {
      const [p4, p5] = (['p4', 'p5'] as const).map((family) =>
        createSimulatedStateStore(use.database, family),
      );
      assert.equal(await p4?.load(), undefined);
      for (const text of ['{}', '{"é":1}']) await p4?.save(text);
      assert.equal(await p4?.load(), '{"é":1}');
      assert.equal(await p5?.load(), undefined);
    });
  });
}

const profileOf = (userId: string, fields: Partial<Profile> = {}): Profile => ({
  ...{ id: randomUUID(), userId, name: 'Profile', platform: 'p5', kind: 'simulated' },
  ...{ server: null, login: null, tlsFingerprint: null, tlsCa: null, secret: null },
  ...{ secretKeyId: null, brokerClock: { zone: 'UTC', shiftHours: 0 }, createdAtMs: 1 },
  ...{ lastSuccessMs: null, lastErrorMs: null, lastError: null, ...fields },
});

function registerProfiles(use: Used): void {
  const add = async (profile: Profile) => {
    await insertProfile(use.database, profile);
    return profile;
  };

  it('gives back every field, with and without the optional parts', async () => {
    const userId = await newUser(use.database);
    const bare = await add(profileOf(userId));
    const secret = Uint8Array.from({ length: 60 }, (_, index) => 255 - index);
    const full = await add(
      profileOf(userId, {
        ...{ platform: 'p4', kind: 'p4-bridge', server: 'https://é', login: '1' },
        ...{ tlsFingerprint: 'ab', tlsCa: '-----\n', secret, secretKeyId: 'k' },
        brokerClock: { zone: 'Europe/Athens', shiftHours: -1 },
      }),
    );
    assert.deepEqual(await findProfile(use.database, bare.id), bare);
    const found = await findProfile(use.database, full.id);
    assert.deepEqual(
      { ...found, secret: [...(found?.secret ?? [])] },
      { ...full, secret: [...secret] },
    );
    await noteProfileError(use.database, full.id, 5, 'away');
    await noteProfileSuccess(use.database, full.id, 6);
    const noted = await findProfile(use.database, full.id);
    assert.deepEqual([noted?.lastErrorMs, noted?.lastError, noted?.lastSuccessMs], [5, 'away', 6]);
  });

  it('lists and counts those of one user', async () => {
    const userId = await newUser(use.database);
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.push((await add(profileOf(userId))).id);
    await add(profileOf(await newUser(use.database)));
    const page = async (limit: number, offset: number) =>
      (await listProfiles(use.database, userId, limit, offset)).map(({ id }) => id);
    assert.deepEqual([...(await page(2, 0)), ...(await page(2, 2))], ids.sort());
    assert.equal(await countProfiles(use.database, userId), 3);
  });

  it('leaves its accounts unbound when it is deleted, and every process hears of them', async () => {
    const { id } = await add(profileOf(await newUser(use.database)));
    const bound = await newAccount(use.database, { profileId: id });
    const other = await newAccount(use.database, { profileId: 'other' });
    const version = await readChangeVersion(use.database);
    await use.database.transaction((tx) => deleteProfile(tx, id));
    assert.equal(await findProfile(use.database, id), undefined);
    const [unbound] = await findNumbered(use.database, [bound.number]);
    assert.equal(unbound?.profileId, null);
    assert.deepEqual(await findNumbered(use.database, [other.number]), [other]);
    const changes = await readChanges(use.database, version, version + 1);
    assert.equal(changes?.[0]?.key, String(bound.number));
  });
}

function registerOpenings(use: Used): void {
  it('remembers the request of a key, once, until it is too old', async () => {
    const opening = {
      ...{ profileId: randomUUID(), keyHash: 'key', bodyHash: 'body', requestId: 'request' },
      ...{ openingUntilMs: 100, createdAtMs: 50 },
    };
    const { profileId } = opening;
    const add = () => use.database.transaction((tx) => insertOpening(tx, opening));
    const find = () => findOpening(use.database, profileId, 'key');
    await add();
    assert.deepEqual(await find(), opening);
    assert.equal(await findOpening(use.database, randomUUID(), 'key'), undefined);
    await assert.rejects(add(), UniqueViolation);
    await markOpening(use.database, profileId, 'key', 0);
    assert.deepEqual(await find(), { ...opening, openingUntilMs: 0 });
    await use.database.transaction((tx) => deleteOpeningsBefore(tx, 50));
    assert.ok(await find());
    await use.database.transaction((tx) => deleteOpeningsBefore(tx, 51));
    assert.equal(await find(), undefined);
    await add();
    await deleteOpening(use.database, profileId, 'key');
    assert.equal(await find(), undefined);
  });
}
