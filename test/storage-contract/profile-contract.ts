import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { findNumbered } from '../../src/storage/account-store.ts';
import { readChanges, readChangeVersion } from '../../src/storage/change-store.ts';
import { type Database, UniqueViolation } from '../../src/storage/database.ts';
import {
  deletePlatformOperation,
  deletePlatformOperationsBefore,
  findPlatformOperation,
  findRivalOperation,
  insertPlatformOperation,
  type PlatformOperation,
  updatePlatformOperation,
} from '../../src/storage/platform-operation-store.ts';
import {
  countProfileAccounts,
  countProfiles,
  deleteProfileRow,
  findProfile,
  insertProfile,
  listProfileRows,
  noteProfileError,
  noteProfileSuccess,
  type Profile,
  updateProfileRow,
} from '../../src/storage/profile-store.ts';
import { createSimulatedEventStore } from '../../src/storage/simulated-event-store.ts';
import { PROFILE_ACTIONS } from '../../src/words/actions.ts';
import { newAccount, newUser, useDatabase } from './fixture.ts';

type Used = ReturnType<typeof useDatabase>;

export function registerProfileContract(kind: Database['kind']): void {
  describe('profile store', () => registerProfiles(useDatabase(kind)));
  describe('platform operation store', () => registerOperations(useDatabase(kind)));
  describe('events of simulated platforms', () => registerEvents(useDatabase(kind)));
}

export const profileOf = (userId: string, fields: Partial<Profile> = {}): Profile => ({
  ...{ id: randomUUID(), userId, name: 'Profile', platform: 'p5', kind: 'simulated' },
  ...{ server: null, login: null, tlsFingerprint: null, tlsCa: null, secret: null },
  ...{ secretKeyId: null, brokerClock: { zone: 'UTC', shiftHours: 0 }, createdAtMs: 1 },
  ...{ allowedActions: [], lastSuccessMs: null, lastErrorMs: null, lastError: null, ...fields },
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
        allowedActions: [...PROFILE_ACTIONS],
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
      (await listProfileRows(use.database, userId, limit, offset)).map(({ id }) => id);
    assert.deepEqual([...(await page(2, 0)), ...(await page(2, 2))], ids.sort());
    await add(profileOf(userId, { kind: 'p5-web-api' }));
    assert.deepEqual(await countProfiles(use.database, userId), { all: 4, simulated: 3 });
  });

  it('changes its name, its rights and its password, and nothing else', async () => {
    const before = await add(profileOf(await newUser(use.database), { secretKeyId: 'k' }));
    const change = { name: 'Another', allowedActions: ['setPassword' as const] };
    const sealed = { secret: Uint8Array.of(1, 2), secretKeyId: 'l' };
    await use.database.transaction((tx) => updateProfileRow(tx, before.id, change, sealed));
    const after = await findProfile(use.database, before.id);
    assert.deepEqual(
      { ...after, secret: [...(after?.secret ?? [])] },
      {
        ...before,
        ...change,
        ...sealed,
        secret: [1, 2],
      },
    );
  });

  it('goes with its operations and its simulated platform', async () => {
    const { id } = await add(profileOf(await newUser(use.database)));
    const operation = operationOf({ profileId: id });
    await use.database.transaction((tx) => insertPlatformOperation(tx, operation));
    const events = createSimulatedEventStore(use.database, id);
    await events.append(1, '{}');
    await use.database.transaction((tx) => deleteProfileRow(tx, id));
    assert.equal(await findPlatformOperation(use.database, operation.requestId), undefined);
    assert.deepEqual(await events.load(0), []);
  });

  it('leaves its accounts unbound when it is deleted, and every process hears of them', async () => {
    const { id } = await add(profileOf(await newUser(use.database)));
    const bound = await newAccount(use.database, { profileId: id });
    const other = await newAccount(use.database, { profileId: 'other' });
    assert.equal(await countProfileAccounts(use.database, id), 1);
    const version = await readChangeVersion(use.database);
    await use.database.transaction((tx) => deleteProfileRow(tx, id));
    assert.equal(await findProfile(use.database, id), undefined);
    const [unbound] = await findNumbered(use.database, [bound.number]);
    assert.equal(unbound?.profileId, null);
    assert.deepEqual(await findNumbered(use.database, [other.number]), [other]);
    const changes = await readChanges(use.database, version, version + 1);
    assert.equal(changes?.[0]?.key, String(bound.number));
  });
}

