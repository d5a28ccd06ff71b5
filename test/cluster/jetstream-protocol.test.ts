import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it, type TestContext } from 'node:test';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { findNatsServer } from '../../scripts/install-nats-server.ts';
import { openJournal } from '../../src/app/open-journal.ts';
import { systemTime } from '../../src/app/system-time.ts';
import { encodeCommit } from '../../src/journal/commit-codec.ts';
import { JetStreamJournal } from '../../src/journal/jetstream/jetstream-journal.ts';
import { STREAM, SUBJECT } from '../../src/journal/jetstream/make-stream.ts';
import { NatsStream } from '../../src/journal/jetstream/nats-stream.ts';
import { JournalUnavailable } from '../../src/journal/jetstream/stream.ts';
import { type JournalListener, WrongJournal } from '../../src/journal/journal.ts';
import { SqlJournal } from '../../src/journal/sql-journal.ts';
import type { Database } from '../../src/storage/database.ts';
import { insertOutbox } from '../../src/storage/journal-outbox-store.ts';
import { openStream } from '../journal-contract/jetstream-world.ts';
import { commitOf, numberOf, readFilled } from '../journal-contract/journal-world.ts';
import { needs } from '../needs.ts';
import { LossyProxy } from '../servers/lossy-proxy.ts';
import { NatsCluster } from '../servers/nats-cluster.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { until } from '../servers/until.ts';
import { whenAvailable } from '../servers/when-available.ts';

needs('postgres', 'nats', 'time');

const SILENT = { warn() {} };
const BODY = encodeCommit({ receivedUtcMs: 1, entries: new Map() });

const server = await findNatsServer();
const skip = 'missing' in server ? server.missing : false;
const path = 'path' in server ? server.path : '';

/** Closed after the test. */
async function openStreamFor(t: TestContext, cluster: NatsCluster): Promise<NatsStream> {
  const stream = await openStream(cluster.url);
  t.after(() => stream.close());
  return stream;
}

/** A stream and a database of a test's own. */
async function openWorld(t: TestContext, cluster: NatsCluster, url = cluster.url) {
  await cluster.clear();
  const { database, close } = await openTestDatabase('postgres');
  t.after(close);
  const openOnce = async (on: Database): Promise<JetStreamJournal> => {
    const stream = await NatsStream.open({ urls: url, logger: SILENT });
    const parts = { database: on, stream, time: systemTime, origin: randomUUID() };
    const journal = await JetStreamJournal.open(parts).catch(async (error: unknown) => {
      await stream.close();
      throw error;
    });
    t.after(() => journal.close());
    return journal;
  };
  const open = (on = database): Promise<JetStreamJournal> => whenAvailable(() => openOnce(on));
  return { database, open };
}

const numbersIn = async (journal: JetStreamJournal): Promise<(number | undefined)[]> => {
  await journal.head();
  const all = await readFilled(journal);
  return all.map((commit) => numberOf(commit, journal.partitions));
};

