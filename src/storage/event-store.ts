import type { BrokerTimeMs } from '../domain/broker-time.ts';
import type { ThresholdType, TrackerEvent } from '../domain/live/live-records.ts';
import type { Row, Sql, SqlValue, Transaction } from './database.ts';
import { bytesType, places } from './sql-text.ts';

/** An event as the fold found it, with its place in the journal. */
export type FoundEvent = {
  event: TrackerEvent;
  /** Which of the accounts that had this id after each other. */
  accountCreatedAtMs: number;
  /** Of the account's currency. */
  moneyDigits: number;
  partition: number;
  position: number;
  /** Counts the events of a journal entry. */
  ordinal: number;
  /** Snapshots up to the breach, as bytes. */
  beforeBreach: Uint8Array;
};

/** An event of the feed. */
export type StoredEvent = {
  sequenceNumber: number;
  userId: string;
  moneyDigits: number;
  event: TrackerEvent;
};

export type EventFilter = {
  userId: string;
  accountId?: string | undefined;
  trackerId?: string | undefined;
  /** Only these accounts, where given. */
  accountIds?: ReadonlySet<string> | undefined;
  /** Only events of this threshold, where given. */
  type?: ThresholdType | undefined;
};

type EventRow = Row & {
  sequence_number: number;
  user_id: string;
  money_digits: number;
  record: string;
};

/**
 * Writes an event unless it is there: the same one is found again when the journal is folded again.
 * An account that is gone has no events any more.
 */
export async function insertEvent(tx: Transaction, found: FoundEvent): Promise<void> {
  const { event } = found;
  const bytes = bytesType(tx.kind);
  await tx.run(
    `insert into tracker_event (tracker_id, start_time_ms, account_id, user_id, partition_id,
       position, ordinal, time_ms, exceeded_type, money_digits, record, before_breach,
       after_breach, watched)
     select cast($1 as text), cast($2 as bigint), id, user_id, cast($3 as bigint),
       cast($4 as bigint), cast($5 as bigint), cast($6 as bigint), cast($7 as text),
       cast($8 as bigint), cast($9 as text), cast($10 as ${bytes}), cast($11 as ${bytes}), 1
     from account where id = $12 and created_at_ms = $13
     on conflict (tracker_id, start_time_ms) do nothing`,
    [
      event.trackerId,
      event.startTimeMs,
      found.partition,
      found.position,
      found.ordinal,
      event.timeMs,
      event.exceededThresholdType,
      found.moneyDigits,
      JSON.stringify(event),
      found.beforeBreach,
      new Uint8Array(),
      event.accountId,
      found.accountCreatedAtMs,
    ],
  );
}

const EVENTS_PER_NUMBERING = 1000;

/**
 * Gives committed events, and the transaction's own, their numbers in the feed: without gaps, each
 * once, in the order of the journal. One numbering runs at a time, up to the end of its transaction;
 * false tells that another one is running, which may have begun too early to see these events. The last
 * number is told on the channel.
 */
export async function numberEvents(tx: Transaction): Promise<boolean> {
  if (!(await tx.tryLock('plimsoll:event-numbers'))) return false;
  while ((await numberSome(tx)) === EVENTS_PER_NUMBERING);
  return true;
}

async function numberSome(tx: Transaction): Promise<number> {
  const numbered = await tx.run(
    `with waiting as (
       select tracker_id, start_time_ms,
         row_number() over (order by position, partition_id, ordinal) as place
       from tracker_event where sequence_number is null
       order by position, partition_id, ordinal limit $1)
     update tracker_event set sequence_number =
       waiting.place + (select last_number from event_head where id = 1)
     from waiting where tracker_event.tracker_id = waiting.tracker_id
       and tracker_event.start_time_ms = waiting.start_time_ms`,
    [EVENTS_PER_NUMBERING],
  );
  if (numbered === 0) return 0;
  const head = await tx.get<{ last_number: number }>(
    'update event_head set last_number = last_number + $1 where id = 1 returning last_number',
    [numbered],
  );
  await tx.notify('plimsoll_events', String(head?.last_number ?? ''));
  return numbered;
}

export async function hasUnnumberedEvents(sql: Sql): Promise<boolean> {
  const row = await sql.get(
    'select position from tracker_event where sequence_number is null limit 1',
  );
  return row !== undefined;
}

export async function readLastNumber(sql: Sql): Promise<number> {
  const row = await sql.get<{ last_number: number }>(
    'select last_number from event_head where id = 1',
  );
  return row?.last_number ?? 0;
}

/** Events of everybody after a number, in order. */
export async function readFeed(sql: Sql, after: number, limit: number): Promise<StoredEvent[]> {
  const rows = await sql.all<EventRow>(
    `select sequence_number, user_id, money_digits, record from tracker_event
     where sequence_number > $1 order by sequence_number limit $2`,
    [after, limit],
  );
  return rows.map(eventOf);
}

