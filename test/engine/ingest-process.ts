import { flushCompileCache } from 'node:module';
import { openDatabase } from '../../src/app/open-database.ts';
import { systemTime } from '../../src/app/system-time.ts';
import { SnapshotReading } from '../../src/ingest/read-snapshots.ts';
import { recordDeals } from '../../src/services/deals/record-deals.ts';
import { whenAvailable } from '../servers/when-available.ts';
import type { FeedBatch } from '../simulation/wire.ts';
import { USER_ID } from './live-fixture.ts';
import { LiveProcess } from './live-process.ts';

/*
 * Takes batches of a simulated feed over IPC and acknowledges each once it is durable, as the
 * server does, but on the feed's own clock. "finish" folds and stores everything and ends the
 * process.
 */
export type Order = { number: number; batch: FeedBatch } | 'finish';

const [patience = '300'] = process.argv.slice(2);
const { database } = await openDatabase({
  DATABASE_URL: process.env.DATABASE_URL ?? '',
  PLIMSOLL_DATA: process.env.PLIMSOLL_DATA ?? '',
});
let nowMs = 0;
const live = await LiveProcess.start(database, {
  // The engine waits by the machine's time; its data come by the feed's.
  time: { ...systemTime, now: () => nowMs },
  logger: { info() {}, warn() {}, error: (fields, message) => console.error(message, fields) },
  checkpointMs: 20,
  beatMs: Number(patience) / 4,
  patienceMs: Number(patience),
});
const reading = new SnapshotReading();

process.on('message', (order: Order) => {
  void handle(order).catch((error) => {
    console.error(error);
    process.exit(1);
  });
});
// Without the test that started it, it is not needed.
process.on('disconnect', () => process.exit());
process.send?.('ready');
// Not at its end, which is a SIGKILL: the next one starts in half the time.
flushCompileCache();

async function handle(order: Order): Promise<void> {
  if (order === 'finish') {
    while (live.owned.length < live.journal.partitions) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await live.engine.settle();
    await live.engine.stop();
    await database.close();
    process.exit(0);
  }
  const { number, batch } = order;
  nowMs = batch.receivedUtcMs;
  // If the database did not answer in time, the batch may be stored anyway.
  await whenAvailable(() => write(batch));
  process.send?.(number);
}

async function write(batch: FeedBatch): Promise<void> {
  await live.context.catalogue.refresh();
  if (batch.kind === 'deals') {
    const scopes = new Set(['write'] as const);
    const principal = { userId: USER_ID, tokenId: 't', scopes, accountNumbers: undefined };
    await recordDeals(live.context, principal, batch.accountId, batch.deals);
  } else {
    const columns = reading.read(Buffer.from(JSON.stringify(batch.snapshots)), false);
    await live.writer.write(columns, { userId: USER_ID, accountNumbers: undefined }, 1000);
  }
}
