import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../src/domain/broker-time.ts';
import type { PeriodStatistics } from '../../src/domain/live/live-records.ts';
import type { Timekeeper } from '../../src/domain/timekeeper.ts';
import { insertAuditEntry } from '../../src/storage/audit-store.ts';
import { insertChartDays } from '../../src/storage/chart-day-store.ts';
import type { Database } from '../../src/storage/database.ts';
import { storeEvents } from '../../src/storage/event-store.ts';
import { writeWatchedEvent } from '../../src/storage/evidence-store.ts';
import { writeHours } from '../../src/storage/hour-store.ts';
import {
  changeHoursVersion,
  readLiveAccounts,
  writeLiveAccounts,
} from '../../src/storage/live-store.ts';
import { findSeal, insertSeal } from '../../src/storage/seal-store.ts';
import { writePeriods } from '../../src/storage/tracker-store.ts';
import { type KeptDays, Retention } from '../../src/workers/retention.ts';
import { silent } from '../servers/test-context.ts';
import { newAccount, useDatabase } from './fixture.ts';
import { eventOf, hourOf, liveAccountOf, ownPartition } from './live-fixture.ts';

type Used = ReturnType<typeof useDatabase>;

const DAYS = 40;
const KEPT = 10;
const FIRST_DAY = 20_000;
const FOR_EVER: KeptDays = {
  ...{ hours: 0, periods: 0, evidence: 0, events: 0, minutes: 0, actions: 0, audit: 0 },
};

export function registerRetentionContract(kind: Database['kind']): void {
  describe('retention', () => registerRetention(useDatabase(kind)));
}

/** A stopped clock, with pauses that end at once. */
const clockAt = (nowMs: number): Timekeeper => ({
  now: () => nowMs,
  elapsed: () => 0,
  after: (_, call) => {
    const pause = setImmediate(call);
    return () => clearImmediate(pause);
  },
});