/** Events that pass the filter after a number, in order. */
export async function readEvents(
  sql: Sql,
  filter: EventFilter,
  after: number,
  limit: number,
): Promise<StoredEvent[]> {
  const { conditions, params } = conditionsOf(filter);
  const rows = await sql.all<EventRow>(
    `select sequence_number, user_id, money_digits, record from tracker_event
     where ${conditions} and sequence_number > $${params.length + 1}
     order by sequence_number limit $${params.length + 2}`,
    [...params, after, limit],
  );
  return rows.map(eventOf);
}

/** Events that pass the filter with start ≤ their broker time ≤ end, in order of time, then number. */
export async function readEventsByTime(
  sql: Sql,
  filter: EventFilter,
  startMs: BrokerTimeMs,
  endMs: BrokerTimeMs,
  limit: number,
): Promise<StoredEvent[]> {
  const { conditions, params } = conditionsOf(filter);
  const next = params.length + 1;
  const rows = await sql.all<EventRow>(
    `select sequence_number, user_id, money_digits, record from tracker_event
     where ${conditions} and sequence_number is not null
       and time_ms >= $${next} and time_ms <= $${next + 1}
     order by time_ms, sequence_number limit $${next + 2}`,
    [...params, startMs, endMs, limit],
  );
  return rows.map(eventOf);
}

export type StoredEvidence = StoredEvent & {
  before: Uint8Array;
  after: Uint8Array;
  /** Snapshots after the breach are still being added. */
  watched: boolean;
};

export async function readEvidence(
  sql: Sql,
  userId: string,
  sequenceNumber: number,
): Promise<StoredEvidence | undefined> {
  const row = await sql.get<
    EventRow & { before_breach: Uint8Array; after_breach: Uint8Array; watched: number }
  >('select * from tracker_event where user_id = $1 and sequence_number = $2', [
    userId,
    sequenceNumber,
  ]);
  if (!row) return undefined;
  const { before_breach: before, after_breach: after, watched } = row;
  return { ...eventOf(row), before, after, watched: watched === 1 };
}

export type WatchedEvent = {
  accountId: string;
  trackerId: string;
  startTimeMs: BrokerTimeMs;
  after: Uint8Array;
};

/** Events up to a position whose snapshots after the breach are not all there yet. */
export async function readWatchedEvents(
  sql: Sql,
  accountIds: readonly string[],
  untilPosition: number,
): Promise<WatchedEvent[]> {
  const rows = await sql.all<{
    account_id: string;
    tracker_id: string;
    start_time_ms: number;
    after_breach: Uint8Array;
  }>(
    `select account_id, tracker_id, start_time_ms, after_breach from tracker_event
     where watched = 1 and position <= $1 and account_id in (${places(2, accountIds.length)})
     order by account_id, tracker_id, start_time_ms`,
    [untilPosition, ...accountIds],
  );
  return rows.map((row) => ({
    accountId: row.account_id,
    trackerId: row.tracker_id,
    startTimeMs: row.start_time_ms,
    after: row.after_breach,
  }));
}

export async function writeWatchedEvent(
  tx: Transaction,
  { trackerId, startTimeMs, after }: WatchedEvent,
  watched: boolean,
): Promise<void> {
  await tx.run(
    `update tracker_event set after_breach = $3, watched = $4
     where tracker_id = $1 and start_time_ms = $2`,
    [trackerId, startTimeMs, after, watched ? 1 : 0],
  );
}

/** Numbers stay given: the feed goes on after them. */
export async function deleteEvents(tx: Transaction, accountId: string): Promise<void> {
  await tx.run('delete from tracker_event where account_id = $1', [accountId]);
}

function conditionsOf(filter: EventFilter): { conditions: string; params: SqlValue[] } {
  const params: SqlValue[] = [filter.userId];
  const conditions = ['user_id = $1'];
  const equal = (column: string, value: string | undefined): void => {
    if (value === undefined) return;
    params.push(value);
    conditions.push(`${column} = $${params.length}`);
  };
  equal('account_id', filter.accountId);
  equal('tracker_id', filter.trackerId);
  equal('exceeded_type', filter.type);
  if (filter.accountIds?.size === 0) conditions.push('1 = 0');
  else if (filter.accountIds) {
    conditions.push(`account_id in (${places(params.length + 1, filter.accountIds.size)})`);
    params.push(...filter.accountIds);
  }
  return { conditions: conditions.join(' and '), params };
}

const eventOf = (row: EventRow): StoredEvent => ({
  sequenceNumber: row.sequence_number,
  userId: row.user_id,
  moneyDigits: row.money_digits,
  event: JSON.parse(row.record) as TrackerEvent,
});
