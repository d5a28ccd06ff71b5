import type { BrokerTimeMs } from '../domain/broker-time.ts';
import type { LiveEvent } from '../domain/live/live-records.ts';
import type { Row, Sql } from './database.ts';
import { type EventFilter, OF_ACCOUNTS, readInOrder } from './event-filter.ts';
import { json, optional, plain, RecordTable } from './record-table.ts';

/** An event of the feed. */
export type StoredEvent<E extends LiveEvent = LiveEvent> = {
  sequenceNumber: number;
  userId: string;
  accountNumber: number;
  moneyDigits: number;
  event: E;
  /** Of a revision: the number of the event that it revises, unless that was deleted. */
  revises: number | undefined;
};

const EVENT = new RecordTable<StoredEvent>('tracker_event', {
  sequenceNumber: plain('sequence_number'),
  userId: plain('user_id'),
  accountNumber: plain('account_number'),
  moneyDigits: plain('money_digits'),
  event: json('record'),
  revises: optional('revises'),
});

/** The columns of an event, for `eventOf`. */
export const EVENT_COLUMNS = EVENT.list;
export const eventOf = EVENT.read;

/** An event of the feed by its number, of any user. */
export async function findEvent(
  sql: Sql,
  sequenceNumber: number,
): Promise<StoredEvent | undefined> {
  const row = await sql.get(`select ${EVENT.list} from tracker_event where sequence_number = $1`, [
    sequenceNumber,
  ]);
  return row && eventOf(row);
}

/** Events of all users after a number, in order, and the last number at that moment. */
export async function readFeed(
  sql: Sql,
  after: number,
  limit: number,
): Promise<{ events: StoredEvent[]; lastNumber: number }> {
  const rows = await sql.all<Row & { sequence_number: number | null; last_number: number }>(
    `select last_number, event.* from event_head left join (
       select ${EVENT.list} from tracker_event
       where sequence_number > $1 and ${OF_ACCOUNTS} order by sequence_number limit $2) as event
     on 1 = 1 where id = 1 order by sequence_number`,
    [after, limit],
  );
  const [first] = rows;
  const events = first?.sequence_number ? rows.map(eventOf) : [];
  return { events, lastNumber: first?.last_number ?? 0 };
}

type EventPlace = Row & { sequence_number: number };

/** Events that pass the filter after a number, in order. */
export async function readEvents(
  sql: Sql,
  filter: EventFilter,
  after: number,
  limit: number,
): Promise<StoredEvent[]> {
  const rows = await readInOrder<EventPlace>(sql, filter, {
    select: (where) =>
      `select ${EVENT.list} from tracker_event
       where ${where.and(`sequence_number > ${where.place(after)}`)}`,
    order: ['sequence_number'],
    limit,
  });
  return rows.map(eventOf);
}

/** Events that pass the filter with start ≤ broker time ≤ end, in order of time, then number. */
export async function readEventRowsByTime(
  sql: Sql,
  filter: EventFilter,
  startMs: BrokerTimeMs,
  endMs: BrokerTimeMs,
  limit: number,
): Promise<StoredEvent[]> {
  const rows = await readInOrder<EventPlace & { time_ms: number }>(sql, filter, {
    select: (where) => {
      where.and('sequence_number is not null');
      where.and(`time_ms >= ${where.place(startMs)}`).and(`time_ms <= ${where.place(endMs)}`);
      return `select ${EVENT.list}, time_ms from tracker_event where ${where}`;
    },
    order: ['time_ms', 'sequence_number'],
    limit,
  });
  return rows.map(eventOf);
}