function registerRetention(use: Used): void {
  const retention = (day: number, kept: Partial<KeptDays>) =>
    new Retention(use.database, clockAt(day * DAY_MS + HOUR_MS), silent, { ...FOR_EVER, ...kept });
  const count = async (table: string, where = '') =>
    (await use.database.get<{ rows: number }>(`select count(*) as rows from ${table} ${where}`))
      ?.rows;

  it('removes nothing by a clock that was just set far ahead', async () => {
    const entry = { actor: 'operator', action: 'noted', tokenId: null, userId: null };
    await use.database.run('delete from audit_entry');
    await use.database.transaction((tx) =>
      insertAuditEntry(tx, { ...entry, atMs: FIRST_DAY * DAY_MS, accountId: null, details: {} }),
    );
    let clock = { nowMs: (FIRST_DAY + 1) * DAY_MS, elapsedMs: 0 };
    const time = { ...clockAt(0), now: () => clock.nowMs, elapsed: () => clock.elapsedMs };
    const keeping = new Retention(use.database, time, silent, { ...FOR_EVER, audit: KEPT });
    const leftAt = async (days: number, elapsedMs: number) => {
      clock = { nowMs: (FIRST_DAY + days) * DAY_MS + elapsedMs, elapsedMs };
      await keeping.removeOld();
      return count('audit_entry');
    };
    assert.equal(await leftAt(1, HOUR_MS), 1);
    assert.equal(await leftAt(400, 2 * HOUR_MS), 1, 'set ahead');
    assert.equal(await leftAt(1, 3 * HOUR_MS), 1, 'set right again');
    assert.equal(await leftAt(400, 4 * HOUR_MS), 1, 'set ahead for good');
    assert.equal(await leftAt(400, 27 * HOUR_MS), 1);
    assert.equal(await leftAt(400, 28 * HOUR_MS), 0, 'believed');
  });

  /** An account's data after one day. */
  async function liveDay(number: number, day: number, epoch: number, partition: number) {
    const startTimeMs = day * DAY_MS;
    const hours = Array.from({ length: 24 }, (_, hour) =>
      hourOf(number, startTimeMs + hour * HOUR_MS),
    );
    const period: PeriodStatistics = {
      ...{ accountId: 'a', trackerId: 'tracker', period: 'day', startTimeMs },
      ...{ periodStatus: 'completed', adjustment: 0, maxAbsoluteDrawdown: 0 },
      ...{ maxRelativeDrawdown: 0, maxAbsoluteProfit: 0, maxRelativeProfit: 0 },
      ...{ tradeDayCount: 0, thresholdExceeded: true },
    };
    const event = eventOf(number, { startTimeMs, timeMs: startTimeMs + HOUR_MS, position: day });
    await storeEvents(use.database, partition, epoch, [event], 0);
    await use.database.transaction(async (tx) => {
      await writeHours(tx, hours);
      await writePeriods(tx, [{ accountNumber: number, period }]);
      const after = Uint8Array.of(1);
      await writeWatchedEvent(
        tx,
        {
          ...{ accountNumber: number, trackerId: 'tracker', kind: 'drawdown' },
          ...{ startTimeMs, round: 0, after },
        },
        false,
      );
      const [{ hoursVersion = 0 } = {}] = await readLiveAccounts(tx, [number]);
      await insertChartDays(tx, number, hoursVersion, [
        { startMs: startTimeMs, hours: Buffer.from('[]') },
      ]);
      await insertAuditEntry(tx, {
        ...{ atMs: startTimeMs, actor: 'operator', tokenId: null, action: 'test' },
        ...{ userId: null, accountId: null, details: {} },
      });
    });
  }

  it('keeps a steady size however long accounts live, and whole days', async () => {
    const { partition, epoch } = await ownPartition(use.database);
    const accounts = [await newAccount(use.database), await newAccount(use.database)];
    for (const { number } of accounts) {
      await use.database.transaction((tx) => writeLiveAccounts(tx, [liveAccountOf(number)]));
    }
    const kept = { hours: KEPT, periods: KEPT, evidence: 5, events: KEPT, audit: KEPT };
    for (let day = FIRST_DAY; day < FIRST_DAY + DAYS; day += 1) {
      for (const { number } of accounts) await liveDay(number, day, epoch, partition);
      await retention(day, kept).removeOld();
      const days = Math.min(day - FIRST_DAY, KEPT) + 1;
      assert.equal(await count('equity_bucket'), 2 * 24 * days);
      assert.equal(await count('chart_day'), 2 * days);
    }
    const rows = 2 * (KEPT + 1);
    assert.equal(await count('period_statistics'), rows);
    assert.equal(await count('tracker_event'), rows);
    assert.equal(await count('tracker_event', 'where length(before_breach) > 0'), 2 * 6);
    assert.equal(await count('audit_entry'), rows);
    const oldest = await use.database.get<{ first: number }>(
      'select min(start_time_ms) as first from equity_bucket',
    );
    assert.equal(oldest?.first, (FIRST_DAY + DAYS - 1 - KEPT) * DAY_MS);
    await retention(FIRST_DAY + 10 * DAYS, {}).removeOld();
    assert.equal(await count('equity_bucket'), 24 * rows, 'without a limit everything stays');
  });

  it('removes a long history some rows at a time, and says that hours have changed', async () => {
    const { number } = await newAccount(use.database);
    await use.database.transaction(async (tx) => {
      await writeLiveAccounts(tx, [liveAccountOf(number)]);
      const hours = Array.from({ length: 1_201 }, (_, hour) => hourOf(number, hour * HOUR_MS));
      await writeHours(tx, hours);
    });
    await retention(FIRST_DAY, { hours: 1 }).removeOld();
    assert.equal(await count('equity_bucket', `where account_number = ${number}`), 0);
    const [live] = await readLiveAccounts(use.database, [number]);
    assert.equal(live?.hoursVersion, 3, 'three statements of five hundred rows at most');
  });

  it('removes what seals say of an event with it, not their places in the tree', async () => {
    const { partition, epoch } = await ownPartition(use.database);
    const { number, userId } = await newAccount(use.database);
    const timeMs = FIRST_DAY * DAY_MS;
    await storeEvents(use.database, partition, epoch, [eventOf(number, { timeMs })], 0);
    const { number: sequenceNumber = 0 } =
      (await use.database.get<{ number: number }>(
        `select sequence_number as number from tracker_event where account_number = ${number}`,
      )) ?? {};
    const seal = { place: 1, hashes: Buffer.alloc(32), statement: '{}' };
    const said = { ...seal, userId, sequenceNumber, accountNumber: number };
    await use.database.transaction((tx) => insertSeal(tx, said));
    await retention(FIRST_DAY + KEPT, { events: KEPT }).removeOld();
    assert.deepEqual(await findSeal(use.database, userId, sequenceNumber), said);
    await retention(FIRST_DAY + KEPT + 1, { events: KEPT }).removeOld();
    const left = { ...said, statement: undefined };
    assert.deepEqual(await findSeal(use.database, userId, sequenceNumber), left);
    assert.equal(await count('tracker_event', `where account_number = ${number}`), 0);
  });

  it('waits for nobody who changes an account, and removes its data in another round', async () => {
    const accounts = [await newAccount(use.database), await newAccount(use.database)];
    for (const { number } of accounts) {
      await use.database.transaction(async (tx) => {
        await writeLiveAccounts(tx, [liveAccountOf(number)]);
        await writeHours(tx, [hourOf(number, 0)]);
      });
    }
    const [held = { number: 0 }, free = { number: 0 }] = accounts;
    const left = ({ number }: { number: number }) =>
      count('equity_bucket', `where account_number = ${number}`);
    if (use.database.isShared) {
      await use.database.transaction(async (tx) => {
        await changeHoursVersion(tx, held.number);
        await retention(FIRST_DAY, { hours: 1 }).removeOld();
        assert.deepEqual([await left(held), await left(free)], [1, 0]);
      });
    }
    await retention(FIRST_DAY, { hours: 1 }).removeOld();
    assert.deepEqual([await left(held), await left(free)], [0, 0]);
  });
}
