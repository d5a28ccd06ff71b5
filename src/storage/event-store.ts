import type { BrokerTimeMs } from '../domain/broker-time.ts';
import {
  isBreach,
  isFeedChange,
  isTransition,
  kindOf,
  type LiveEvent,
} from '../domain/live/live-records.ts';
import type { EnrolmentTransition } from '../domain/programs/enrolment-records.ts';
import { ruleTrackerId } from '../domain/programs/phase-trackers.ts';
import type { Database, Row, Sql, SqlValue, Transaction } from './database.ts';
import { type EventFilter, OF_ACCOUNTS, readInOrder } from './event-filter.ts';
import { isOwner, PartitionLost } from './partition-store.ts';
import { allIn } from './sql-text.ts';

/** An event as the fold found it, with its place in the journal. */
export type FoundEvent = {
  accountNumber: number;
  event: LiveEvent;
  /** Of the account's currency. */
  moneyDigits: number;
  position: number;
  /** Counts the events of an entry. */
  ordinal: number;
  /** Snapshots up to the breach, as bytes. */
  beforeBreach: Uint8Array;
  /** The period had ended when the event was found: a new tracker's past, which nobody need note. */
  isOver: boolean;
};

/** An event of the feed. */
export type StoredEvent<E extends LiveEvent = LiveEvent> = {
  sequenceNumber: number;
  userId: string;
  accountNumber: number;
  moneyDigits: number;
  event: E;
};

export type EventRow = Row & {
  sequence_number: number;
  user_id: string;
  account_number: number;
  money_digits: number;
  record: string;
};

/** Held by whoever gives numbers, to the end of the transaction. */
const LOCK = 'plimsoll:events';
/** When what needs nobody's attention was acknowledged. */
export const NEEDS_NOBODY = 0;
/** Columns of an event when it is stored. */
const FOUND_COLUMNS = 12;

/** Events of a partition that its owner with the epoch has found. */
export type OwnEvents = { partition: number; epoch: number; events: readonly FoundEvent[] };

export type StoredTogether<T extends OwnEvents> = {
  /** The last number; undefined where events still wait for theirs: see numberEvents. */
  lastNumber: number | undefined;
  /** Of these nothing was stored: the partition is another's, or they must go alone. */
  left: T[];
};

/**
 * Stores events of a partition, for the owner with the epoch: see storeTogether. The last number;
 * undefined where events still wait for theirs. Throws PartitionLost.
 */
export async function storeEvents(
  database: Database,
  partition: number,
  epoch: number,
  events: readonly FoundEvent[],
): Promise<number | undefined> {
  const owner = { partition, epoch, events };
  const { lastNumber, left } = await storeTogether(database, [owner], { alone: true });
  if (left.length > 0) throw new PartitionLost(partition);
  return lastNumber;
}

/**
 * Stores events of several partitions, of each only while the epoch owns it, and gives them their
 * numbers in the feed if nobody else is giving numbers: without gaps, each once, in the order of the
 * journal. The same event is found again when the journal is folded again: it stays as it is. An
 * account that is gone has no events any more. On PostgreSQL a partition that is just being taken, or
 * an event that is refused, leaves out what is of one owner, for others' sake; but that of one who is
 * `alone` is waited for, and the refusal thrown.
 */
