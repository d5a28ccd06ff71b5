import assert from 'node:assert/strict';
import type { Revision, TrackerEvent } from '../../src/domain/live/live-records.ts';
import { NO_FIGURES } from '../../src/domain/live/standing-figures.ts';
import { insertClaims } from '../../src/storage/claim-store.ts';
import type { Database } from '../../src/storage/database.ts';
import type { FoundEvent } from '../../src/storage/event-store.ts';
import type { StoredHour } from '../../src/storage/hour-store.ts';
import type { StoredLiveAccount } from '../../src/storage/live-store.ts';
import { type OwnedPartition, readPosition } from '../../src/storage/partition-store.ts';

/** A partition, in the hands of an owner of this name, whoever had it before. */
export function ownPartition(
  database: Database,
  owner = 'owner',
  partition = 0,
): Promise<OwnedPartition> {
  return database.transaction(async (tx) => {
    const key = String(partition);
    await tx.run("delete from claim where kind = 'partition' and key = $1", [key]);
    const [claim] = await insertClaims(tx, 'partition', [key], owner);
    assert.ok(claim);
    return { partition, position: await readPosition(tx, partition), epoch: claim.fence };
  });
}

export const hourOf = (
  accountNumber: number,
  startTimeMs: number,
  fields: Partial<StoredHour> = {},
): StoredHour => ({
  ...{ accountNumber, startTimeMs, averageBalance: 5, minBalance: 1, maxBalance: 9 },
  ...{ averageEquity: 6, minEquity: 2, maxEquity: 8, startBalance: 1, startEquity: 2 },
  ...{ lastBalance: 9, lastEquity: 8, hasLateExtremes: false, ...fields },
});

export const liveAccountOf = (
  accountNumber: number,
  fields: Partial<StoredLiveAccount> = {},
): StoredLiveAccount => ({
  ...{ accountNumber, position: 0, lastUtcMs: undefined, hoursVersion: 0 },
  settleDueUtcMs: undefined,
  clock: { zone: 'Etc/GMT-2', shiftHours: 0 },
  ...{ ...NO_FIGURES, state: undefined, recent: undefined, park: undefined, ...fields },
});

type Parts<E> = Partial<E> & { position?: number; ordinal?: number };

const MEASURED = {
  ...{ accountId: 'account', trackerId: 'tracker', period: 'day' as const },
  ...{ startTimeMs: 0, timeMs: 0, absoluteDrawdown: 1, relativeDrawdown: 0.1 },
  ...{ absoluteProfit: 0, relativeProfit: 0, allowed: 0, inclusive: false, baseline: 1 },
  ...{ initialBalance: 1, balance: 1, equity: 0, adjustment: 0, round: 0 },
};

const foundAt = (accountNumber: number, position: number, ordinal: number) => ({
  ...{ accountNumber, moneyDigits: 4, position, ordinal },
  beforeBreach: Uint8Array.of(1, 2, 3),
  isOver: false,
});

/** An event found by the fold: of the tracker's period that starts then. */
export const eventOf = (
  accountNumber: number,
  { position = 1, ordinal = 0, ...parts }: Parts<TrackerEvent> = {},
): FoundEvent => ({
  ...foundAt(accountNumber, position, ordinal),
  event: { ...MEASURED, exceededThresholdType: 'drawdown', ...parts },
});

/** A revision of such an event, which is not exceeded by the facts known now. */
export const revisionOf = (
  accountNumber: number,
  { position = 1, ordinal = 0, ...parts }: Parts<Revision> = {},
): FoundEvent => ({
  ...foundAt(accountNumber, position, ordinal),
  isOver: true,
  event: {
    ...MEASURED,
    ...{ revises: { kind: 'drawdown', round: 0 }, stillExceeded: false, ...parts },
  },
});
