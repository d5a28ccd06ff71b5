import { randomUUID } from 'node:crypto';
import { systemTime } from '../../src/app/system-time.ts';
import { JetStreamJournal } from '../../src/journal/jetstream/jetstream-journal.ts';
import { NatsStream } from '../../src/journal/jetstream/nats-stream.ts';
import type { Database } from '../../src/storage/database.ts';
import type { NatsCluster } from '../servers/nats-cluster.ts';
import { openTestDatabase } from '../servers/test-databases.ts';
import { connectTo } from '../storage-contract/fixture.ts';
import type { JournalWorld } from './journal-world.ts';

const SILENT = { warn() {} };

/** A log on the stream of a cluster, which each world makes anew. */
export async function openJetStreamWorld(cluster: NatsCluster): Promise<JournalWorld> {
  await cluster.clear();
  const opened = await openTestDatabase('postgres');
  const ends: (() => Promise<void>)[] = [() => opened.close()];
  const injecting = await NatsStream.open({ urls: cluster.url, logger: SILENT });
  ends.push(() => injecting.close());
  return {
    database: opened.database,
    async connect() {
      const database: Database = connectTo(opened.environment);
      const stream = await NatsStream.open({ urls: cluster.url, logger: SILENT });
      const origin = randomUUID();
      const journal = await JetStreamJournal.open({ database, stream, time: systemTime, origin });
      ends.push(async () => {
        await journal.close();
        await database.close();
      });
      return { journal, database };
    },
    async inject(body) {
      await injecting.publish(randomUUID(), body, 5000);
    },
    async close() {
      for (const end of ends.toReversed()) await end();
    },
  };
}