export async function storeTogether<T extends OwnEvents>(
  database: Database,
  owners: readonly T[],
  { alone = false } = {},
): Promise<StoredTogether<T>> {
  if (database.kind === 'sqlite') {
    return database.transaction(async (tx) => {
      const left: T[] = [];
      for (const own of owners) {
        if (!(await isOwner(tx, own.partition, own.epoch))) left.push(own);
        else for (const found of own.events) await insertEvent(tx, own.partition, found);
      }
      if (left.length === owners.length) return { lastNumber: undefined, left };
      const lastNumber = (await tx.tryLock(LOCK)) ? await numberWaiting(tx) : undefined;
      return { lastNumber, left };
    });
  }
  const rows = owners.flatMap(({ events }, index) =>
    events.map((found) => [index + 1, ...valuesOf(found)]),
  );
  const columns = Array.from({ length: 1 + FOUND_COLUMNS }, (_, column) =>
    rows.map((values) => values[column] ?? null),
  );
  const row = await database.get<{ stored: number[]; last_number: number | null } & Row>(
    `select stored::int[], last_number from store_events($1, $2, $3, $4::bigint[], $5::bigint[],
       $6::text[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::text[],
       $12::bigint[], $13::text[], $14::bytea[], $15::bigint[], $16::text[])`,
    [
      alone ? 1 : 0,
      owners.map(({ partition }) => partition),
      owners.map(({ epoch }) => epoch),
      ...columns,
    ],
  );
  const stored = new Set(row?.stored);
  return {
    lastNumber: row?.last_number ?? undefined,
    left: owners.filter((_, index) => !stored.has(index + 1)),
  };
}

const valuesOf = (found: FoundEvent): SqlValue[] => [
  ...eventValues(found),
  actingId(found) ?? null,
];

const eventValues = (found: FoundEvent): SqlValue[] => [
  found.accountNumber,
  ...subjectOf(found.event),
  found.position,
  found.ordinal,
  found.event.timeMs,
  kindOf(found.event),
  found.moneyDigits,
  JSON.stringify(found.event),
  found.beforeBreach,
  found.isOver ? NEEDS_NOBODY : null,
];

/** What the event is of, and which of its events it is. */
export function subjectOf(event: LiveEvent): [string, number] {
  if (isTransition(event)) return [event.enrolmentId, event.count];
  return isFeedChange(event) ? ['feed', event.sinceUtcMs] : [event.trackerId, event.startTimeMs];
}

/**
 * Whose actions answer an event: those of the tracker whose limit was broken, or those of the rule by
 * which time ended an enrolment. A rule of loss has an event of its tracker, which has them done.
 */
function actingId({ event, isOver }: FoundEvent): string | undefined {
  if (isTransition(event)) {
    const { to, breach, ruleIndex, enrolmentId } = event;
    if (to !== 'failed' || breach || ruleIndex === undefined) return undefined;
    return ruleTrackerId(enrolmentId, ruleIndex);
  }
  if (!isBreach(event) || event.exceededThresholdType !== 'drawdown' || isOver) return undefined;
  return event.trackerId;
}

async function insertEvent(tx: Transaction, partition: number, found: FoundEvent): Promise<void> {
  const stored = await tx.run(
    `insert into tracker_event (account_number, tracker_id, start_time_ms, user_id, position,
       partition_id, ordinal, time_ms, kind, money_digits, record, before_breach,
       after_breach, watched, acknowledged_at_ms)
     select number, $2, $3, user_id, $4, $12, $5, $6, $7, $8, $9, $10, x'', $13, $11
     from account where number = $1
     on conflict (account_number, tracker_id, kind, start_time_ms) do nothing`,
    [...eventValues(found), partition, isBreach(found.event) ? 1 : 0],
  );
  const acting = actingId(found);
  if (stored > 0 && acting !== undefined) await insertActions(tx, found, acting);
}

/** What the event is answered with, as store_events of PostgreSQL stores it. */
async function insertActions(
  tx: Transaction,
  { accountNumber, event }: FoundEvent,
  acting: string,
): Promise<void> {
  const [subjectId, startTimeMs] = subjectOf(event);
  await tx.run(
    `insert into breach_action (account_number, tracker_id, subject_id, start_time_ms, place,
       user_id, time_ms, action, group_name, is_dry_run, state, attempts, fence, due_at_ms,
       leased_until_ms, created_at_ms)
     select wanted.account_number, wanted.tracker_id, $5, $3, wanted.place, account.user_id, $4,
       wanted.action, wanted.group_name, wanted.is_dry_run, 'waiting', 0, 0, 0, 0,
       cast(unixepoch('subsec') * 1000 as integer)
     from tracker_action wanted join account on account.number = wanted.account_number
     where wanted.account_number = $1 and wanted.tracker_id = $2 order by wanted.place
     on conflict (account_number, tracker_id, start_time_ms, place) do nothing`,
    [accountNumber, acting, startTimeMs, event.timeMs, subjectId],
  );
}

