import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  deleteDamagedEntry,
  findDamagedEntry,
  listDamagedEntries,
  writeDamagedEntry,
} from '../../src/storage/damaged-entry-store.ts';
import type { Database } from '../../src/storage/database.ts';
import {
  changeHoursVersion,
  deleteParkedEntries,
  listParkedAccounts,
  noteClock,
  parkAccount,
  readLiveAccounts,
  readParkedEntries,
  readSettling,
  type StoredLiveAccount,
  writeLiveAccounts,
  writeParkedEntries,
} from '../../src/storage/live-store.ts';
import { PartitionLost } from '../../src/storage/partition-store.ts';
import { newAccount, newNumber, useDatabase } from './fixture.ts';
import { liveAccountOf, ownPartition } from './live-fixture.ts';

type Used = ReturnType<typeof useDatabase>;

export function registerLiveContract(kind: Database['kind']): void {
  describe('live store', () => registerStates(useDatabase(kind)));
  describe('quarantine in the live store', () => registerParks(useDatabase(kind)));
  describe('damaged entry store', () => registerDamaged(useDatabase(kind)));
}

const plain = <T extends object>(rows: readonly T[]): T[] => rows.map((row) => ({ ...row }));

function registerStates(use: Used): void {
  const write = (...accounts: StoredLiveAccount[]) =>
    use.database.transaction((tx) => writeLiveAccounts(tx, accounts));
  const read = async (accountNumber: number) => {
    const [account] = await readLiveAccounts(use.database, [accountNumber]);
    return account;
  };

  it('gives back every field as it was stored, bytes included', async () => {
    const full = liveAccountOf(newNumber(), {
      ...{ position: 2 ** 40, lastUtcMs: -5, settleDueUtcMs: 7, hoursVersion: 1 },
      clock: { zone: 'America/New_York', shiftHours: 7.5 },
      state: Uint8Array.from({ length: 1000 }, (_, index) => index),
      recent: new Uint8Array(),
    });
    const bare = liveAccountOf(newNumber());
    await write(full, bare);
    const stored = await read(full.accountNumber);
    const bytes = (value: Uint8Array | undefined) => value && Buffer.from(value).toString('hex');
    assert.deepEqual(bytes(stored?.state), bytes(full.state));
    assert.deepEqual(bytes(stored?.recent), '');
    assert.deepEqual({ ...stored, state: 0, recent: 0 }, { ...full, state: 0, recent: 0 });
    assert.deepEqual(await read(bare.accountNumber), bare);
    const settling = (await readSettling(use.database)).map((row) => ({ ...row }));
    assert.deepEqual(settling, [{ accountNumber: full.accountNumber, settleDueUtcMs: 7 }]);
    assert.equal(await read(newNumber()), undefined);
  });

  it('replaces states, and counts the hours version up only where hours changed', async () => {
    const one = liveAccountOf(newNumber(), { position: 1 });
    const many = Array.from({ length: 60 }, () => liveAccountOf(newNumber(), { hoursVersion: 1 }));
    await write(one, ...many);
    await write({ ...one, position: 2 });
    assert.deepEqual(await read(one.accountNumber), { ...one, position: 2 });
    await write(...many.map((each, index) => ({ ...each, position: 9, hoursVersion: index % 2 })));
    const numbers = many.map(({ accountNumber }) => accountNumber);
    const stored = await readLiveAccounts(use.database, numbers);
    assert.equal(stored.length, 60);
    for (const { accountNumber, hoursVersion, position } of stored) {
      const expected = 1 + (numbers.indexOf(accountNumber) % 2);
      assert.deepEqual([position, hoursVersion], [9, expected]);
    }
    const [first = 0] = numbers;
    await use.database.transaction((tx) => changeHoursVersion(tx, first));
    assert.equal((await read(first))?.hoursVersion, 2);
  });

  it('notes the clock that an account was folded with, once, and never over a state', async () => {
    const athens = { zone: 'Europe/Athens', shiftHours: 0 };
    const utc = { zone: 'UTC', shiftHours: 0 };
    const fresh = newNumber();
    const known = liveAccountOf(newNumber(), { position: 5, clock: athens });
    await write(known);
    await use.database.transaction(async (tx) => {
      await noteClock(tx, fresh, athens);
      await noteClock(tx, fresh, utc);
      await noteClock(tx, known.accountNumber, utc);
    });
    assert.deepEqual(await read(fresh), liveAccountOf(fresh, { clock: athens }));
    assert.deepEqual(await read(known.accountNumber), known);
  });
}

