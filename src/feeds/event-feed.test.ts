import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { FaultyDatabase } from '../../test/servers/faulty-database.ts';
import { silent } from '../../test/servers/test-context.ts';
import { openTestDatabase } from '../../test/servers/test-databases.ts';
import { TestTime } from '../../test/servers/test-time.ts';
import { untilPassed } from '../../test/servers/until.ts';
import { newAccount } from '../../test/storage-contract/fixture.ts';
import { eventOf, ownPartition } from '../../test/storage-contract/live-fixture.ts';
import { removeAccount } from '../storage/account-store.ts';
import { Catalogue } from '../storage/catalogue.ts';
import { DatabaseUnavailable } from '../storage/database.ts';
import { storeEvents } from '../storage/event-store.ts';
import { EventFeed, TooManyWaiting } from './event-feed.ts';

const WAIT_MS = 60_000;

/** A feed on a separate database, with a counter of its reads of events. */
async function openFeed(t: TestContext, maxWaiting?: number) {
  const stored = await openTestDatabase('sqlite');
  const database = new FaultyDatabase(stored.database);
  const time = new TestTime();
  const catalogue = new Catalogue(database);
  const feed = new EventFeed({
    ...{ database, catalogue, time, logger: silent },
    ...(maxWaiting === undefined ? {} : { maxWaiting }),
  });
  let reads = 0;
  database.faults.before = ({ sql }) => {
    if (sql.includes('from tracker_event')) reads += 1;
  };
  t.after(async () => {
    feed.close();
    await stored.close();
  });
  const { partition, epoch } = await ownPartition(stored.database);
  let events = 0;
  /** Stores an event without a notification; returns its number. */
  const add = async ({ number }: { number: number }): Promise<number> => {
    events += 1;
    const event = eventOf(number, { startTimeMs: events, position: events });
    await storeEvents(stored.database, partition, epoch, [event], 0);
    return events;
  };
  return {
    ...{ database, time, feed, add, reads: () => reads },
    refresh: () => catalogue.refresh(),
    remove: async ({ number }: { number: number }) => {
      await stored.database.transaction((tx) => removeAccount(tx, number, 1));
      await catalogue.refresh();
    },
    /** Reports a deletion to the catalogue at each read of events. */
    removeMeanwhile: (next: () => Promise<{ number: number }>) => {
      const { before } = database.faults;
      database.faults.before = async (call) => {
        await before?.(call);
        if (!call.sql.includes('from tracker_event')) return;
        const { number } = await next();
        await stored.database.transaction((tx) => removeAccount(tx, number, 1));
        await catalogue.refresh();
      };
    },
    account: () => newAccount(stored.database),
    announce: () => stored.database.announce('plimsoll_events', String(events)),
  };
}

const query = (userId: string, after = 0) => ({ filter: { userId }, after, limit: 10 });
const numbersOf = (events: readonly { sequenceNumber: number }[]) =>
  events.map(({ sequenceNumber }) => sequenceNumber);

it('wakes ten thousand waiting requests by one read and answers only those concerned', async (t) => {
  const { feed, account, add, announce, reads } = await openFeed(t);
  await feed.start();
  const somebody = await account();
  const others = Array.from({ length: 10_000 }, (_, index) =>
    feed.next(query(`user-${index}`), WAIT_MS),
  );
  const concerned = feed.next(query(somebody.userId), WAIT_MS);
  assert.equal(feed.waiting, 10_001);
  await add(somebody);
  announce();
  assert.deepEqual(numbersOf(await concerned), [1]);
  assert.equal(feed.waiting, 10_000);
  assert.equal(reads(), 1);
  assert.deepEqual(await feed.next(query(somebody.userId, 1), 0), []);
  assert.equal(reads(), 1, 'whoever is up to date costs no read');
  feed.close();
  assert.ok((await Promise.all(others)).every((events) => events.length === 0));
});

it('reads events older than its memory, and forgets readers who have left', async (t) => {
  const { feed, account, add } = await openFeed(t);
  const [a, b] = [await account(), await account()];
  await add(a);
  await add(b);
  await feed.start();
  assert.deepEqual(numbersOf(await feed.next(query(b.userId), 0)), [2]);
  const leaving = new AbortController();
  const waiting = feed.next(query(b.userId, 2), WAIT_MS, leaving.signal);
  leaving.abort();
  assert.deepEqual(await waiting, []);
  assert.equal(feed.waiting, 0);
});

it('finds an event without a notification on its own, also after an outage', async (t) => {
  const { feed, account, add, time, database } = await openFeed(t);
  await feed.start();
  const somebody = await account();
  const waiting = feed.next(query(somebody.userId), WAIT_MS);
  await add(somebody);
  const { before } = database.faults;
  let refusals = 0;
  database.faults.before = () => {
    refusals += 1;
    throw new DatabaseUnavailable('away');
  };
  await time.pass(3000);
  assert.ok(refusals > 1);
  assert.equal(feed.waiting, 1);
  database.faults = before ? { before } : {};
  await untilPassed(
    () => time.pass(1000),
    () => feed.waiting === 0,
    'the answer',
  );
  assert.deepEqual(numbersOf(await waiting), [1]);
});

it('answers without events when the time is up, and bounds how many wait', async (t) => {
  const { feed, time } = await openFeed(t, 2);
  await feed.start();
  const waiting = [feed.next(query('a'), 5000), feed.next(query('b'), WAIT_MS)];
  await assert.rejects(feed.next(query('c'), WAIT_MS), TooManyWaiting);
  await time.pass(5000);
  assert.deepEqual(await waiting[0], []);
  assert.equal(feed.waiting, 1);
  const next = feed.next(query('c'), WAIT_MS);
  feed.close();
  assert.deepEqual(await Promise.all([waiting[1], next]), [[], []]);
});

it('continues reading while other accounts are deleted, however fast', async (t) => {
  const { feed, account, add, announce, refresh, removeMeanwhile } = await openFeed(t);
  await refresh();
  await feed.start();
  const somebody = await account();
  const waiting = feed.next(query(somebody.userId), WAIT_MS);
  removeMeanwhile(account);
  await add(somebody);
  announce();
  assert.deepEqual(numbersOf(await waiting), [1]);
});

it('delivers no event of a deleted account, and still those of others', async (t) => {
  const { feed, account, add, announce, refresh, remove, reads } = await openFeed(t);
  await refresh();
  await feed.start();
  const [gone, stays] = [await account(), await account()];
  await add(gone);
  await add(stays);
  const waiting = feed.next(query(stays.userId), WAIT_MS);
  announce();
  assert.deepEqual(numbersOf(await waiting), [2]);
  const before = reads();
  await remove(gone);
  assert.deepEqual(await feed.next(query(gone.userId), 0), []);
  assert.deepEqual(numbersOf(await feed.next(query(stays.userId), 0)), [2]);
  assert.equal(reads(), before, 'both are answered from memory');
});
