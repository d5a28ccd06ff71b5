import type {
  EquityBucket,
  LateBucketCorrection,
  PeriodStatistics,
} from '../domain/live/live-records.ts';
import { correctBuckets, writeBuckets } from '../storage/bucket-store.ts';
import { chartDaysLock, deleteChartDays } from '../storage/chart-day-store.ts';
import type { Transaction } from '../storage/database.ts';
import { type WatchedEvent, writeWatchedEvent } from '../storage/event-store.ts';
import { trimJournal } from '../storage/journal-store.ts';
import {
  deleteLiveAccount,
  type StoredLiveAccount,
  writeLiveAccounts,
} from '../storage/live-store.ts';
import { fence } from '../storage/partition-store.ts';
import { deleteTracker, writePeriods } from '../storage/tracker-store.ts';

/** All that changed in a partition since the checkpoint before, as of a position of the journal. */
export type Checkpoint<Account extends StoredLiveAccount = StoredLiveAccount> = {
  position: number;
  accounts: Account[];
  /** To be called when the bytes of some accounts are stored: the next ones may lie in their memory. */
  written?: () => void;
  buckets: EquityBucket[];
  corrections: LateBucketCorrection[];
  periods: PeriodStatistics[];
  watched: (WatchedEvent & { isOpen: boolean })[];
  removedAccounts: string[];
  removedTrackers: string[];
};

/**
 * Writes a checkpoint, in the caller's transaction and only for the partition's owner. The events
 * up to its position must be stored already. Throws PartitionLost.
 */
export async function writeCheckpoint(
  tx: Transaction,
  partition: number,
  epoch: number,
  checkpoint: Checkpoint,
  keepJournalFromMs: number,
): Promise<void> {
  await fence(tx, partition, epoch, checkpoint.position);
  const changed = [...checkpoint.buckets, ...checkpoint.corrections];
  if (changed.length > 0) await tx.lock(chartDaysLock(partition));
  for (const accountId of checkpoint.removedAccounts) await deleteLiveAccount(tx, accountId);
  await writeBuckets(tx, checkpoint.buckets);
  await correctBuckets(tx, checkpoint.corrections);
  await deleteChartDays(tx, changed);
  await writePeriods(tx, checkpoint.periods);
  for (const trackerId of checkpoint.removedTrackers) await deleteTracker(tx, trackerId);
  for (const { isOpen, ...watched } of checkpoint.watched) {
    await writeWatchedEvent(tx, watched, isOpen);
  }
  await writeLiveAccounts(tx, checkpoint.accounts, checkpoint.written);
  await trimJournal(tx, partition, checkpoint.position, keepJournalFromMs);
}