/**
 * The last number, once every event of before the call has one; undefined while somebody else is
 * giving numbers.
 */
export async function numberEvents(database: Database): Promise<number | undefined> {
  if (database.kind === 'postgres') {
    const row = await database.get<{ last_number: number | null }>(
      'select number_events() as last_number',
    );
    return row?.last_number ?? undefined;
  }
  const waiting = await database.get(
    'select 1 as waits from tracker_event where sequence_number is null limit 1',
  );
  if (!waiting) return readLastNumber(database);
  return database.transaction(async (tx) =>
    (await tx.tryLock(LOCK)) ? numberWaiting(tx) : undefined,
  );
}

/** As number_waiting_events of PostgreSQL; the last number. */
async function numberWaiting(tx: Transaction): Promise<number> {
  const numbered = await tx.run(
    `with waiting as (
       select account_number, tracker_id, kind, start_time_ms,
         row_number() over (order by position, partition_id, ordinal) as place
       from tracker_event where sequence_number is null)
     update tracker_event set sequence_number =
       waiting.place + (select last_number from event_head where id = 1)
     from waiting where tracker_event.account_number = waiting.account_number
       and tracker_event.tracker_id = waiting.tracker_id
       and tracker_event.kind = waiting.kind
       and tracker_event.start_time_ms = waiting.start_time_ms`,
  );
  const head = await tx.get<{ last_number: number }>(
    'update event_head set last_number = last_number + $1 where id = 1 returning last_number',
    [numbered],
  );
  return head?.last_number ?? 0;
}

export async function readLastNumber(sql: Sql): Promise<number> {
  const row = await sql.get<{ last_number: number }>(
    'select last_number from event_head where id = 1',
  );
  return row?.last_number ?? 0;
}

const COLUMNS = 'sequence_number, user_id, account_number, money_digits, record';

/** Events of everybody after a number, in order, and the last number at that moment. */
export async function readFeed(
  sql: Sql,
  after: number,
  limit: number,
): Promise<{ events: StoredEvent[]; lastNumber: number }> {
  const rows = await sql.all<EventRow & { last_number: number }>(
    `select last_number, event.* from event_head left join (
       select ${COLUMNS} from tracker_event
       where sequence_number > $1 and ${OF_ACCOUNTS} order by sequence_number limit $2) as event
     on 1 = 1 where id = 1 order by sequence_number`,
    [after, limit],
  );
  const [first] = rows;
  const events = first?.sequence_number ? rows.map(eventOf) : [];
  return { events, lastNumber: first?.last_number ?? 0 };
}

/** Events that pass the filter after a number, in order. */
export async function readEvents(
  sql: Sql,
  filter: EventFilter,
  after: number,
  limit: number,
): Promise<StoredEvent[]> {
  const rows = await readInOrder<EventRow>(sql, filter, {
    select: ({ conditions, params }) => {
      params.push(after);
      return `select ${COLUMNS} from tracker_event
        where ${conditions} and sequence_number > $${params.length}`;
    },
    order: ['sequence_number'],
    limit,
  });
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
  const rows = await readInOrder<EventRow & { time_ms: number }>(sql, filter, {
    select: ({ conditions, params }) => {
      params.push(startMs, endMs);
      return `select ${COLUMNS}, time_ms from tracker_event
        where ${conditions} and sequence_number is not null
          and time_ms >= $${params.length - 1} and time_ms <= $${params.length}`;
    },
    order: ['time_ms', 'sequence_number'],
    limit,
  });
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
  >(`select * from tracker_event where user_id = $1 and sequence_number = $2 and ${OF_ACCOUNTS}`, [
    userId,
    sequenceNumber,
  ]);
  if (!row) return undefined;
  const { before_breach: before, after_breach: after, watched } = row;
  return { ...eventOf(row), before, after, watched: watched === 1 };
}