describe('the stream on three servers', { skip }, () => {
  let cluster: NatsCluster;
  before(async () => {
    cluster = await NatsCluster.start(path);
  });
  after(() => cluster.stop());

  it('is made with three replicas on disk, takes no more than it can keep, and drops nothing', async (t) => {
    await openWorld(t, cluster);
    const stream = await openStreamFor(t, cluster);
    assert.deepEqual(stream.warnings, []);
    const connection = await connect({ servers: cluster.url.split(',') });
    t.after(() => connection.close());
    const { config } = await (await jetstreamManager(connection)).streams.info(STREAM);
    const { num_replicas, storage, subjects, discard, max_age, max_bytes, max_msgs } = config;
    assert.deepEqual(
      { num_replicas, storage, subjects, discard, max_age, max_bytes, max_msgs },
      {
        ...{ num_replicas: 3, storage: 'file', subjects: [SUBJECT], discard: 'new' },
        ...{ max_age: 0, max_bytes: -1, max_msgs: -1 },
      },
    );
    assert.equal(config.first_seq ?? 0, 0, 'with one, servers lose messages when they restart');
  });

  it('accepts a message once however often it is sent, and gives all senders the same answer', async (t) => {
    await openWorld(t, cluster);
    const streams = await Promise.all(Array.from({ length: 4 }, () => openStreamFor(t, cluster)));
    const [first] = streams;
    assert.ok(first);
    for (let round = 0; round < 20; round += 1) {
      const id = `shared-${round}`;
      const numbers = new Set<number>();
      const send = async (): Promise<boolean> => {
        const sent = streams.flatMap((stream) =>
          Array.from({ length: 3 }, () => stream.publish(id, BODY, 2000)),
        );
        for (const one of await Promise.allSettled(sent)) {
          if (one.status === 'fulfilled') numbers.add(one.value);
          // The server answers before the first copy is replicated, or is busy with other things:
          // that is no acknowledgement.
          else assert.ok(one.reason instanceof JournalUnavailable, String(one.reason));
        }
        return numbers.size > 0;
      };
      await until(send, 'an acknowledgement');
      assert.deepEqual([...numbers], [round + 1]);
    }
    assert.equal((await first.state()).last, 20);
  });

  it('publishes the commits stored by a dead process before later acknowledgements', async (t) => {
    const { database, open } = await openWorld(t, cluster);
    const journal = await open();
    await database.transaction(async (tx) => {
      await insertOutbox(tx, encodeCommit(commitOf(1, journal.partitions)));
      await insertOutbox(tx, encodeCommit(commitOf(2, journal.partitions)));
    });
    const staged = await database.transaction((tx) =>
      journal.stage(tx, commitOf(3, journal.partitions)),
    );
    await journal.release([staged]);
    await journal.append(commitOf(4, journal.partitions));
    assert.deepEqual(await numbersIn(journal), [1, 2, 3, 4]);
    await database.transaction((tx) => insertOutbox(tx, encodeCommit(commitOf(5, 16))));
    await journal.look();
    assert.deepEqual(await numbersIn(journal), [1, 2, 3, 4, 5]);
  });

  it('counts one copy of a stored commit, even if the stream has accepted two', async (t) => {
    const { database, open } = await openWorld(t, cluster);
    const [journal, other] = [await open(), await open()];
    const id = await database.transaction((tx) =>
      insertOutbox(tx, encodeCommit(commitOf(1, journal.partitions))),
    );
    // As the stream does when it has forgotten the id, after its window of two minutes.
    const connection = await connect({ servers: cluster.url.split(',') });
    t.after(() => connection.close());
    const { streams } = await jetstreamManager(connection);
    await streams.update(STREAM, { duplicate_window: 100_000_000 });
    const stranger = await openStreamFor(t, cluster);
    const body = encodeCommit(commitOf(1, journal.partitions));
    const first = await whenAvailable(() => stranger.publish(`outbox-${id}`, body, 2000));
    assert.deepEqual(await numbersIn(other), [1], 'who sees it first settles where it lies');
    await until(async () => {
      return (await whenAvailable(() => stranger.publish(`outbox-${id}`, body, 2000))) > first;
    }, 'a second copy');
    await streams.update(STREAM, { duplicate_window: 120_000_000_000 });
    await journal.look();
    await journal.append(commitOf(2, journal.partitions));
    for (const reader of [journal, other, await open()]) {
      assert.deepEqual(await numbersIn(reader), [1, 2]);
    }
  });

  it('lets no snapshot overtake commits that could not be published without a leader', async (t) => {
    const { database, open } = await openWorld(t, cluster);
    const journal = await open();
    await journal.append(commitOf(1, journal.partitions));
    for (const node of cluster.nodes) await node.kill();
    const staged = await database.transaction((tx) =>
      journal.stage(tx, commitOf(2, journal.partitions)),
    );
    await assert.rejects(journal.release([staged]), JournalUnavailable);
    await assert.rejects(journal.append(commitOf(3, journal.partitions)), JournalUnavailable);
    await assert.rejects(journal.head(), JournalUnavailable);
    for (const node of cluster.nodes) node.start();
    await cluster.ready();
    await whenAvailable(() => journal.append(commitOf(4, journal.partitions)));
    // Refused messages may be in the log anyway, the last one once for each try.
    const found = (await numbersIn(journal)).filter((number) => number !== 3);
    assert.deepEqual([...new Set(found)], [1, 2, 4]);
  });

  it('retries a message whose acknowledgement was lost, and has it once', async (t) => {
    const proxies = await Promise.all(cluster.nodes.map(({ port }) => LossyProxy.start(port)));
    t.after(async () => {
      for (const proxy of proxies) await proxy.stop();
    });
    const url = proxies.map(({ port }) => `nats://127.0.0.1:${port}`).join(',');
    const { open } = await openWorld(t, cluster, url);
    const journal = await open();
    const { streams } = await jetstreamManager(await direct(t, cluster));
    for (let n = 1; n <= 3; n += 1) {
      for (const proxy of proxies) proxy.isDeaf = true;
      const appended = journal.append(commitOf(n, journal.partitions));
      await until(async () => (await streams.info(STREAM)).state.last_seq > n, 'the message');
      for (const proxy of proxies) {
        proxy.isDeaf = false;
        proxy.cut();
      }
      await appended;
    }
    assert.deepEqual(await numbersIn(journal), [1, 2, 3]);
  });

  it("notifies listeners of others' commits with little delay, even of lost notifications", async (t) => {
    const { open } = await openWorld(t, cluster);
    const [journal, other] = [await open(), await open()];
    let news = 0;
    const listener: JournalListener = { appended() {}, more: () => (news += 1) };
    t.after(journal.listen(listener));
    await other.append(commitOf(1, journal.partitions));
    await until(() => news > 0, 'news');
    const stranger = await openStreamFor(t, cluster);
    const id = randomUUID();
    const sequence = await whenAvailable(() => stranger.publish(id, BODY, 2000));
    assert.equal(await journal.look(), sequence);
  });

  it('refuses a stream that is not the one of the database, or that has lost its end', async (t) => {
    const { database, open } = await openWorld(t, cluster);
    const journal = await open();
    await assert.rejects(SqlJournal.open(database, systemTime, 'a'), (error) => {
      return error instanceof WrongJournal && /set NATS_URL/.test(error.message);
    });
    await journal.append(commitOf(1, journal.partitions));
    await database.run('update journal_partition set position = 1000');
    await assert.rejects(open(), /it has lost its end/);
    await database.run('update journal_partition set position = 0');
    await open();
    await cluster.clear();
    await assert.rejects(open(), /made at .* leads to one made at/);
    const { database: used } = await openWorld(t, cluster);
    const sql = await SqlJournal.open(used, systemTime, 'b');
    await sql.append(commitOf(1, sql.partitions));
    await assert.rejects(open(used), /plimsoll journal move/);
  });

  it('is not created again for a database whose journal was in it', async (t) => {
    const { database, open } = await openWorld(t, cluster);
    await open();
    await cluster.clear();
    const settings = { NATS_URL: cluster.url, NATS_MONITOR_URL: [] };
    await assert.rejects(openJournal(settings, database, 'a', SILENT), /cannot be found/);
    const { streams } = await jetstreamManager(await direct(t, cluster));
    assert.deepEqual(await streams.names().next(), []);
  });
});

