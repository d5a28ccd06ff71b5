import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it, type TestContext } from 'node:test';
import { findNatsServer } from '../../scripts/install-nats-server.ts';
import { systemTime } from '../../src/app/system-time.ts';
import { JetStreamJournal } from '../../src/journal/jetstream/jetstream-journal.ts';
import { moveToStream } from '../../src/journal/jetstream/move-to-stream.ts';
import { WrongJournal } from '../../src/journal/journal.ts';
import { SqlJournal } from '../../src/journal/sql-journal.ts';
import { DatabaseUnavailable } from '../../src/storage/database.ts';
import { openStream } from '../journal-contract/jetstream-world.ts';
import { commitOf, numberOf, readFilled } from '../journal-contract/journal-world.ts';
import { needs } from '../needs.ts';
import { NatsCluster } from '../servers/nats-cluster.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { whenAvailable } from '../servers/when-available.ts';

needs('postgres', 'nats', 'time');

const server = await findNatsServer();
const skip = 'missing' in server ? server.missing : false;

describe('moving the journal from the database to the stream', { skip }, () => {
  let cluster: NatsCluster;
  before(async () => {
    assert.ok('path' in server);
    cluster = await NatsCluster.start(server.path, { nodes: 1 });
  });
  after(() => cluster.stop());

  /**
   * A journal in the database with commits 1 to 5, of which some are folded, and an empty stream.
   */
  async function openWorld(t: TestContext, { folded }: { folded: number }) {
    await cluster.clear();
    const { database, close } = await openTestDatabase('postgres');
    const stream = await openStream(cluster.url);
    t.after(async () => {
      await stream.close();
      await close();
    });
    const sql = await SqlJournal.open(database, systemTime, randomUUID());
    for (let n = 1; n <= 5; n += 1) await sql.append(commitOf(n, sql.partitions));
    await database.run('update journal_partition set position = $1', [folded]);
    return { sql, parts: { database, stream, time: systemTime, origin: randomUUID() } };
  }

  for (const folded of [0, 3, 5]) {
    it(`keeps the place of every commit, ${folded} of 5 folded`, async (t) => {
      const { sql, parts } = await openWorld(t, { folded });
      assert.equal(await moveToStream(parts), 5 - folded);
      const journal = await JetStreamJournal.open({ ...parts, origin: randomUUID() });
      await journal.append(commitOf(6, journal.partitions));
      await journal.head();
      const found = await readFilled(journal, folded);
      const places = found.map((commit) => [commit.position, numberOf(commit, sql.partitions)]);
      const moved = [1, 2, 3, 4, 5].slice(folded).map((n) => [n, n]);
      assert.deepEqual(places.slice(0, -1), moved);
      assert.equal(places.at(-1)?.[1], 6, 'what is new lies behind all that was moved');
      await assert.rejects(moveToStream(parts), /in a stream already/);
    });
  }

  it('keeps a process that missed the move from writing to the tables', async (t) => {
    const { sql, parts } = await openWorld(t, { folded: 2 });
    await moveToStream(parts);
    const { database } = parts;
    const commit = commitOf(6, sql.partitions);
    await assert.rejects(sql.append(commit), DatabaseUnavailable);
    await assert.rejects(
      database.transaction((tx) => sql.stage(tx, commit)),
      DatabaseUnavailable,
    );
    const rows = await database.all('select 1 as one from journal_entry');
    assert.equal(rows.length, 0);
  });

  it('waits until all processes have stopped', async (t) => {
    const { parts } = await openWorld(t, { folded: 2 });
    const { database } = parts;
    await database.run(
      `insert into process (id, beat, shares, started_at_ms, host, seen_at_ms, schema_version, key_ids)
       values ('a', 1, '', 0, 'host', 0, 1, '')`,
    );
    // A waiting process sees a heartbeat before the wait is over, and none is being sent
    // afterwards.
    const after = (_ms: number, call: () => void): (() => void) => {
      void database.run('update process set beat = beat + 1').then(call);
      return () => {};
    };
    const beating = { ...parts, time: { ...systemTime, after } };
    await assert.rejects(moveToStream(beating), /still runs/);
    assert.equal(await moveToStream(parts), 3, 'one that died does not count');
  });

  it('takes no stream that has messages, and leaves the journal where it is', async (t) => {
    const { sql, parts } = await openWorld(t, { folded: 2 });
    await whenAvailable(() => parts.stream.publish('a stranger', new Uint8Array([1]), 2000));
    await assert.rejects(moveToStream(parts), WrongJournal);
    await sql.append(commitOf(6, sql.partitions));
    assert.equal((await readFilled(sql, 2)).length, 4);
  });
});
