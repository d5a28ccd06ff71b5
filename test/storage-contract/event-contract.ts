import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kindOf } from '../../src/domain/live/live-records.ts';
import { type Account, removeAccount } from '../../src/storage/account-store.ts';
import type { Database } from '../../src/storage/database.ts';
import {
  readEventRowsByTime,
  readEvents,
  readFeed,
  type StoredEvent,
} from '../../src/storage/event-feed-store.ts';
import type { EventFilter } from '../../src/storage/event-filter.ts';
import { numberEvents, readLastNumber } from '../../src/storage/event-number-store.ts';
import { type FoundEvent, storeEvents, subjectOf } from '../../src/storage/event-store.ts';
import {
  readEvidenceRows,
  readWatchedEvents,
  writeWatchedEvent,
} from '../../src/storage/evidence-store.ts';
import {
  acknowledgeEvents,
  listIncidentRows,
  readIncidentEvents,
} from '../../src/storage/incident-store.ts';
import { type OwnedPartition, PartitionLost } from '../../src/storage/partition-store.ts';
import { gate, hold, newAccount, newUser, useDatabase } from './fixture.ts';
import { eventOf, ownPartition, revisionOf } from './live-fixture.ts';

type Used = ReturnType<typeof useDatabase>;
const LOCK = 'plimsoll:events';

export function registerEventContract(kind: Database['kind']): void {
  describe('events as they are stored', () => registerStoring(useDatabase(kind)));
  describe('events as they are read', () => registerReading(useDatabase(kind)));
}

const numbersOf = (events: readonly StoredEvent[]): number[] =>
  events.map(({ sequenceNumber }) => sequenceNumber);
const store = (database: Database, { partition, epoch }: OwnedPartition, events: FoundEvent[]) =>
  storeEvents(database, partition, epoch, events, 0);

