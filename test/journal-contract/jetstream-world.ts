import { randomUUID } from 'node:crypto';
import { openJournal } from '../../src/app/open-journal.ts';
import { NatsStream } from '../../src/journal/jetstream/nats-stream.ts';
import type { Database } from '../../src/storage/database.ts';
import type { NatsCluster } from '../servers/nats-cluster.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { whenAvailable } from '../servers/when-available.ts';
import { connectTo } from '../storage-contract/fixture.ts';
import type { JournalWorld } from './journal-world.ts';

const SILENT = { warn() {} };
/** A machine that is busy takes its time to lead a stream that has just been made. */
const OPEN_WITHIN_MS = 60_000;

/** A connection to the stream of a cluster, which a busy machine takes its time to lead. */
export const openStream = (urls: string): Promise<NatsStream> =>
  whenAvailable(() => NatsStream.open({ urls, logger: SILENT }));

/** A log on the stream of a cluster, which each world creates again. */
export async function openJetStreamWorld(cluster: NatsCluster): Promise<JournalWorld> {
  await cluster.clear();
  const opened = await openTestDatabase('postgres');
  const ends: (() => Promise<void>)[] = [() => opened.close()];
  const injecting = await openStream(cluster.url);
  ends.push(() => injecting.close());
  return {
    database: opened.database,
    async connect() {
      const database: Database = connectTo(opened.environment);
      const settings = { NATS_URL: cluster.url, NATS_MONITOR_URL: [] };
      const opening = openJournal(settings, database, randomUUID(), SILENT, OPEN_WITHIN_MS);
      const { journal } = await opening;
      ends.push(async () => {
        await journal.close();
        await database.close();
      });
      return { journal, database };
    },
    async inject(body) {
      const id = randomUUID();
      await whenAvailable(() => injecting.publish(id, body, 5000));
    },
    async close() {
      for (const end of ends.toReversed()) await end();
    },
  };
}