export type WatchedEvent = {
  accountNumber: number;
  trackerId: string;
  startTimeMs: BrokerTimeMs;
  after: Uint8Array;
};

/** Events whose snapshots after the breach are not all there yet. */
export async function readWatchedEvents(
  sql: Sql,
  accountNumbers: readonly number[],
): Promise<(WatchedEvent & { position: number })[]> {
  type Watched = Row & {
    account_number: number;
    tracker_id: string;
    start_time_ms: number;
    after_breach: Uint8Array;
    position: number;
  };
  const rows = await allIn<Watched>(
    sql,
    accountNumbers,
    (list) =>
      `select account_number, tracker_id, start_time_ms, after_breach, position
       from tracker_event where watched = 1 and account_number in (${list})
       order by account_number, tracker_id, start_time_ms`,
  );
  return rows.map((row) => ({
    accountNumber: row.account_number,
    trackerId: row.tracker_id,
    startTimeMs: row.start_time_ms,
    after: row.after_breach,
    position: row.position,
  }));
}

export async function writeWatchedEvent(
  tx: Transaction,
  { accountNumber, trackerId, startTimeMs, after }: WatchedEvent,
  watched: boolean,
): Promise<void> {
  await tx.run(
    `update tracker_event set after_breach = $4, watched = $5
     where account_number = $1 and tracker_id = $2 and start_time_ms = $3 and watched = 1`,
    [accountNumber, trackerId, startTimeMs, after, watched ? 1 : 0],
  );
}

/** A change of an enrolment with its number, which it may be waiting for, and that of its cause. */
export type StoredTransition = {
  sequenceNumber: number | undefined;
  cause: number | undefined;
  transition: EnrolmentTransition;
};

/** The changes of all enrolments of some accounts, each enrolment's in their order. */
export async function readChanges(
  sql: Sql,
  accountNumbers: readonly number[],
): Promise<EnrolmentTransition[]> {
  const rows = await allIn<Row & { record: string }>(
    sql,
    accountNumbers,
    (list) =>
      `select record from tracker_event where account_number in (${list}) and kind = 'enrolment'
       order by tracker_id, start_time_ms`,
  );
  return rows.map(({ record }) => JSON.parse(record) as EnrolmentTransition);
}

/** The changes of an account's enrolments, each enrolment's in their order. */
export async function readTransitions(
  sql: Sql,
  accountNumber: number,
): Promise<StoredTransition[]> {
  const rows = await sql.all<Row & { sequence_number: number | null; record: string }>(
    `select sequence_number, record from tracker_event
     where account_number = $1 and kind = 'enrolment' order by tracker_id, start_time_ms`,
    [accountNumber],
  );
  const found: StoredTransition[] = [];
  for (const row of rows) {
    const transition = JSON.parse(row.record) as EnrolmentTransition;
    found.push({
      sequenceNumber: row.sequence_number ?? undefined,
      cause: await causeOf(sql, accountNumber, transition),
      transition,
    });
  }
  return found;
}

async function causeOf(sql: Sql, accountNumber: number, { breach }: EnrolmentTransition) {
  if (!breach) return undefined;
  const row = await sql.get<Row & { sequence_number: number | null }>(
    `select sequence_number from tracker_event
     where account_number = $1 and tracker_id = $2 and kind = 'drawdown' and start_time_ms = $3`,
    [accountNumber, breach.trackerId, breach.startTimeMs],
  );
  return row?.sequence_number ?? undefined;
}

export const eventOf = (row: EventRow): StoredEvent => ({
  sequenceNumber: row.sequence_number,
  userId: row.user_id,
  accountNumber: row.account_number,
  moneyDigits: row.money_digits,
  event: JSON.parse(row.record) as LiveEvent,
});