/** A connection past all proxies. */
async function direct(t: TestContext, cluster: NatsCluster) {
  const connection = await connect({ servers: cluster.url.split(',') });
  t.after(() => connection.close());
  return connection;
}

describe('servers with other settings', { skip }, () => {
  it('splits a commit larger than a message, and never truncates it', async (t) => {
    const cluster = await NatsCluster.start(path, { nodes: 1, maxPayload: 600_000 });
    t.after(() => cluster.stop());
    const { database, open } = await openWorld(t, cluster);
    const journal = await open();
    const accounts = Array.from({ length: 60_000 }, (_, index) => index + 1);
    const large = commitOf(1, journal.partitions, accounts);
    assert.ok(encodeCommit(large).byteLength > 600_000);
    await journal.append(large);
    const staged = await database.transaction((tx) => journal.stage(tx, large));
    await journal.release([staged]);
    await journal.head();
    const rows = new Map<number, number>();
    for (const commit of await readFilled(journal)) {
      for (let partition = 0; partition < journal.partitions; partition += 1) {
        const entry = commit.entryOf(partition);
        for (const place of entry?.account ?? []) {
          const account = entry?.accounts[place] ?? 0;
          rows.set(account, (rows.get(account) ?? 0) + 1);
        }
      }
    }
    assert.equal(rows.size, accounts.length);
    assert.ok([...rows.values()].every((count) => count === 2));
  });

  it('reports that acknowledgements are not on disk, and warns if that is unknown', async (t) => {
    const cluster = await NatsCluster.start(path, { nodes: 1, syncInterval: '2m' });
    t.after(() => cluster.stop());
    const { database } = await openWorld(t, cluster);
    const warnings: string[] = [];
    const logger = {
      warn: (fields: object, message: string) =>
        void warnings.push(`${message} ${JSON.stringify(fields)}`),
    };
    const open = async (monitors: string[]) => {
      const settings = { NATS_URL: cluster.url, NATS_MONITOR_URL: monitors };
      const opened = await openJournal(settings, database, randomUUID(), logger);
      t.after(() => opened.journal.close());
      return opened;
    };
    const checked = await open([cluster.monitors]);
    assert.match((await checked.failure()) ?? '', /not on disk: .*sync_interval: always/);
    const unchecked = await open([]);
    assert.equal(await unchecked.failure(), undefined);
    assert.ok(warnings.some((text) => /cannot be verified.*NATS_MONITOR_URL/.test(text)));
    assert.ok(warnings.some((text) => /1 replica/.test(text)));
  });
});
