import type { BrokerTimeMs } from '../domain/broker-time.ts';
import type { ThresholdType } from '../words/trackers.ts';
import type { Row, Sql, Transaction } from './database.ts';
import { EVENT_COLUMNS, eventOf, type StoredEvent } from './event-feed-store.ts';
import { OF_ACCOUNTS } from './event-filter.ts';
import { allIn } from './sql-text.ts';

/** An event with the snapshots around its breach, as bytes. */
export type StoredEvidence = StoredEvent & {
  before: Uint8Array;
  after: Uint8Array;
  /** Snapshots after the breach are still being added. */
  watched: boolean;
};

export async function readEvidenceRows(
  sql: Sql,
  userId: string,
  sequenceNumber: number,
): Promise<StoredEvidence | undefined> {
  type Found = Row & { before_breach: Uint8Array; after_breach: Uint8Array; watched: number };
  const row = await sql.get<Found>(
    `select ${EVENT_COLUMNS}, before_breach, after_breach, watched from tracker_event
     where user_id = $1 and sequence_number = $2 and ${OF_ACCOUNTS}`,
    [userId, sequenceNumber],
  );
  if (!row) return undefined;
  const { before_breach: before, after_breach: after, watched } = row;
  return { ...eventOf(row), before, after, watched: watched === 1 };
}

export type WatchedEvent = {
  accountNumber: number;
  trackerId: string;
  kind: ThresholdType;
  startTimeMs: BrokerTimeMs;
  round: number;
  after: Uint8Array;
};

/** Events that do not have all snapshots after the breach yet. */
export async function readWatchedEvents(
  sql: Sql,
  accountNumbers: readonly number[],
): Promise<(WatchedEvent & { position: number })[]> {
  type Watched = Row & {
    account_number: number;
    tracker_id: string;
    kind: ThresholdType;
    start_time_ms: number;
    round: number;
    after_breach: Uint8Array;
    position: number;
  };
  const rows = await allIn<Watched>(
    sql,
    accountNumbers,
    (list) =>
      `select account_number, tracker_id, kind, start_time_ms, round, after_breach, position
       from tracker_event where watched = 1 and account_number in (${list})
       order by account_number, tracker_id, start_time_ms, kind, round`,
  );
  return rows.map((row) => ({
    accountNumber: row.account_number,
    trackerId: row.tracker_id,
    kind: row.kind,
    startTimeMs: row.start_time_ms,
    round: row.round,
    after: row.after_breach,
    position: row.position,
  }));
}

export async function writeWatchedEvent(
  tx: Transaction,
  { accountNumber, trackerId, kind, startTimeMs, round, after }: WatchedEvent,
  watched: boolean,
): Promise<void> {
  await tx.run(
    `update tracker_event set after_breach = $6, watched = $7
     where account_number = $1 and tracker_id = $2 and kind = $3 and start_time_ms = $4
       and round = $5 and watched = 1`,
    [accountNumber, trackerId, kind, startTimeMs, round, after, watched ? 1 : 0],
  );
}