function registerParks(use: Used): void {
  const entries = async (number: number, after = 0, limit = 100) =>
    (await readParkedEntries(use.database, number, after, limit)).map(
      ({ position, body }) => [position, ...body] as number[],
    );

  it('keeps an account as it was stored last, with the entries that wait', async () => {
    const { number, brokerClock } = await newAccount(use.database);
    const stored = liveAccountOf(number, { position: 5, state: Uint8Array.of(1) });
    await use.database.transaction(async (tx) => {
      await writeLiveAccounts(tx, [stored]);
      await parkAccount(tx, number, 9, '{"reason":"x"}');
      const waiting = [6, 8, 9].map((position) => ({ position, body: Uint8Array.of(position) }));
      await writeParkedEntries(tx, number, waiting);
      // Existing ones stay unchanged.
      await writeParkedEntries(tx, number, [{ position: 8, body: Uint8Array.of(99) }]);
    });
    const [parked] = await readLiveAccounts(use.database, [number]);
    assert.deepEqual(
      { ...parked, state: [...(parked?.state ?? [])] },
      { ...stored, position: 9, park: '{"reason":"x"}', state: [1] },
    );
    assert.notDeepEqual(parked?.clock, brokerClock);
    const all = [
      [6, 6],
      [8, 8],
      [9, 9],
    ];
    assert.deepEqual(await entries(number), all);
    assert.deepEqual(await entries(number, 6, 1), [[8, 8]]);
    await use.database.transaction((tx) => deleteParkedEntries(tx, number, 8));
    assert.deepEqual(await entries(number), all.slice(2));
  });

  it('parks an account that has no state yet, but none that is gone', async () => {
    const { number, brokerClock } = await newAccount(use.database);
    const gone = newNumber();
    await use.database.transaction(async (tx) => {
      await parkAccount(tx, number, 3, '{}');
      await parkAccount(tx, gone, 3, '{}');
    });
    const expected = liveAccountOf(number, { position: 3, clock: brokerClock, park: '{}' });
    assert.deepEqual(await readLiveAccounts(use.database, [number, gone]), [expected]);
  });

  it('lists accounts that wait, and those no more that were stored again', async () => {
    const { number } = await newAccount(use.database);
    const listed = async () =>
      plain(await listParkedAccounts(use.database, 1000)).filter(
        ({ accountNumber }) => accountNumber === number,
      );
    await use.database.transaction((tx) => parkAccount(tx, number, 4, '{"position":4}'));
    assert.deepEqual(await listed(), [
      { accountNumber: number, position: 4, park: '{"position":4}' },
    ]);
    const folded = liveAccountOf(number, { position: 8 });
    await use.database.transaction((tx) => writeLiveAccounts(tx, [folded]));
    assert.deepEqual(await listed(), []);
  });
}

function registerDamaged(use: Used): void {
  it('keeps an entry with its commit until it is deleted, and the first reason', async () => {
    const { partition, epoch } = await ownPartition(use.database);
    const body = Uint8Array.from({ length: 300 }, (_, index) => index);
    const entry = { position: 7, reason: 'cut short', body };
    await writeDamagedEntry(use.database, partition, epoch, entry);
    await writeDamagedEntry(use.database, partition, epoch, { ...entry, reason: 'again' });
    await writeDamagedEntry(use.database, partition, epoch, { ...entry, position: 3 });
    const about = { partition, bytes: 300 };
    assert.deepEqual(plain(await listDamagedEntries(use.database, 10)), [
      { position: 3, reason: 'cut short', ...about },
      { position: 7, reason: 'cut short', ...about },
    ]);
    const found = await findDamagedEntry(use.database, partition, 7);
    assert.deepEqual(found && Buffer.from(found), Buffer.from(body));
    await deleteDamagedEntry(use.database, partition, 7);
    assert.equal(await findDamagedEntry(use.database, partition, 7), undefined);
    assert.equal((await listDamagedEntries(use.database, 10)).length, 1);
  });

  it('takes one from the owner of its partition only', async () => {
    const { partition, epoch } = await ownPartition(use.database);
    const entry = { position: 70, reason: 'x', body: Uint8Array.of(1) };
    const former = writeDamagedEntry(use.database, partition, epoch - 1, entry);
    await assert.rejects(former, PartitionLost);
    assert.equal(await findDamagedEntry(use.database, partition, 70), undefined);
  });
}
