import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HOUR_MS } from '../../src/domain/broker-time.ts';
import type { TrackerDefinition } from '../../src/domain/live/tracker-definition.ts';
import type { AccountView } from '../../src/engine/account-view.ts';
import { partitionOf } from '../../src/journal/entry.ts';
import type { Account } from '../../src/storage/account-store.ts';
import { type Database, DatabaseUnavailable } from '../../src/storage/database.ts';
import { readFeed } from '../../src/storage/event-feed-store.ts';
import { readHours } from '../../src/storage/hour-store.ts';
import { listParkedAccounts, readParkedEntries } from '../../src/storage/live-store.ts';
import { readPartitions } from '../../src/storage/partition-store.ts';
import { needs } from '../needs.ts';
import { until, untilPassed } from '../servers/until.ts';
import { newAccount } from '../storage-contract/fixture.ts';
import { CHECKPOINT_MS, EngineWorld, type TestProcess } from './engine-world.ts';

needs('postgres');

/** An unknown clock: following it throws, as a defect of the fold would. */
const IMPOSSIBLE = {
  kind: 'clock-changed',
  clock: { zone: 'Nowhere/Land', shiftHours: 0 },
} as const;
const START_MS = Date.UTC(2026, 2, 1, 10);
const TRACKER: TrackerDefinition = {
  ...{ id: 'tracker', name: 'Daily loss', period: 'day' },
  absoluteDrawdownThreshold: 500_0000,
};

/** Accounts of one user on one partition, each with a tracker. */
async function accountsOf(
  { database }: EngineWorld,
  { live }: TestProcess,
  count: number,
): Promise<Account[]> {
  const { partitions } = live.journal;
  const first = await newAccount(database, { brokerClock: { zone: 'UTC', shiftHours: 0 } });
  const accounts = [first];
  const { userId, brokerClock } = first;
  while (accounts.length < count) {
    const next = await newAccount(database, { userId, brokerClock });
    const isNeighbour =
      partitionOf(next.number, partitions) === partitionOf(first.number, partitions);
    if (isNeighbour) accounts.push(next);
  }
  for (const account of accounts) await live.addTracker(account, TRACKER);
  return accounts;
}

/** A snapshot of each of the accounts, one request; hours after the start. */
const send = ({ live }: TestProcess, accounts: Account[], hour: number, equity: number) =>
  live.send(
    accounts[0]?.userId ?? '',
    accounts.map((account) => ({
      ...{ account, timeMs: START_MS + hour * HOUR_MS, balance: 10_000, equity },
    })),
  );

/** The known data of an account except its id and the versions of its hours. */
async function known(database: Database, { live }: TestProcess, account: Account) {
  const view = (of: AccountView) => ({
    ...{ lastTimeMs: of.lastTimeMs, balance: of.balance, equity: of.equity },
    hours: [...of.pendingHours().hours, of.runningHour()],
    periods: of.newestPeriods(TRACKER.id),
  });
  const now = await live.read(account, view);
  const stored = await readHours(database, account.number, 0, START_MS * 2, 1000);
  const withoutIds = (value: unknown) =>
    JSON.parse(JSON.stringify(value, (key, one) => (key.startsWith('account') ? undefined : one)));
  const hours = new Map([
    ...stored.map((hour) => [hour.startTimeMs, withoutIds(hour)] as const),
    ...(now?.hours ?? []).flatMap((hour) =>
      hour ? [[hour.startTimeMs, withoutIds(hour)] as const] : [],
    ),
  ]);
  const order = [...hours].sort(([a], [b]) => a - b).map(([, hour]) => hour);
  return { ...withoutIds({ ...now, hours: [] }), hours: order };
}

const eventsOf = async (database: Database, { id }: Account) =>
  (await readFeed(database, 0, 1000)).events
    .filter(({ event }) => event.accountId === id)
    .map(({ event }) => event.timeMs);
const quarantined = ({ live }: TestProcess): number =>
  live.engine.partitions.reduce((sum, one) => sum + one.quarantined, 0);
const end = ({ live }: TestProcess, account: Account, withoutPosition?: number) =>
  live.tell(account, {
    kind: 'quarantine-ended',
    ...(withoutPosition === undefined ? {} : { withoutPosition }),
  });
