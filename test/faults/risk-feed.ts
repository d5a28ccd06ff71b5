import type { TrackerDefinition } from '../../src/domain/live/tracker-definition.ts';
import { type SimulatedAccount, simulatedAccounts } from '../simulation/simulated-accounts.ts';
import { admissible, simulateFeed } from '../simulation/simulated-feed.ts';
import type { FeedBatch } from '../simulation/wire.ts';

/** Accounts whose feed is simulated together; the feeds of several groups share requests. */
const GROUP_SIZE = 5;
const ROWS_PER_SEND = 40;

export type FeedOptions = {
  seed: number;
  accounts: number;
  startUtcMs: number;
  days: number;
  /** Mean minutes between two snapshots of an account. */
  pace: number;
  /** Prefix of accounts' ids; default `account`. */
  prefix?: string;
};

/** Accounts of one feed, its batches, and the same joined to what is sent at once. */
export type Group = { accounts: SimulatedAccount[]; batches: FeedBatch[]; sends: FeedBatch[] };

/** The accounts of a load in groups, each with a feed that a server takes. */
export function riskGroups(options: FeedOptions): Group[] {
  const { seed, startUtcMs, days, pace } = options;
  const accounts = simulatedAccounts(seed, options.accounts, 3, startUtcMs, options.prefix);
  accounts.forEach(usableTrackers);
  return chunksOf(accounts, GROUP_SIZE).map((own, index) => {
    const feed = {
      seed: seed + index,
      accounts: own,
      startUtcMs,
      days,
      pace,
      faults: 'deals' as const,
    };
    const batches = [...admissible(simulateFeed(feed))];
    return { accounts: own, batches, sends: [...joined(batches)] };
  });
}

/** A lock without a drawdown threshold has no effect, and is refused. */
export const usableTrackers = ({ trackers }: SimulatedAccount): void =>
  trackers.forEach(dropUnusedLock);

function dropUnusedLock(definition: TrackerDefinition): void {
  const { absoluteDrawdownThreshold, relativeDrawdownThreshold } = definition;
  const hasLimit = absoluteDrawdownThreshold ?? relativeDrawdownThreshold;
  if (hasLimit === undefined) delete definition.lockAt;
}

/** Batches of snapshots that follow each other, as one. */
export function* joined(batches: readonly FeedBatch[]): Generator<FeedBatch> {
  let waiting: Extract<FeedBatch, { kind: 'snapshots' }> | undefined;
  for (const batch of batches) {
    if (batch.kind === 'snapshots') {
      const snapshots = [...(waiting?.snapshots ?? []), ...batch.snapshots];
      waiting = { ...batch, snapshots };
      if (snapshots.length < ROWS_PER_SEND) continue;
    }
    if (waiting) yield waiting;
    waiting = undefined;
    if (batch.kind === 'deals') yield batch;
  }
  if (waiting) yield waiting;
}

export const chunksOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