const operationOf = (fields: Partial<PlatformOperation> = {}): PlatformOperation => ({
  ...{ requestId: randomUUID(), profileId: randomUUID(), login: 7, kind: 'change-account' },
  ...{ bodyHash: 'body', underWayUntilMs: 100, result: null, createdAtMs: 50 },
  ...{ keptUntilMs: 150, ...fields },
});

function registerOperations(use: Used): void {
  const add = async (operation: PlatformOperation) => {
    await use.database.transaction((tx) => insertPlatformOperation(tx, operation));
    return operation;
  };
  const find = ({ requestId }: PlatformOperation) => findPlatformOperation(use.database, requestId);

  it('remembers an operation once, as it ended, until it is forgotten', async () => {
    const operation = await add(operationOf());
    const { requestId } = operation;
    assert.deepEqual(await find(operation), operation);
    await assert.rejects(add(operation), UniqueViolation);
    const ended = { underWayUntilMs: 0, result: '{"é":1}' };
    await use.database.transaction((tx) => updatePlatformOperation(tx, requestId, ended));
    assert.deepEqual(await find(operation), { ...operation, ...ended });
    await use.database.transaction((tx) => deletePlatformOperation(tx, requestId));
    assert.equal(await find(operation), undefined);
  });

  it('forgets those whose time is over', async () => {
    const [old, kept] = [
      await add(operationOf({ login: null, keptUntilMs: 150 })),
      await add(operationOf({ login: null, keptUntilMs: 151 })),
    ];
    await use.database.transaction((tx) => deletePlatformOperationsBefore(tx, 151));
    assert.equal(await find(old), undefined);
    assert.deepEqual(await find(kept), kept);
  });

  it('finds another one of the kind that is under way on the login', async () => {
    const operation = await add(operationOf());
    const { profileId, kind } = operation;
    const rival = { profileId, login: 7, kind, requestId: 'another', nowMs: 99, maxMs: 10 };
    const isThere = (fields: Partial<typeof rival> = {}) =>
      use.database.transaction((tx) => findRivalOperation(tx, { ...rival, ...fields }));
    assert.equal(await isThere(), true);
    for (const fields of [
      { profileId: randomUUID() },
      { login: 8 },
      { kind: 'set-password' },
      { requestId: operation.requestId },
      { nowMs: 100 },
      // Noted by a clock that was ahead.
      { nowMs: 89 },
    ])
      assert.equal(await isThere(fields), false, JSON.stringify(fields));
  });
}

function registerEvents(use: Used): void {
  it('keeps them in their order, each number once, for every profile by itself', async () => {
    const [own, other] = [randomUUID(), randomUUID()].map((id) =>
      createSimulatedEventStore(use.database, id),
    );
    assert.ok(own && other);
    assert.deepEqual(await own.load(0), []);
    assert.deepEqual(
      [await own.append(1, '{}'), await own.append(2, '{"é":1}'), await own.append(2, 'late')],
      [true, true, false],
    );
    assert.equal(await other.append(1, 'other'), true);
    assert.deepEqual(await own.load(0), ['{}', '{"é":1}']);
    assert.deepEqual(await own.load(1), ['{"é":1}']);
  });

  it('loads a thousand at a time', async () => {
    const store = createSimulatedEventStore(use.database, randomUUID());
    for (let number = 1; number <= 1_001; number += 1) await store.append(number, String(number));
    assert.equal((await store.load(0)).length, 1_000);
    assert.deepEqual(await store.load(1_000), ['1001']);
  });
}
