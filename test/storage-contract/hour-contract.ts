import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../src/domain/broker-time.ts';
import { correctBucket } from '../../src/domain/live/equity-bucket.ts';
import {
  type ChartDay,
  deleteChartDays,
  insertChartDays,
  readChartDays,
} from '../../src/storage/chart-day-store.ts';
import type { Database } from '../../src/storage/database.ts';
import {
  correctHours,
  type HourCorrection,
  readHourStartsBefore,
  readHours,
  readRecentHours,
  type StoredHour,
  writeHours,
} from '../../src/storage/hour-store.ts';
import { changeHoursVersion, writeLiveAccounts } from '../../src/storage/live-store.ts';
import { gate, hold, newNumber, useDatabase } from './fixture.ts';
import { hourOf, liveAccountOf } from './live-fixture.ts';

type Used = ReturnType<typeof useDatabase>;
const EVER = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 10_000] as const;

export function registerHourContract(kind: Database['kind']): void {
  describe('hour store', () => registerHours(useDatabase(kind)));
  describe('chart day store', () => registerDays(useDatabase(kind)));
}

function registerHours(use: Used): void {
  const write = (...hours: StoredHour[]) => use.database.transaction((tx) => writeHours(tx, hours));
  const correct = (...corrections: HourCorrection[]) =>
    use.database.transaction((tx) => correctHours(tx, corrections));

  it('gives back every field, in order, and replaces an hour that is there', async () => {
    const number = newNumber();
    const hours = Array.from({ length: 120 }, (_, n) =>
      hourOf(number, n * HOUR_MS, { lastEquity: Number.MAX_SAFE_INTEGER - n, minBalance: 7 - n }),
    );
    await write(...hours.toReversed(), hourOf(newNumber(), 0));
    assert.deepEqual(await readHours(use.database, number, ...EVER), hours);
    const again = { ...hours[7], averageEquity: 77 } as StoredHour;
    await write(again);
    assert.deepEqual(await readHours(use.database, number, 7 * HOUR_MS, 8 * HOUR_MS, 9), [again]);
  });

  it('reads hours that begin in a range, its end left out, up to a limit', async () => {
    const number = newNumber();
    const hours = [-2, -1, 0, 5, 6].map((n) => hourOf(number, n * HOUR_MS));
    await write(...hours);
    const read = (startMs: number, endMs: number, limit = 10) =>
      readHours(use.database, number, startMs, endMs, limit);
    assert.deepEqual(await read(-HOUR_MS, 6 * HOUR_MS), hours.slice(1, 4));
    assert.deepEqual(await read(-HOUR_MS + 1, 6 * HOUR_MS + 1, 2), hours.slice(2, 4));
    assert.deepEqual(await read(HOUR_MS, HOUR_MS), []);
  });

  it('widens hours by late snapshots as the domain does, also one that is not there', async () => {
    const number = newNumber();
    const hour = hourOf(number, 0);
    await write(hour);
    const late = [
      { accountNumber: number, startTimeMs: 0, balance: 100, equity: -100 },
      { accountNumber: number, startTimeMs: 0, balance: -1, equity: 5 },
      { accountNumber: number, startTimeMs: HOUR_MS, balance: 3, equity: 4 },
      { accountNumber: number, startTimeMs: HOUR_MS, balance: 2, equity: 9 },
    ];
    await correct(...late);
    const expected = new Map([[0, { ...hour, accountId: '' }]]);
    for (const one of late) {
      const known = expected.get(one.startTimeMs);
      expected.set(one.startTimeMs, {
        accountNumber: number,
        ...correctBucket(known, { ...one, accountId: '' }),
      });
    }
    const withId = (stored: StoredHour) => ({ ...stored, accountId: '' });
    const read = (await readHours(use.database, number, ...EVER)).map(withId);
    assert.deepEqual(read, [...expected.values()]);
  });

  it('tells when the hours before a time begin, newest first', async () => {
    const number = newNumber();
    await write(...[1, 2, 4, 5].map((n) => hourOf(number, n * HOUR_MS)));
    const before = (timeMs: number) => readHourStartsBefore(use.database, number, timeMs, 2);
    assert.deepEqual(await before(5 * HOUR_MS), [4 * HOUR_MS, 2 * HOUR_MS]);
    assert.deepEqual(await before(HOUR_MS + 1), [HOUR_MS]);
    assert.deepEqual(await before(HOUR_MS), []);
  });

  it('reads equity at the ends of hours since a time', async () => {
    const number = newNumber();
    await write(...[1, 2, 3, 4].map((n) => hourOf(number, n * HOUR_MS, { lastEquity: n })));
    const hours = await readRecentHours(use.database, number, 2 * HOUR_MS, 2);
    assert.deepEqual(
      hours.map(({ startTimeMs, lastEquity }) => [startTimeMs / HOUR_MS, lastEquity]),
      [
        [2, 2],
        [3, 3],
      ],
    );
  });
}

