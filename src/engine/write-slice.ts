import type { BrokerTimeMs } from '../domain/broker-time.ts';
import { deleteChartDays } from '../storage/chart-day-store.ts';
import type { Database, Transaction } from '../storage/database.ts';
import { type WatchedEvent, writeWatchedEvent } from '../storage/evidence-store.ts';
import {
  correctHours,
  type HourCorrection,
  type StoredHour,
  writeHours,
} from '../storage/hour-store.ts';
import {
  changeHoursVersion,
  deleteParkedEntries,
  type ParkedEntry,
  parkAccount,
  type StoredLiveAccount,
  writeLiveAccounts,
  writeParkedEntries,
} from '../storage/live-store.ts';
import { type StoredMinute, writeMinutes } from '../storage/minute-store.ts';
import { fence } from '../storage/partition-store.ts';
import { deleteTrackerRow, type StoredPeriod, writePeriods } from '../storage/tracker-store.ts';
import type { SomeRecords } from './tracked-account.ts';

/** The current states of some accounts, with all records since they were last stored. */
export type Slice = {
  accounts: StoredLiveAccount[];
  hours: StoredHour[];
  corrections: HourCorrection[];
  minutes: readonly StoredMinute[];
  periods: StoredPeriod[];
  watched: (WatchedEvent & { isOpen: boolean })[];
  removedTrackers: { accountNumber: number; trackerId: string }[];
  /** Accounts whose quarantine has ended. */
  released: number[];
};

/** Checkpoints of all partitions share one owner, so they never hold all connections at once. */
const CHECKPOINTS = { owner: 'checkpoints' };

/** Stores a slice in one transaction. Throws PartitionLost unless the epoch is the owner's. */
export async function writeSlice(
  database: Database,
  partition: number,
  epoch: number,
  slice: Slice,
): Promise<void> {
  await database.transaction(async (tx) => {
    await fence(tx, partition, epoch);
    // First: a process that builds chart days from these hours waits for this row, or its days are
    // seen here.
    await writeLiveAccounts(tx, slice.accounts);
    await writeHours(tx, slice.hours);
    await correctHours(tx, slice.corrections);
    await forgetDays(tx, [...slice.hours, ...slice.corrections]);
    await writeMinutes(tx, slice.minutes);
    await writePeriods(tx, slice.periods);
    for (const { accountNumber, trackerId } of slice.removedTrackers) {
      await deleteTrackerRow(tx, accountNumber, trackerId);
    }
    for (const { isOpen, ...watched } of slice.watched) {
      await writeWatchedEvent(tx, watched, isOpen);
    }
    for (const { accountNumber, position } of slice.accounts) {
      if (slice.released.includes(accountNumber)) {
        await deleteParkedEntries(tx, accountNumber, position);
      }
    }
  }, CHECKPOINTS);
}

/** Deletes the chart days of changed hours; they are rebuilt on demand. */
async function forgetDays(
  tx: Transaction,
  changed: readonly { accountNumber: number; startTimeMs: BrokerTimeMs }[],
): Promise<void> {
  if (changed.length > 0) await deleteChartDays(tx, changed);
}

/**
 * Stores records of one account that exceed a slice. They may precede its state: folding the same
 * entries again finds the same records and stores them in the same place.
 */
export async function writeRecordsAhead(
  database: Database,
  partition: number,
  epoch: number,
  accountNumber: number,
  records: SomeRecords,
): Promise<void> {
  const hours = records.hours.map((hour) => ({ ...hour, accountNumber }));
  const corrections = records.corrections.map((each) => ({ ...each, accountNumber }));
  await database.transaction(async (tx) => {
    await fence(tx, partition, epoch);
    if (hours.length + corrections.length > 0) await changeHoursVersion(tx, accountNumber);
    await writeHours(tx, hours);
    await correctHours(tx, corrections);
    await forgetDays(tx, [...hours, ...corrections]);
    await writePeriods(
      tx,
      records.periods.map((period) => ({ accountNumber, period })),
    );
  }, CHECKPOINTS);
}

/** Stores closed minutes that exceed a slice, before the states of their accounts. */
export async function writeMinutesAhead(
  database: Database,
  partition: number,
  epoch: number,
  minutes: readonly StoredMinute[],
): Promise<void> {
  await database.transaction(async (tx) => {
    await fence(tx, partition, epoch);
    await writeMinutes(tx, minutes);
  }, CHECKPOINTS);
}

/** An account in quarantine: its state stays as last stored, its entries are kept. */
export type ParkedSlice = {
  accountNumber: number;
  position: number;
  park: string;
  entries: ParkedEntry[];
};

/** Stores the waiting entries of an account in quarantine. Throws PartitionLost. */
export async function writeParked(
  database: Database,
  partition: number,
  epoch: number,
  { accountNumber, position, park, entries }: ParkedSlice,
): Promise<void> {
  await database.transaction(async (tx) => {
    await fence(tx, partition, epoch);
    await parkAccount(tx, accountNumber, position, park);
    await writeParkedEntries(tx, accountNumber, entries);
  }, CHECKPOINTS);
}
