import { Rejection } from '../../ingest/rejection.ts';
import { AccountIds } from '../../ingest/snapshot-columns.ts';
import type { SnapshotWriter } from '../../ingest/snapshot-writer.ts';
import type { Context } from '../context.ts';
import type { AccountReading } from './account-reading.ts';

/** Records states of accounts that were read from their platforms; their deals came before them. */
export async function recordReadings(
  { catalogue }: Pick<Context, 'catalogue'>,
  snapshots: SnapshotWriter,
  readings: readonly AccountReading[],
): Promise<void> {
  await catalogue.refresh();
  const byUser = Map.groupBy(readings, ({ account }) => account.userId);
  const written = [...byUser].map(([userId, own]) =>
    snapshots.write(
      {
        ids: AccountIds.of(own.map(({ account }) => account.id)),
        account: Uint32Array.from(own.keys()),
        timeMs: Float64Array.from(own, ({ timeMs }) => timeMs),
        balance: Float64Array.from(own, ({ state }) => state.balance),
        equity: Float64Array.from(own, ({ state }) => state.equity),
        deals: [],
      },
      { userId, accountIds: undefined },
      0,
    ),
  );
  for (const outcome of await Promise.allSettled(written)) {
    if (outcome.status === 'fulfilled') continue;
    // An account that was deleted while it was read is nobody's fault: it is left out next time.
    const { reason } = outcome;
    if (!(reason instanceof Rejection && reason.kind === 'unknownAccount')) throw reason;
  }
}
