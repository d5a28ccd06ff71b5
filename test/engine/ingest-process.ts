import { Registry } from 'prom-client';
import { openDatabase } from '../../src/app/open-database.ts';
import { Engine } from '../../src/engine/engine.ts';
import { createEngineMetrics } from '../../src/engine/engine-metrics.ts';
import { recordDeals } from '../../src/services/deals/record-deals.ts';
import { AccountDirectory } from '../../src/services/snapshots/account-directory.ts';
import { readSnapshots } from '../../src/services/snapshots/read-snapshots.ts';
import { SnapshotWriter } from '../../src/services/snapshots/snapshot-writer.ts';
import { findAccount } from '../../src/storage/account-store.ts';
import { Catalogue } from '../../src/storage/catalogue.ts';
import type { FeedBatch } from '../simulation/wire.ts';

/*
 * Takes batches of a simulated feed over IPC and acknowledges each once it is durable, as the server
 * does, but on the feed's own clock. "finish" folds and stores everything and ends the process.
 */
export type Order = { number: number; batch: FeedBatch } | 'finish';

const [userId = '', patience = '300'] = process.argv.slice(2);
const quiet = { debug() {}, info() {}, warn() {}, error: console.error };
const database = await openDatabase({
  DATABASE_URL: process.env.DATABASE_URL ?? '',
  PLIMSOLL_DATA: process.env.PLIMSOLL_DATA ?? '',
});
let nowMs = 0;
const now = (): number => nowMs;
const engine = new Engine({
  database,
  now: Date.now,
  ownerId: String(process.pid),
  metrics: createEngineMetrics(new Registry()),
  logger: quiet,
  checkpointMs: 20,
  beatMs: Number(patience) / 4,
  patienceMs: Number(patience),
});
await engine.start();
const directory = new AccountDirectory(database);
const writer = new SnapshotWriter({ database, now, directory, engine });

process.on('message', (order: Order) => {
  void obey(order).catch((error) => {
    console.error(error);
    process.exit(1);
  });
});
// Without the test that started it nobody needs it.
process.on('disconnect', () => process.exit());
process.send?.('ready');

async function obey(order: Order): Promise<void> {
  if (order === 'finish') {
    while (database.kind === 'postgres' && engine.ownedPartitions < 8) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await engine.settle();
    await engine.stop();
    await database.close();
    process.exit(0);
  }
  const { number, batch } = order;
  nowMs = batch.receivedUtcMs;
  if (batch.kind === 'deals') {
    const account = await findAccount(database, batch.accountId);
    if (!account) throw new Error('the account of a deal is missing');
    const context = {
      database,
      catalogue: new Catalogue(database),
      now,
      newId: () => '',
      logger: quiet,
    };
    await recordDeals(context, account, batch.deals);
  } else {
    const columns = readSnapshots(Buffer.from(JSON.stringify(batch.snapshots)), false, directory);
    await writer.write(columns, { userId, accountIds: undefined }, 1000);
  }
  process.send?.(number);
}
