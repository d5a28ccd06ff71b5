import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PeriodStatistics } from '../../src/domain/live/live-records.ts';
import type { TrackerDefinition } from '../../src/domain/live/tracker-definition.ts';
import { type Database, UniqueViolation } from '../../src/storage/database.ts';
import {
  countTrackers,
  deleteTrackerRow,
  findTracker,
  findTrackerByName,
  hideTracker,
  insertTracker,
  listTrackers,
  readDefinitions,
  readPeriods,
  renameTrackerRow,
  writePeriods,
} from '../../src/storage/tracker-store.ts';
import { newNumber, useDatabase } from './fixture.ts';

type Used = ReturnType<typeof useDatabase>;

export function registerTrackerContract(kind: Database['kind']): void {
  describe('tracker store', () => registerTrackers(useDatabase(kind)));
  describe('period store', () => registerPeriods(useDatabase(kind)));
}

const tracker = (id: string, name = id): TrackerDefinition => ({ id, name, period: 'day' });

function registerTrackers(use: Used): void {
  const add = (number: number, definition: TrackerDefinition, createdAtMs = 1) =>
    use.database.transaction((tx) => insertTracker(tx, number, definition, createdAtMs));

  it('gives back a definition as it was stored', async () => {
    const number = newNumber();
    const full: TrackerDefinition = {
      ...tracker('t', 'é "quoted"'),
      startTimeMs: -5,
      endTimeMs: 7,
      absoluteDrawdownThreshold: Number.MAX_SAFE_INTEGER,
      relativeDrawdownThreshold: 0.05,
      baseline: 'peakEquity',
      resetClock: { zone: 'Europe/Prague', time: '00:30' },
      adjustDeals: ['DEAL_TYPE_BALANCE'],
    };
    await add(number, full);
    assert.deepEqual(await findTracker(use.database, number, 't'), full);
    assert.deepEqual(await findTrackerByName(use.database, number, full.name), full);
    assert.equal(await findTracker(use.database, newNumber(), 't'), undefined);
  });

  it('refuses a name that another tracker of the account has, new or renamed', async () => {
    const [one, two] = [newNumber(), newNumber()];
    await add(one, tracker('a', 'name'));
    await assert.rejects(add(one, tracker('b', 'name')), UniqueViolation);
    await add(two, tracker('a', 'name'));
    await add(one, tracker('b', 'other'));
    const rename = (id: string, name: string) =>
      use.database.transaction((tx) => renameTrackerRow(tx, one, id, name));
    await assert.rejects(rename('b', 'name'), UniqueViolation);
    await rename('b', 'other');
    await rename('a', 'new');
    assert.equal((await findTracker(use.database, two, 'a'))?.name, 'name');
    assert.deepEqual(
      (await listTrackers(use.database, one)).map(({ name }) => name),
      ['new', 'other'],
    );
  });

  it('lists the trackers of an account in the order of their creation', async () => {
    const number = newNumber();
    await add(number, tracker('b'), 2);
    await add(number, tracker('c'), 1);
    await add(number, tracker('a'), 2);
    await add(newNumber(), tracker('x'), 0);
    const ids = (await listTrackers(use.database, number)).map(({ id }) => id);
    assert.deepEqual(ids, ['c', 'a', 'b']);
    assert.equal(await countTrackers(use.database, number), 3);
  });

  it('shows a hidden tracker to the fold only, gives its name away, and deletes no other', async () => {
    const number = newNumber();
    await add(number, tracker('old', 'name'));
    const hide = (id: string) => use.database.transaction((tx) => hideTracker(tx, number, id));
    const remove = (id: string) =>
      use.database.transaction((tx) => deleteTrackerRow(tx, number, id));
    await hide('old');
    assert.equal(await findTracker(use.database, number, 'old'), undefined);
    assert.equal(await findTrackerByName(use.database, number, 'name'), undefined);
    assert.deepEqual(await listTrackers(use.database, number), []);
    await add(number, tracker('new', 'name'));
    const definitions = await readDefinitions(use.database, [number, newNumber()]);
    assert.deepEqual([...definitions.keys()], [number]);
    const ids = definitions.get(number)?.map(({ id }) => id);
    assert.deepEqual(ids?.sort(), ['new', 'old']);
    await remove('new');
    await remove('old');
    assert.deepEqual(
      (await readDefinitions(use.database, [number])).get(number)?.map(({ id }) => id),
      ['new'],
    );
  });
}

function registerPeriods(use: Used): void {
  const periodOf = (trackerId: string, startTimeMs: number, more = {}): PeriodStatistics => ({
    ...{ accountId: 'account', trackerId, period: 'day', startTimeMs, periodStatus: 'completed' },
    ...{ maxAbsoluteDrawdown: 1, maxRelativeDrawdown: 0.1, maxAbsoluteProfit: 2 },
    ...{ maxRelativeProfit: 0.2, thresholdExceeded: false, tradeDayCount: 3, adjustment: 0 },
    ...more,
  });
  const write = (accountNumber: number, ...periods: PeriodStatistics[]) =>
    use.database.transaction((tx) =>
      writePeriods(
        tx,
        periods.map((period) => ({ accountNumber, period })),
      ),
    );

  it('reads periods that start up to a time, newest first, and replaces one that is there', async () => {
    const number = newNumber();
    const periods = Array.from({ length: 130 }, (_, n) => periodOf('t', n * 10, { startMs: n }));
    await write(number, ...periods, periodOf('other', 5));
    await write(newNumber(), periodOf('t', 5));
    const read = (untilMs: number, limit: number) =>
      readPeriods(use.database, number, 't', untilMs, limit);
    assert.deepEqual(await read(1e6, 1000), periods.toReversed());
    assert.deepEqual(await read(25, 2), [periods[2], periods[1]]);
    const again = periodOf('t', 20, { thresholdExceeded: true });
    await write(number, again);
    assert.deepEqual(await read(20, 1), [again]);
  });

  it('lose the periods of a tracker with it', async () => {
    const number = newNumber();
    await write(number, periodOf('gone', 1), periodOf('stays', 1));
    await use.database.transaction((tx) => deleteTrackerRow(tx, number, 'gone'));
    assert.deepEqual(await readPeriods(use.database, number, 'gone', 10, 10), []);
    assert.equal((await readPeriods(use.database, number, 'stays', 10, 10)).length, 1);
  });
}
