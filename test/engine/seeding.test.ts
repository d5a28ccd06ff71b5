import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HOUR_MS, MINUTE_MS } from '../../src/domain/broker-time.ts';
import {
  isTransition,
  type PeriodStatistics,
  type TrackerEvent,
} from '../../src/domain/live/live-records.ts';
import type { TrackerDefinition } from '../../src/domain/live/tracker-definition.ts';
import type { Account } from '../../src/storage/account-store.ts';
import type { Database } from '../../src/storage/database.ts';
import { readFeed } from '../../src/storage/event-feed-store.ts';
import { listParkedAccounts, readParkedEntries } from '../../src/storage/live-store.ts';
import { readPeriods } from '../../src/storage/tracker-store.ts';
import { needs } from '../needs.ts';
import { until } from '../servers/until.ts';
import { newAccount } from '../storage-contract/fixture.ts';
import { EngineWorld, type TestProcess } from './engine-world.ts';

needs('postgres');

const START_MS = Date.UTC(2025, 2, 1);
/** More hours than one page of a seeding. */
const HOURS = 1100;
/** One on each day, as on the last, which ends early. */
const BREACHES = Math.ceil(HOURS / 24);
/** More entries than are read of a quarantine at a time. */
const WAITING = 110;
const CLOCK = { zone: 'UTC', shiftHours: 0 };
const IMPOSSIBLE = {
  kind: 'clock-changed',
  clock: { zone: 'Nowhere/Land', shiftHours: 0 },
} as const;

const tracker = (id: string, more: Partial<TrackerDefinition> = {}): TrackerDefinition => ({
  ...{ id, name: id, period: 'date', startTimeMs: START_MS, absoluteDrawdownThreshold: 500_0000 },
  ...more,
});

/** Falls by 30 an hour for 20 hours, then stands: one breach of 500 on each day. */
const equityAt = (hour: number): number => 10_000 - 30 * Math.min(hour % 24, 20);

const sendHour = ({ live }: TestProcess, account: Account, hour: number, equity = equityAt(hour)) =>
  live.send(account.userId, [
    { account, timeMs: START_MS + hour * HOUR_MS, balance: 10_000, equity },
  ]);

async function sendHours(process: TestProcess, account: Account, from: number, until: number) {
  const rows = Array.from({ length: until - from }, (_, index) => ({
    account,
    timeMs: START_MS + (from + index) * HOUR_MS,
    balance: 10_000,
    equity: equityAt(from + index),
  }));
  for (let start = 0; start < rows.length; start += 500) {
    await process.live.send(account.userId, rows.slice(start, start + 500));
  }
}

/** A tracker's findings, except its name and the time of a maximum within the hour. */
async function found(database: Database, process: TestProcess, account: Account, id: string) {
  const plain = ({ trackerId: _, maxDrawdownTimeMs, ...period }: PeriodStatistics) => ({
    ...period,
    maxDrawdownHour: maxDrawdownTimeMs && Math.floor(maxDrawdownTimeMs / HOUR_MS),
  });
  const newest = await process.live.read(account, (view) => view.newestPeriods(id));
  const stored = await readPeriods(database, account.number, id, Number.MAX_SAFE_INTEGER, 1000);
  const periods = new Map([...stored, ...(newest ?? [])].map((one) => [one.startTimeMs, one]));
  const { events: feed } = await readFeed(database, 0, 10_000);
  const events = feed
    .map(({ event }) => event)
    .filter((event): event is TrackerEvent => !isTransition(event))
    .filter(({ accountId, trackerId }) => accountId === account.id && trackerId === id);
  const told = {
    periods: [...periods.values()].sort((a, b) => a.startTimeMs - b.startTimeMs).map(plain),
    events: events.map(({ startTimeMs, absoluteDrawdown }) => ({ startTimeMs, absoluteDrawdown })),
  };
  // Fields that are absent and fields that are undefined are the same.
  return JSON.parse(JSON.stringify(told).replaceAll(account.id, 'account'));
}

