import type { AccountOutcome } from './fold-feed.ts';
import { oracleBuckets } from './oracle-chart.ts';
import { oracleItems } from './oracle-items.ts';
import { oracleTracker } from './oracle-trackers.ts';
import type { SimulatedAccount } from './simulated-accounts.ts';
import type { FeedBatch } from './wire.ts';

/** What the definitions say of an account after a feed, computed without any running state. */
export function expectedOutcome(
  account: SimulatedAccount,
  batches: readonly FeedBatch[],
): AccountOutcome {
  const { id, clock } = account;
  const items = oracleItems(batches, id, clock);
  const snapshots = items.filter((item) => item.kind === 'snapshot');
  const trackers = account.trackers.map((definition) =>
    oracleTracker(id, definition, clock, items),
  );
  return {
    buckets: oracleBuckets(id, snapshots),
    statistics: trackers.flatMap(({ statistics }) => statistics),
    events: trackers.flatMap(({ events }) => events),
  };
}
