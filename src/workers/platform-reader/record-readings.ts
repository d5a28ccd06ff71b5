import { AccountIds } from '../../ingest/account-ids.ts';
import { Rejection } from '../../ingest/rejection.ts';
import type { SnapshotWriter } from '../../ingest/snapshot-writer.ts';
import type { Context } from '../../services/context.ts';
import { findNumbered } from '../../storage/account-store.ts';
import type { AccountReading } from './account-reading.ts';

/** Records states of accounts read from their platforms, whose deals were stored before. */
export async function recordReadings(
  { catalogue, database }: Pick<Context, 'catalogue' | 'database'>,
  snapshots: SnapshotWriter,
  readings: readonly AccountReading[],
): Promise<void> {
  await catalogue.refresh();
  const byUser = Map.groupBy(readings, ({ account }) => account.userId);
  const written = [...byUser].map(async ([userId, own]) => {
    try {
      await write(snapshots, userId, own);
    } catch (error) {
      if (!(error instanceof Rejection && error.kind === 'unknownAccount')) throw error;
      // If one was deleted during the reading, the others are recorded anyway.
      const numbers = own.map(({ account }) => account.number);
      const left = new Set((await findNumbered(database, numbers)).map(({ number }) => number));
      await write(
        snapshots,
        userId,
        own.filter(({ account }) => left.has(account.number)),
      );
    }
  });
  for (const outcome of await Promise.allSettled(written))
    if (outcome.status === 'rejected') throw outcome.reason;
}

async function write(
  snapshots: SnapshotWriter,
  userId: string,
  readings: readonly AccountReading[],
): Promise<void> {
  if (readings.length === 0) return;
  const columns = {
    ids: AccountIds.of(readings.map(({ account }) => account.id)),
    rowCount: readings.length,
    account: Uint32Array.from(readings.keys()),
    timeMs: Float64Array.from(readings, ({ timeMs }) => timeMs),
    balance: Float64Array.from(readings, ({ state }) => state.balance),
    equity: Float64Array.from(readings, ({ state }) => state.equity),
    deals: [],
  };
  await snapshots.write(columns, { userId, accountNumbers: undefined }, 0);
}