/** Like that, once enough events have their numbers, which come a moment after folding. */
async function foundAll(
  database: Database,
  process: TestProcess,
  account: Account,
  id: string,
  events: number,
) {
  let all = await found(database, process, account, id);
  const isAll = async (): Promise<boolean> => {
    all = await found(database, process, account, id);
    return all.events.length >= events;
  };
  if (all.events.length < events) await process.untilPassed(isAll, `${events} events of ${id}`);
  return all;
}

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`a tracker with a start in the past on ${kind}`, () => {
    it('has the same findings, from many pages of hours, as one that existed all along', async (t) => {
      const world = await EngineWorld.open(t, kind);
      const process = await world.start();
      const account = await newAccount(world.database, { brokerClock: CLOCK });
      await process.live.addTracker(account, tracker('first'));
      await sendHours(process, account, 0, HOURS - 100);
      await process.store();
      // The newest hours are closed, but wait for a checkpoint.
      await sendHours(process, account, HOURS - 100, HOURS);
      await process.settle();
      await process.live.addTracker(account, tracker('second'));
      await process.settle();
      const first = await foundAll(world.database, process, account, 'first', BREACHES);
      const second = await foundAll(world.database, process, account, 'second', BREACHES);
      assert.deepEqual(second, first);
      assert.deepEqual([first.periods.length, first.events.length], [BREACHES, BREACHES]);
      await process.store();
      assert.deepEqual(await found(world.database, process, account, 'second'), first);
    });

    it('leaves out deals that come during the seeding: they are folded once', async (t) => {
      const world = await EngineWorld.open(t, kind);
      const process = await world.start();
      const account = await newAccount(world.database, { brokerClock: CLOCK });
      await sendHours(process, account, 0, 30);
      await process.store();
      let go = (): void => {};
      const going = new Promise<void>((resolve) => {
        go = resolve;
      });
      let isAsked = false;
      process.network.faults = {
        before: async ({ sql }) => {
          if (!/from deal\s+where/.test(sql)) return;
          isAsked = true;
          await going;
        },
      };
      await process.live.addTracker(account, tracker('first', { period: 'lifetime' }));
      await process.settle();
      await until(() => isAsked, 'the seeding asks for deals');
      const timeMs = START_MS + 30 * HOUR_MS;
      // Earlier than the newest snapshot, and acknowledged after the tracker.
      const deals = [{ id: 'deposit', profit: 700, timeMs: timeMs - HOUR_MS - MINUTE_MS }];
      await process.live.send(account.userId, [
        { account, timeMs, balance: 10_700, equity: 10_700, deals },
      ]);
      go();
      process.network.faults = {};
      await process.settle();
      const { periods } = await found(world.database, process, account, 'first');
      const [{ adjustment, maxAbsoluteProfit } = {}] = periods;
      assert.deepEqual([adjustment, maxAbsoluteProfit], [700_0000, 0]);
    });

    it('loses nothing of a quarantine that ends, whenever its owner is killed', async (t) => {
      const world = await EngineWorld.open(t, kind);
      let process = await world.start();
      const account = await newAccount(world.database, { brokerClock: CLOCK });
      const good = await newAccount(world.database, { brokerClock: CLOCK });
      for (const each of [account, good]) await sendHours(process, each, 0, 30);
      await process.store();
      await process.live.tell(account, IMPOSSIBLE);
      const position = await process.live.journal.head();
      for (const each of [account, good]) {
        await sendHour(process, each, 30);
        await process.live.addTracker(each, tracker('late'));
        await sendHour(process, each, 31, 9_000);
        // More than are read at a time, the last with a deal of before the tracker's entry.
        for (let minute = 1; minute <= WAITING; minute += 1) {
          const timeMs = START_MS + 31 * HOUR_MS + minute * 10_000;
          const dealMs = START_MS + 29 * HOUR_MS;
          const deals = minute < WAITING ? [] : [{ id: 'late', profit: -100, timeMs: dealMs }];
          await process.live.send(each.userId, [
            { account: each, timeMs, balance: 10_000, equity: 9_950, deals },
          ]);
        }
        await sendHour(process, each, 32, 9_900);
      }
      await process.store();
      const parked = await readParkedEntries(world.database, account.number, 0, 1000);
      assert.equal(parked.length, WAITING + 5);
      // Hours are requested and never answered: the seeding cannot end.
      let isAsked = false;
      process.network.faults = {
        before: ({ sql }) => {
          if (!sql.includes('select start_time_ms from equity_bucket')) return undefined;
          isAsked = true;
          return new Promise(() => {});
        },
      };
      await process.live.tell(account, { kind: 'quarantine-ended', withoutPosition: position });
      await sendHour(process, account, 33);
      await sendHour(process, good, 33);
      await process.settle();
      await until(() => isAsked, 'the seeding begins');
      for (let pass = 0; pass < 5; pass += 1) await process.time.pass(1000);
      process.kill();
      process = await world.open();
      await process.live.engine.start();
      await process.untilPassed(
        () => process.live.owned.length === process.live.journal.partitions,
        'all partitions taken over',
      );
      await until(
        () => process.live.engine.partitions.every(({ quarantined }) => quarantined === 0),
        'the end of the quarantine',
      );
      await sendHour(process, account, 34);
      await sendHour(process, good, 34);
      await process.store();
      const expected = await foundAll(world.database, process, good, 'late', 2);
      assert.deepEqual(await foundAll(world.database, process, account, 'late', 2), expected);
      assert.equal(expected.events.length, 2);
      assert.deepEqual(await listParkedAccounts(world.database, 10), []);
    });
  });
}