function registerStoring(use: Used): void {
  it('numbers events in the order of the journal, without gaps, each once', async () => {
    const { number, userId } = await newAccount(use.database);
    const owner = await ownPartition(use.database);
    const first = await readLastNumber(use.database);
    const events = [1, 2, 3].map((day) => eventOf(number, { startTimeMs: day, position: day }));
    assert.equal(await store(use.database, owner, events.slice(0, 2)), first + 2);
    // Found again when the journal is folded again.
    assert.equal(await store(use.database, owner, events), first + 3);
    assert.equal(await store(use.database, owner, events), first + 3);
    const { events: feed } = await readFeed(use.database, first, 10);
    assert.deepEqual(numbersOf(feed), [first + 1, first + 2, first + 3]);
    assert.deepEqual(feed[0], {
      ...{ sequenceNumber: first + 1, userId, accountNumber: number, moneyDigits: 4 },
      event: events[0]?.event,
      revises: undefined,
    });
    assert.deepEqual(
      feed.map(({ event }) => subjectOf(event)[1]),
      [1, 2, 3],
    );
  });

  it('keeps an event as it was found first', async () => {
    const { number } = await newAccount(use.database);
    const owner = await ownPartition(use.database);
    const first = await readLastNumber(use.database);
    const { event } = eventOf(number, {});
    await store(use.database, owner, [eventOf(number, { equity: 1 })]);
    await store(use.database, owner, [eventOf(number, { equity: 2 })]);
    const {
      events: [stored],
    } = await readFeed(use.database, first, 10);
    assert.deepEqual(stored?.event, { ...event, equity: 1 });
  });

  it('numbers an event before its revision, which names it, and opens its incident again', async () => {
    const { number } = await newAccount(use.database);
    const owner = await ownPartition(use.database);
    const first = await readLastNumber(use.database);
    const breach = eventOf(number);
    await store(use.database, owner, [breach]);
    await use.database.transaction((tx) =>
      acknowledgeEvents(tx, { accountNumber: number, timeMs: 0 }, 1),
    );
    const revisions = [0, 1].map((round) =>
      revisionOf(number, { round, position: 2 + round, stillExceeded: round === 0 }),
    );
    // A breach after one that was revised away is one of its own, with revisions of its own.
    const next = [
      eventOf(number, { round: 1, timeMs: 9, position: 4 }),
      revisionOf(number, { round: 2, position: 5, revises: { kind: 'drawdown', round: 1 } }),
    ];
    await store(use.database, owner, [...revisions, ...next]);
    // Found again when the journal is folded again.
    await store(use.database, owner, [breach, ...revisions, ...next]);
    const { events } = await readFeed(use.database, first, 10);
    assert.deepEqual(
      events.map(({ sequenceNumber, event, revises }) => [
        sequenceNumber - first,
        kindOf(event),
        revises && revises - first,
      ]),
      [
        [1, 'drawdown', undefined],
        [2, 'revision', 1],
        [3, 'revision', 1],
        [4, 'drawdown', undefined],
        [5, 'revision', 4],
      ],
    );
    const [incident] = await readIncidentEvents(use.database, [
      { accountNumber: number, timeMs: 0 },
    ]);
    assert.equal(incident?.acknowledgedAtMs, undefined);
  });

  it('takes nothing from an owner that the partition was taken from', async () => {
    const { number } = await newAccount(use.database);
    const former = await ownPartition(use.database, 'former');
    const owner = await ownPartition(use.database, 'owner');
    const last = await readLastNumber(use.database);
    await assert.rejects(store(use.database, former, [eventOf(number)]), PartitionLost);
    assert.equal(await numberEvents(use.database), last);
    assert.equal(await store(use.database, owner, [eventOf(number)]), last + 1);
  });

  it('leaves out events of accounts that are gone, and numbers the others on', async () => {
    const [gone, stays] = [await newAccount(use.database), await newAccount(use.database)];
    const owner = await ownPartition(use.database);
    await use.database.transaction((tx) => removeAccount(tx, gone.number, 1));
    const last = await readLastNumber(use.database);
    const events = [gone, stays, gone, stays].map(({ number }, place) =>
      eventOf(number, { startTimeMs: place, ordinal: place }),
    );
    assert.equal(await store(use.database, owner, events), last + 2);
    assert.deepEqual(numbersOf((await readFeed(use.database, last, 10)).events), [
      last + 1,
      last + 2,
    ]);
  });

  it('stores thousands at once', async () => {
    const { number } = await newAccount(use.database);
    const owner = await ownPartition(use.database);
    const last = await readLastNumber(use.database);
    const events = Array.from({ length: 2000 }, (_, n) =>
      eventOf(number, { startTimeMs: n, ordinal: n, position: 5 }),
    );
    assert.equal(await store(use.database, owner, events), last + 2000);
  });

  it('gives numbers to those that were stored while somebody else was numbering', async (t) => {
    if (use.database.kind === 'sqlite') return t.skip('writers take turns on SQLite');
    const { number } = await newAccount(use.database);
    const owner = await ownPartition(use.database);
    const last = await readLastNumber(use.database);
    const holding = gate();
    const done = gate();
    const holder = use.database.transaction(async (tx) => {
      await tx.lock(LOCK);
      holding.open();
      await hold(tx, done.opened);
    });
    await holding.opened;
    const late = [3, 1, 2].map((at) => eventOf(number, { startTimeMs: at, position: at }));
    late.push(revisionOf(number, { startTimeMs: 2, position: 4 }));
    for (const event of late) assert.equal(await store(use.database, owner, [event]), undefined);
    assert.equal(await numberEvents(use.database), undefined);
    assert.deepEqual(await readFeed(use.database, last, 10), { events: [], lastNumber: last });
    done.open();
    await holder;
    // The next one to store numbers waiting events first.
    const next = eventOf(number, { startTimeMs: 9, position: 9 });
    assert.equal(await store(use.database, owner, [next]), last + 5);
    const { events: feed } = await readFeed(use.database, last, 10);
    assert.deepEqual(
      feed.map(({ event, sequenceNumber, revises }) => [
        ...[subjectOf(event)[1], sequenceNumber - last],
        revises && revises - last,
      ]),
      [
        [1, 1, undefined],
        [2, 2, undefined],
        [3, 3, undefined],
        [2, 4, 2],
        [9, 5, undefined],
      ],
    );
    assert.equal(await numberEvents(use.database), last + 5);
  });
}

