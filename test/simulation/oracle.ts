import type { AccountOutcome } from './fold-feed.ts';
import { oracleBuckets, oracleMinutes } from './oracle-chart.ts';
import { type OracleItem, oracleItems } from './oracle-items.ts';
import { oracleTracker, type TrackerOutcome } from './oracle-trackers.ts';
import type { SimulatedAccount } from './simulated-accounts.ts';
import type { FeedBatch } from './wire.ts';

/** The state of an account after a feed by the definitions, computed without any running state. */
export function expectedOutcome(
  account: SimulatedAccount,
  batches: readonly FeedBatch[],
): AccountOutcome {
  const items = oracleItems(batches, account.id, account.clock);
  const snapshots = items.filter((item) => item.kind === 'snapshot');
  return {
    buckets: oracleBuckets(account.id, snapshots),
    minutes: oracleMinutes(snapshots),
    ...trackersOf(account, items),
  };
}

/** Likewise without the hours. */
export function expectedOfTrackers(
  account: SimulatedAccount,
  batches: readonly FeedBatch[],
): TrackerOutcome {
  return trackersOf(account, oracleItems(batches, account.id, account.clock));
}

export function trackersOf(
  { id, clock, trackers }: SimulatedAccount,
  items: readonly OracleItem[],
): TrackerOutcome {
  const outcomes = trackers.map((definition) => oracleTracker(id, definition, clock, items));
  return {
    statistics: outcomes.flatMap(({ statistics }) => statistics),
    events: outcomes.flatMap(({ events }) => events),
  };
}
