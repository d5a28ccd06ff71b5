import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Channel, Database, Row } from '../../storage/database.ts';
import { EventFeed } from './event-feed.ts';

/** Just enough of a database: a growing feed whose reads are counted. */
function fakeFeed() {
  const rows: Row[] = [];
  let reads = 0;
  let heard: (payload: string) => void = () => {};
  const all = async (sql: string, params: readonly unknown[] = []) => {
    reads += 1;
    const after = Number(params.at(-2));
    const user = sql.includes('user_id = $1') ? params[0] : undefined;
    return rows.filter(
      (row) => Number(row.sequence_number) > after && (!user || row.user_id === user),
    );
  };
  const database = {
    kind: 'sqlite',
    all,
    get: async () => ({ last_number: rows.length }),
    listen: (_channel: Channel, listener: (payload: string) => void) => {
      heard = listener;
      return () => {};
    },
  } as unknown as Database;
  const add = (userId: string): void => {
    const sequenceNumber = rows.length + 1;
    const record = JSON.stringify({ accountId: userId, exceededThresholdType: 'drawdown' });
    rows.push({
      sequence_number: sequenceNumber,
      user_id: userId,
      money_digits: 4,
      record,
    });
    heard(String(sequenceNumber));
  };
  return { database, add, reads: () => reads };
}
const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const query = (userId: string, after = 0) => ({ filter: { userId }, after, limit: 10 });

it('wakes ten thousand waiting requests by one read and answers only those concerned', async () => {
  const fake = fakeFeed();
  const feed = new EventFeed(fake.database, quiet);
  await feed.start();
  const others = Array.from({ length: 10_000 }, (_, index) =>
    feed.next(query(`user-${index}`), 60_000),
  );
  const concerned = feed.next(query('somebody'), 60_000);
  assert.equal(feed.waiting, 10_001);
  fake.add('somebody');
  const [event] = await concerned;
  assert.equal(event?.sequenceNumber, 1);
  assert.equal(feed.waiting, 10_000);
  assert.equal(fake.reads(), 1);
  assert.deepEqual(await feed.next(query('somebody', 1), 0), []);
  assert.equal(fake.reads(), 1, 'whoever is up to date costs no read');
  feed.close();
  assert.ok((await Promise.all(others)).every((events) => events.length === 0));
});

it('reads what is older than its memory, and forgets who has left', async () => {
  const fake = fakeFeed();
  fake.add('a');
  fake.add('b');
  const feed = new EventFeed(fake.database, quiet);
  await feed.start();
  assert.equal((await feed.next(query('b'), 0)).length, 1);
  const leaving = new AbortController();
  const waiting = feed.next(query('b', 2), 60_000, leaving.signal);
  leaving.abort();
  assert.deepEqual(await waiting, []);
  assert.equal(feed.waiting, 0);
  feed.close();
});