function registerReading(use: Used): void {
  /** Accounts of one user with three events each, in turn, and one of another user. */
  async function storedEvents() {
    const userId = await newUser(use.database);
    const mine = [
      await newAccount(use.database, { userId }),
      await newAccount(use.database, { userId }),
    ] as const;
    const owner = await ownPartition(use.database);
    const after = await readLastNumber(use.database);
    const events = [...mine, ...mine, ...mine, await newAccount(use.database)].map(
      ({ number, id }, place) =>
        eventOf(number, {
          accountId: id,
          trackerId: `t-${place % 2}`,
          startTimeMs: place,
          timeMs: 100 - place,
          position: place,
          exceededThresholdType: place < 2 ? 'profit' : 'drawdown',
        }),
    );
    await store(use.database, owner, events);
    /** Numbers from 1 on, for short. */
    const numbers = (found: readonly StoredEvent[]) => numbersOf(found).map((n) => n - after);
    const read = async (filter: Partial<EventFilter>, from = 0, limit = 100) =>
      numbers(await readEvents(use.database, { userId, ...filter }, after + from, limit));
    return { userId, mine, after, numbers, read };
  }
  const remove = ({ number }: Account) =>
    use.database.transaction((tx) => removeAccount(tx, number, 1));

  it('reads those of a user after a number, by account, subject, kind and reach', async () => {
    const { mine, read } = await storedEvents();
    const [one, two] = mine;
    assert.deepEqual(await read({}), [1, 2, 3, 4, 5, 6]);
    assert.deepEqual(await read({}, 3, 2), [4, 5]);
    assert.deepEqual(await read({ accountNumber: two.number }), [2, 4, 6]);
    assert.deepEqual(await read({ subjectId: 't-0' }), [1, 3, 5]);
    assert.deepEqual(await read({ kind: 'profit' }), [1, 2]);
    assert.deepEqual(await read({ accountNumbers: new Set([one.number]) }), [1, 3, 5]);
    assert.deepEqual(await read({ accountNumbers: new Set() }), []);
    assert.deepEqual(await read({ accountNumber: one.number, subjectId: 't-1' }), []);
  });

  it('reads those of a stretch of broker time, ends included, in its order', async () => {
    const { userId, numbers } = await storedEvents();
    const between = async (startMs: number, endMs: number, limit = 10) =>
      numbers(await readEventRowsByTime(use.database, { userId }, startMs, endMs, limit));
    assert.deepEqual(await between(96, 98), [5, 4, 3]);
    assert.deepEqual(await between(0, 200, 2), [6, 5]);
  });

  it('reads those of a token of many accounts in order, whatever the way of reading', async () => {
    const { userId, mine, numbers, read, after } = await storedEvents();
    const [one, two] = mine;
    const strangers = Array.from({ length: 120 }, (_, place) => 1e9 + place);
    const filter = { userId, accountNumbers: new Set([one.number, ...strangers, two.number]) };
    assert.deepEqual(await read(filter), [1, 2, 3, 4, 5, 6]);
    assert.deepEqual(await read(filter, 1, 3), [2, 3, 4]);
    assert.deepEqual(await read({ ...filter, kind: 'drawdown' }), [3, 4, 5, 6]);
    const byTime = await readEventRowsByTime(use.database, filter, 96, 200, 3);
    assert.deepEqual(numbers(byTime), [5, 4, 3]);
    const incidents = async (state: 'open' | 'all', before: number, limit: number) =>
      (await listIncidentRows(use.database, filter, state, after + before, limit)).map(
        ({ id }) => id - after,
      );
    assert.deepEqual(await incidents('all', 6, 3), [5, 4, 3]);
    assert.deepEqual(await incidents('open', 100, 10), [6, 5, 4, 3, 2, 1]);
  });

  it('shows nothing of a deleted account, in no way of reading', async () => {
    const { userId, mine, read, after, numbers } = await storedEvents();
    const [one, two] = mine;
    await remove(one);
    assert.deepEqual(await read({}), [2, 4, 6]);
    assert.deepEqual(await read({ accountNumber: one.number }), []);
    assert.deepEqual(await read({ accountNumbers: new Set([one.number, two.number]) }), [2, 4, 6]);
    assert.deepEqual(numbers((await readFeed(use.database, after, 100)).events), [2, 4, 6, 7]);
    const byTime = await readEventRowsByTime(use.database, { userId }, 0, 200, 100);
    assert.deepEqual(numbers(byTime), [6, 4, 2]);
    assert.equal(await readEvidenceRows(use.database, userId, after + 1), undefined);
    assert.ok(await readEvidenceRows(use.database, userId, after + 2));
  });

  it('keeps the snapshots around a breach, and shows them to its user only', async () => {
    const { userId, mine, after } = await storedEvents();
    const [{ number }] = mine;
    const evidence = async (user = userId) => {
      const found = await readEvidenceRows(use.database, user, after + 1);
      return found && [[...found.before], [...found.after], found.watched];
    };
    assert.deepEqual(await evidence(), [[1, 2, 3], [], true]);
    assert.equal(await evidence(await newUser(use.database)), undefined);
    const watched = async () =>
      (await readWatchedEvents(use.database, [number])).map((event) => ({
        ...event,
        after: [...event.after],
      }));
    const breach = { kind: 'profit' as const, startTimeMs: 0, round: 0 };
    const key = { accountNumber: number, trackerId: 't-0', ...breach };
    assert.deepEqual((await watched())[0], { ...key, after: [], position: 0 });
    await use.database.transaction((tx) =>
      writeWatchedEvent(tx, { ...key, after: Uint8Array.of(4, 5) }, true),
    );
    assert.deepEqual((await watched())[0], { ...key, after: [4, 5], position: 0 });
    await use.database.transaction((tx) =>
      writeWatchedEvent(tx, { ...key, after: Uint8Array.of(4, 5, 6) }, false),
    );
    assert.deepEqual(await evidence(), [[1, 2, 3], [4, 5, 6], false]);
    assert.equal((await watched()).length, 2);
  });
}