const parkedOf = async (database: Database, { number }: Account) =>
  (await listParkedAccounts(database, 100)).find((one) => one.accountNumber === number);

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`an entry that cannot be folded on ${kind}`, () => {
    /** Two accounts, one of them in quarantine at the position, and the data sent since. */
    async function poisoned(world: EngineWorld, process: TestProcess) {
      const [bad, good] = await accountsOf(world, process, 2);
      assert.ok(bad && good);
      await send(process, [bad, good], 0, 10_000);
      await send(process, [bad, good], 1, 9_900);
      await process.store();
      await send(process, [bad, good], 2, 9_950);
      await process.live.tell(bad, IMPOSSIBLE);
      const position = await process.live.journal.head();
      await send(process, [bad, good], 3, 9_400);
      await send(process, [bad, good], 4, 9_990);
      await process.settle();
      return { bad, good, position };
    }

    it('puts its account in quarantine, and its partition goes on', async (t) => {
      const world = await EngineWorld.open(t, kind);
      const process = await world.start();
      const { bad, good, position } = await poisoned(world, process);
      assert.equal(quarantined(process), 1);
      assert.deepEqual(
        process.live.engine.partitions.flatMap(({ failing }) => failing),
        [],
      );
      assert.equal(await process.live.read(good, (view) => view.equity), 9_990_0000);
      await process.store();
      assert.deepEqual(await eventsOf(world.database, good), [START_MS + 3 * HOUR_MS]);
      const head = await process.live.journal.head();
      for (const row of await readPartitions(world.database)) assert.equal(row.position, head);
      const park = await parkedOf(world.database, bad);
      const told = JSON.parse(park?.park ?? '{}');
      assert.deepEqual([told.position, park?.position], [position, head]);
      assert.match(told.reason, /time zone/);
      // As of the last storing; no one is told that it does not exist.
      assert.equal(await process.live.read(bad, (view) => view.equity), 9_900_0000);
      await process.untilPassed(async () => {
        return (await process.live.journal.read(0)).length === 0;
      }, 'a trimmed journal');
    });

    it('does not affect the account when left out: as if it had never existed', async (t) => {
      const world = await EngineWorld.open(t, kind);
      const process = await world.start();
      const { bad, good, position } = await poisoned(world, process);
      await process.store();
      await end(process, bad, position);
      await process.untilPassed(() => quarantined(process) === 0, 'the end of the quarantine');
      await send(process, [bad, good], 5, 9_980);
      const expected = await known(world.database, process, good);
      assert.deepEqual(await known(world.database, process, bad), expected);
      await process.store();
      // Found entries are folded at once; their event is in the feed a moment later.
      const isTold = async (): Promise<boolean> => (await eventsOf(world.database, bad)).length > 0;
      await process.untilPassed(isTold, 'the event of what was folded again');
      assert.deepEqual(await eventsOf(world.database, bad), await eventsOf(world.database, good));
      assert.equal(await parkedOf(world.database, bad), undefined);
      assert.deepEqual(await readParkedEntries(world.database, bad.number, 0, 10), []);
      await process.live.engine.stop();
      const next = await world.start();
      assert.deepEqual(await known(world.database, next, bad), expected);
      assert.equal(quarantined(next), 0);
    });

    it('stays in quarantine when it breaks again, and loses nothing', async (t) => {
      const world = await EngineWorld.open(t, kind);
      const process = await world.start();
      const { bad, good, position } = await poisoned(world, process);
      await process.live.tell(bad, IMPOSSIBLE);
      const second = await process.live.journal.head();
      await send(process, [bad, good], 5, 9_970);
      await process.store();
      await end(process, bad);
      await process.store();
      assert.equal(quarantined(process), 1);
      await end(process, bad, position);
      await until(async () => {
        await process.store();
        const park = await parkedOf(world.database, bad);
        return JSON.parse(park?.park ?? '{}').position === second;
      }, 'the second bad entry');
      await send(process, [bad, good], 6, 9_960);
      await process.store();
      assert.equal((await readParkedEntries(world.database, bad.number, 0, 100)).length, 7);
      await end(process, bad, second);
      await process.untilPassed(() => quarantined(process) === 0, 'the end of the quarantine');
      const expected = await known(world.database, process, good);
      assert.deepEqual(await known(world.database, process, bad), expected);
    });

    it('is found again by the next owner, whenever the former one was killed', async (t) => {
      const world = await EngineWorld.open(t, kind);
      let process = await world.start();
      const [bad, good] = await accountsOf(world, process, 2);
      assert.ok(bad && good);
      let position = 0;
      const killed = async () => {
        await process.kill();
        process = await world.open();
        await process.live.engine.start();
        await process.untilPassed(
          () => process.live.owned.length === process.live.journal.partitions,
          'all partitions taken over',
        );
      };
      const steps: (() => Promise<unknown>)[] = [
        () => send(process, [bad, good], 0, 10_000),
        () => process.live.tell(bad, IMPOSSIBLE),
        async () => {
          position = await process.live.journal.head();
        },
        () => send(process, [bad, good], 1, 9_400),
        () => process.store(),
        () => send(process, [bad, good], 2, 9_800),
        () => end(process, bad),
        () => send(process, [bad, good], 3, 9_700),
        () => end(process, bad, position),
        () => send(process, [bad, good], 4, 9_900),
        () => process.store(),
        () => send(process, [bad, good], 5, 9_950),
      ];
      for (const step of steps) {
        await step();
        await killed();
      }
      // One that has not met its account yet does not count it either.
      await until(async () => {
        await process.store();
        return (await parkedOf(world.database, bad)) === undefined;
      }, 'the end of the quarantine');
      const expected = await known(world.database, process, good);
      assert.deepEqual(await known(world.database, process, bad), expected);
      assert.deepEqual(await eventsOf(world.database, bad), await eventsOf(world.database, good));
    });

    it("follows an operator's decision while it is folded again", async (t) => {
      const world = await EngineWorld.open(t, kind);
      const process = await world.start();
      const { bad, good, position } = await poisoned(world, process);
      await process.store();
      await Promise.all([end(process, bad), end(process, bad), end(process, bad, position)]);
      await process.untilPassed(() => quarantined(process) === 0, 'the end of the quarantine');
      const expected = await known(world.database, process, good);
      assert.deepEqual(await known(world.database, process, bad), expected);
    });

    it('folds nothing twice that was being stored when it ended', async (t) => {
      const world = await EngineWorld.open(t, kind);
      const process = await world.start();
      const { bad, good, position } = await poisoned(world, process);
      await process.store();
      // Stored, but the answer gets lost: it will be stored again a moment later.
      let isParking = false;
      let isLost = false;
      process.network.faults.after = ({ sql }) => {
        if (sql.includes('insert into parked_entry')) isParking = true;
        if (sql !== 'commit' || !isParking || isLost) return;
        isLost = true;
        throw new DatabaseUnavailable('the answer got lost');
      };
      await process.live.send(
        good.userId,
        [bad, good].map((account) => ({
          ...{ account, timeMs: START_MS + 5 * HOUR_MS, balance: 10_100 },
          deals: [{ id: 'deposit', profit: 100 }],
        })),
      );
      await untilPassed(
        () => process.time.pass(CHECKPOINT_MS),
        () => isLost,
        'a lost answer',
      );
      await end(process, bad, position);
      await process.settle();
      await until(() => quarantined(process) === 0, 'the end of the quarantine');
      await process.store();
      const expected = await known(world.database, process, good);
      assert.deepEqual(await known(world.database, process, bad), expected);
    });

    it('continues if waiting entries cannot be read, and can do without them', async (t) => {
      const world = await EngineWorld.open(t, kind);
      const process = await world.start();
      const { bad, good, position } = await poisoned(world, process);
      await process.store();
      const [, , damaged] = await readParkedEntries(world.database, bad.number, 0, 100);
      await world.database.run(
        'update parked_entry set body = $3 where account_number = $1 and position = $2',
        [bad.number, damaged?.position ?? 0, new Uint8Array(3)],
      );
      await end(process, bad, position);
      await until(async () => {
        await process.store();
        const park = await parkedOf(world.database, bad);
        return JSON.parse(park?.park ?? '{}').position === damaged?.position;
      }, 'the entry that cannot be read');
      await end(process, bad, damaged?.position);
      await process.untilPassed(() => quarantined(process) === 0, 'the end of the quarantine');
      await process.store();
      assert.equal(await process.live.read(bad, (view) => view.equity), 9_990_0000);
      assert.equal(await process.live.read(good, (view) => view.equity), 9_990_0000);
    });

    it('is removed with its account', async (t) => {
      const world = await EngineWorld.open(t, kind);
      const process = await world.start();
      const { bad, good } = await poisoned(world, process);
      await process.live.removeAccount(bad);
      await send(process, [good], 5, 9_980);
      await process.store();
      assert.equal(quarantined(process), 0);
      assert.equal(await process.live.read(bad, () => true), undefined);
      assert.equal(await process.live.read(good, (view) => view.equity), 9_980_0000);
    });
  });
}