function registerDays(use: Used): void {
  const days = (...starts: number[]): ChartDay[] =>
    starts.map((day) => ({ startMs: day * DAY_MS, hours: Buffer.from(`{"day":"${day} é"}`) }));
  const insert = (number: number, version: number, some: ChartDay[]) =>
    use.database.transaction((tx) => insertChartDays(tx, number, version, some));
  const read = (number: number, from = -1000, until = 1000) =>
    readChartDays(use.database, number, from * DAY_MS, until * DAY_MS);
  /** An account whose hours are of a version. */
  async function account(hoursVersion = 0): Promise<number> {
    const number = newNumber();
    await use.database.transaction(async (tx) => {
      await writeLiveAccounts(tx, [liveAccountOf(number, { hoursVersion })]);
      await writeHours(tx, [hourOf(number, 3 * HOUR_MS)]);
    });
    return number;
  }

  it('gives back days byte by byte, with the version and the first hour of the account', async () => {
    const number = await account(1);
    const empty = { startMs: 9 * DAY_MS, hours: Buffer.alloc(0) };
    const stored = [...days(-1, 0, 7), empty];
    await insert(number, 1, stored.toReversed());
    const about = { firstHourMs: 3 * HOUR_MS, hoursVersion: 1 };
    assert.deepEqual(await read(number), { days: stored, ...about });
    assert.deepEqual(await read(number, 0, 7), { days: days(0), ...about });
    const none = { days: [], firstHourMs: undefined, hoursVersion: 0 };
    assert.deepEqual(await read(newNumber()), none);
  });

  it('keeps no day of hours that have changed since they were read', async () => {
    const number = await account();
    await use.database.transaction((tx) => changeHoursVersion(tx, number));
    await insert(number, 0, days(1));
    await insert(newNumber(), 0, days(1));
    assert.deepEqual((await read(number)).days, []);
    await insert(number, 1, days(1));
    assert.deepEqual((await read(number)).days, days(1));
  });

  it('keeps no day that was made beside a change of its hours, whoever commits first', async () => {
    const number = await account();
    const changed = gate();
    const done = gate();
    const changing = use.database.transaction(async (tx) => {
      await writeLiveAccounts(tx, [liveAccountOf(number, { hoursVersion: 1 })]);
      await deleteChartDays(tx, [{ accountNumber: number, startTimeMs: DAY_MS }]);
      changed.open();
      await hold(tx, done.opened);
    });
    await changed.opened;
    const inserting = insert(number, 0, days(1));
    done.open();
    await Promise.all([changing, inserting]);
    assert.deepEqual((await read(number)).days, []);
  });

  it('forgets the days of changed hours only, of whatever accounts', async () => {
    const [one, two] = [await account(), await account()];
    for (const number of [one, two]) await insert(number, 0, days(-1, 0, 1, 2));
    const changed = [
      { accountNumber: one, startTimeMs: -1 },
      { accountNumber: one, startTimeMs: DAY_MS + 5 * HOUR_MS },
      { accountNumber: one, startTimeMs: DAY_MS + 6 * HOUR_MS },
      { accountNumber: two, startTimeMs: 0 },
    ];
    await use.database.transaction((tx) => deleteChartDays(tx, changed));
    assert.deepEqual((await read(one)).days, days(0, 2));
    assert.deepEqual((await read(two)).days, days(-1, 1, 2));
  });
}
