import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DatabaseUnavailable } from '../../src/storage/database.ts';
import { readFeed } from '../../src/storage/event-feed-store.ts';
import { numberEvents } from '../../src/storage/event-number-store.ts';
import { storeEvents } from '../../src/storage/event-store.ts';
import { readPartitions } from '../../src/storage/partition-store.ts';
import { needs } from '../needs.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { until } from '../servers/until.ts';
import { Random } from '../simulation/random.ts';
import { newAccount } from '../storage-contract/fixture.ts';
import { eventOf, ownPartition } from '../storage-contract/live-fixture.ts';

needs('postgres');

const WRITERS = 16;
const EVENTS_EACH = 60;
const SEED = 4;
const PAUSE_MS = 5;

describe('numbers of events on postgres', () => {
  it(`have no gap, none missed and none twice with ${WRITERS} writers (seed ${SEED})`, async () => {
    const stored = await openTestDatabase('postgres');
    const { database } = stored;
    const account = await newAccount(database);
    const rows = await readPartitions(database);
    const owners = await Promise.all(
      rows.map(({ partition }) => ownPartition(database, 'owner', partition)),
    );
    const random = new Random(SEED);
    let isWriting = true;
    let isKilling = true;
    const write = async (writer: number): Promise<void> => {
      const owner = owners[writer % owners.length];
      assert.ok(owner);
      const { partition, epoch } = owner;
      for (let number = 1; number <= EVENTS_EACH; ) {
        const trackerId = `tracker-${writer}`;
        const event = eventOf(account.number, { trackerId, startTimeMs: number, position: number });
        try {
          await storeEvents(database, partition, epoch, [event], 0);
          number += 1;
          if (random.chance(0.5)) await numberEvents(database);
        } catch (error) {
          // One whose answer was lost is stored again: the same event stands there once.
          if (!(error instanceof DatabaseUnavailable)) throw error;
          await sleep(PAUSE_MS);
        }
      }
    };
    const poll = async (): Promise<number[]> => {
      const seen: number[] = [];
      for (let isLast = false; ; ) {
        const page = await readFeed(database, seen.at(-1) ?? 0, 1000).catch(() => undefined);
        seen.push(...(page?.events ?? []).map(({ sequenceNumber }) => sequenceNumber));
        if (isLast && page) return seen;
        isLast = !isWriting;
        await sleep(PAUSE_MS);
      }
    };
    const terminate = async (): Promise<void> => {
      const admin = new pg.Client({ connectionString: stored.environment.DATABASE_URL });
      await admin.connect();
      while (isKilling) {
        await admin.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid() limit 1`,
        );
        await sleep(50);
      }
      await admin.end();
    };
    const pollers = [poll(), poll()];
    const terminator = terminate();
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
    isKilling = false;
    await terminator;
    // Connections that were ended while idle are met once more.
    const areNumbered = () =>
      numberEvents(database).then(
        (last) => last !== undefined,
        () => false,
      );
    await until(areNumbered, 'the last numbers');
    isWriting = false;
    const expected = Array.from({ length: WRITERS * EVENTS_EACH }, (_, index) => index + 1);
    for (const seen of await Promise.all(pollers)) assert.deepEqual(seen, expected);
    await stored.close();
  });
});
