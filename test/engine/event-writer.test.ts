import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { EventWriter } from '../../src/engine/event-writer.ts';
import type { Database } from '../../src/storage/database.ts';
import { readFeed } from '../../src/storage/event-feed-store.ts';
import { numberEvents } from '../../src/storage/event-number-store.ts';
import type { FoundEvent } from '../../src/storage/event-store.ts';
import { type OwnedPartition, PartitionLost } from '../../src/storage/partition-store.ts';
import { needs } from '../needs.ts';
import { FaultyDatabase } from '../servers/faulty-database.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { gate, hold, newAccount } from '../storage-contract/fixture.ts';
import { eventOf, ownPartition } from '../storage-contract/live-fixture.ts';

needs('postgres');

/** A writer and three partitions of its process. */
async function openWriter(t: TestContext, kind: Database['kind']) {
  const stored = await openTestDatabase(kind);
  t.after(() => stored.close());
  const database = new FaultyDatabase(stored.database);
  if (kind === 'sqlite') {
    await database.run(
      'insert into journal_partition (partition_id, position) values (1, 0), (2, 0)',
    );
  }
  const statements: string[] = [];
  database.faults.after = ({ sql }) => {
    if (/store_events|^commit/.test(sql)) statements.push(sql);
  };
  const own = (partition: number) => ownPartition(stored.database, 'owner', partition);
  const owned = [await own(0), await own(1), await own(2)] as const;
  const { number } = await newAccount(stored.database);
  const writer = new EventWriter(database, Date.now, () => {});
  const event = (startTimeMs: number): FoundEvent =>
    eventOf(number, { startTimeMs, position: startTimeMs });
  /** Stores events of these moments for the partition. */
  const store = ({ partition, epoch }: OwnedPartition, ...moments: number[]): Promise<void> =>
    writer.store(partition, epoch, moments.map(event));
  /** The moment and the number of each event of the feed. */
  const feed = async (): Promise<number[][]> =>
    (await readFeed(stored.database, 0, 100)).events.map(
      ({ event: { timeMs: _, ...of }, ...each }) => [
        'startTimeMs' in of ? of.startTimeMs : 0,
        each.sequenceNumber,
      ],
    );
  return { database: stored.database, statements, owned, own, store, feed };
}

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`events of several partitions on ${kind}`, () => {
    it('are stored together, and numbered in the order of the journal', async (t) => {
      const { statements, owned, store, feed } = await openWriter(t, kind);
      const [one, two, three] = owned;
      await Promise.all([store(one, 3, 5), store(two, 1), store(three, 4, 9)]);
      assert.equal(statements.length, 1);
      assert.deepEqual(
        (await feed()).map(([, number]) => number),
        [1, 2, 3, 4, 5],
      );
      if (kind === 'postgres') {
        assert.deepEqual(
          (await feed()).map(([moment]) => moment),
          [1, 3, 4, 5, 9],
        );
      }
    });

    it('are stored without those of a partition that was lost', async (t) => {
      const { owned, own, store, feed } = await openWriter(t, kind);
      const [one, two, three] = owned;
      const successor = await own(two.partition);
      const lost = assert.rejects(store(two, 2), PartitionLost);
      await Promise.all([store(one, 1), lost, store(three, 3)]);
      assert.deepEqual(await feed(), [
        [1, 1],
        [3, 2],
      ]);
      // A process can lose a partition and take it again, before it hears of the former.
      const again = assert.rejects(store(two, 4), PartitionLost);
      await Promise.all([again, store(successor, 5)]);
      assert.deepEqual(await feed(), [
        [1, 1],
        [3, 2],
        [5, 3],
      ]);
    });
  });
}

describe('events of several partitions on postgres', () => {
  it('are stored while one partition is being taken, whose own wait', async (t) => {
    const { database, owned, store, feed } = await openWriter(t, 'postgres');
    const [one, two] = owned;
    const taking = gate();
    const taken = gate();
    const taker = database.transaction(async (tx) => {
      await tx.run('update claim set holder = holder where fence = $1', [one.epoch]);
      taking.open();
      await hold(tx, taken.opened);
    });
    await taking.opened;
    const waiting = store(one, 1);
    await store(two, 2);
    await store(two, 3);
    assert.deepEqual(await feed(), [
      [2, 1],
      [3, 2],
    ]);
    taken.open();
    await taker;
    await waiting;
    assert.deepEqual(await feed(), [
      [2, 1],
      [3, 2],
      [1, 3],
    ]);
  });

  it('are stored although some of one partition are refused, without a gap', async (t) => {
    const { database, owned, store, feed } = await openWriter(t, 'postgres');
    await database.run(`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'refused'; end $$`);
    await database.run(`create trigger refuse after insert on tracker_event for each row
      when (new.start_time_ms = 3) execute function refuse()`);
    const [one, two, three] = owned;
    const refused = assert.rejects(store(two, 2, 3), /refused/);
    await Promise.all([store(one, 1), refused, store(three, 4)]);
    await assert.rejects(store(two, 3), /refused/);
    // Events that cannot even be sent.
    const unsent = assert.rejects(store(two, Number.NaN), /NaN/);
    await Promise.all([store(one, 5), unsent, store(three, 6)]);
    // Each was stored by itself: the second gets its number later if they met.
    assert.ok((await numberEvents(database)) !== undefined);
    assert.deepEqual(
      (await feed()).map(([, number]) => number),
      [1, 2, 3, 4],
    );
    assert.deepEqual((await feed()).map(([moment]) => moment).sort(), [1, 4, 5, 6]);
  });
});
