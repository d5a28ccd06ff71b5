import type { BrokerTimeMs } from '../../domain/broker-time.ts';
import { ServiceError } from '../errors.ts';
import type { SnapshotWriter } from './snapshot-writer.ts';

type Reading = {
  account: { id: string; userId: string };
  state: { balance: number; equity: number };
  timeMs: BrokerTimeMs;
};

/** Records states of accounts that were read from their platforms; their deals came before them. */
export async function recordReadings(
  snapshots: SnapshotWriter,
  readings: readonly Reading[],
): Promise<void> {
  const written = readings.map(({ account, state, timeMs }) =>
    snapshots.write(
      {
        accounts: [{ id: account.id }],
        account: Uint32Array.of(0),
        timeMs: Float64Array.of(timeMs),
        balance: Float64Array.of(state.balance),
        equity: Float64Array.of(state.equity),
        deals: [],
      },
      { userId: account.userId, accountIds: undefined },
      0,
    ),
  );
  for (const outcome of await Promise.allSettled(written)) {
    // An account that was deleted while it was read is nobody's fault.
    const isGone =
      outcome.status === 'rejected' &&
      outcome.reason instanceof ServiceError &&
      outcome.reason.code === 'notFound';
    if (outcome.status === 'rejected' && !isGone) throw outcome.reason;
  }
}
